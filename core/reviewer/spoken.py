"""Comparisons in words: twice as much, doubled, a third of the total."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.reviewer.figures import Figure

_TIMES = {
    "twice": 2.0,
    "double": 2.0,
    "two times": 2.0,
    "triple": 3.0,
    "three times": 3.0,
    "four times": 4.0,
    "five times": 5.0,
    "ten times": 10.0,
    "half": 0.5,
}
_BECAME = {"doubled": 2.0, "tripled": 3.0, "quadrupled": 4.0, "halved": 0.5}
_PARTS = {
    "half": 1 / 2,
    "a third": 1 / 3,
    "one third": 1 / 3,
    "a quarter": 1 / 4,
    "one quarter": 1 / 4,
    "a fifth": 1 / 5,
    "one fifth": 1 / 5,
    "two thirds": 2 / 3,
    "three quarters": 3 / 4,
}
_RATIOS = _TIMES | _BECAME | _PARTS
# Most texts have none of these words, and looking for one word is much faster than for a form.
_WORDS = frozenset(written.split()[-1] for written in _RATIOS)
_SPOKEN = re.compile(
    rf"\b(?:(?P<times>{'|'.join(_TIMES)})(?=\s+(?:as\s+(?:much|many|high|large|big|often)\b"
    r"|that\s+of\b|those\s+of\b|the\s+\w+\s+of\b))"
    rf"|(?P<became>{'|'.join(_BECAME)})\b"
    # "Half of 2025" and "a quarter of the year" are periods.
    rf"|(?<!first )(?<!second )(?<!last )(?<!other )(?P<part>{'|'.join(_PARTS)})"
    r"(?=\s+of\s+(?!(?:the|a|that|this)\s+(?:year|month|week|day|period)\b|\d{4}\b|\w+\s+\d{4}\b)))",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"(?:more|less|better)\s+than\s+$|\b(?:over|under|at least|up to|beyond|not even)\s+$",
    re.IGNORECASE,
)
_ROUGH = 0.1  # of the ratio itself
_ROUGHER = 0.6  # where the text says that it is more, or less


def ratios_in_words(text: str) -> Iterator[Figure]:
    """Return what words say of two amounts, as a ratio with the room that such words have."""
    folded = text.lower()
    if not any(word in folded for word in _WORDS):
        return
    for found in _SPOKEN.finditer(text):
        written = found[0].lower()
        ratio = _RATIOS[written]
        is_loose = _LOOSE.search(text[max(found.start() - 15, 0) : found.start()]) is not None
        room = ratio * (_ROUGHER if is_loose else _ROUGH)
        yield Figure(
            written=found[0],
            readings=((ratio, room),),
            is_percent=False,
            start=found.start(),
            end=found.end(),
            is_ratio=True,
        )
