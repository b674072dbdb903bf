"""Everyday words that mean the same in a question as in the name of a table or a column."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from adapters.models.offline.reading.lemmas import singular, stem

# One line a meaning; words of several lines belong to each of them.
_GROUPS = (Path(__file__).parent / "synonyms.txt").read_text(encoding="utf-8").splitlines()

_PHRASES: dict[tuple[str, ...], tuple[str, ...]] = {
    tuple(phrase.split()): tuple(plain.split())
    for line in (Path(__file__).parent / "phrases.txt").read_text(encoding="utf-8").splitlines()
    for phrase, plain in (line.split(": ", 1),)
}


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    """Map each word, and its stem, to the words that mean the same."""
    found: dict[str, set[str]] = {}
    for line in _GROUPS:
        words = [singular(word) for word in line.split()]
        # The first word of a line is what the line is about: the others need not mean each other.
        head, rest = words[0], words[1:]
        found.setdefault(head, set()).update(rest)
        for word in rest:
            found.setdefault(word, set()).add(head)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=20_000)
def synonyms(lemma: str) -> frozenset[str]:
    """Return words that may stand for this one, itself not among them."""
    groups = _groups()
    return groups.get(lemma) or groups.get(stem(lemma)) or frozenset()


def same_phrase(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the plain form of a phrase of several words, None where it has none."""
    return _PHRASES.get(words)


_OPPOSITES = {
    "open": "closed",
    "unresolved": "resolved",
    "unshipped": "shipped",
    "pending": "shipped",
    "running": "ended",
    "current": "ended",
    "ongoing": "ended",
    "active": "ended",
    "closed": "open",
    "shut": "open",
    "off": "on",
    "retired": "active",
    "absent": "present",
}
_NEGATING = ("in", "un", "non", "dis", "im", "ir")


def opposite_of(word: str) -> str | None:
    """Return what a word says the contrary of: `closed`, `inactive`, `unpaid`; None for others."""
    known = _OPPOSITES.get(word)
    if known is not None:
        return known
    found = next((p for p in _NEGATING if word.startswith(p) and len(word) - len(p) >= 4), None)
    return word.removeprefix(found) if found else None
