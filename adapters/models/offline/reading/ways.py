"""Which end of a way a value is, in `from Paris to Madrid`."""

from __future__ import annotations

_WORDS = {
    "from": "from", "depart": "from", "leav": "from", "origin": "from", "start": "from",
    "outbound": "from", "outgoing": "from", "to": "to", "into": "to", "toward": "to",
    "arriv": "to", "land": "to", "reach": "to", "inbound": "to", "incoming": "to",
}  # fmt: skip
_NAMES = {
    "from": frozenset({"from", "source", "origin", "src", "departure", "depart", "dep", "start"}),
    "to": frozenset({"to", "destination", "dest", "target", "arrival", "arrive", "arr", "end"}),
}


def end_of(text: str) -> str:
    """Return the end of a way that a word is about: `arriving` is about where to."""
    words = text.split()
    for word in words:
        for start, end in _WORDS.items():
            exact = len(start) <= 4
            if word == start or (not exact and word.startswith(start)):
                return end
    return "to" if any(word in {"landing", "lands", "landed"} for word in words) else ""


def names_of_end(end: str) -> frozenset[str]:
    """Return what the columns of that end are called by."""
    return _NAMES.get(end, frozenset())
