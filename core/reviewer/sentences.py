"""Where the sentences and list items of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A point after one of these is no end: "c. 14.2K", "Jan. 2025", "vs. 12".
_ABBREVIATIONS = (
    *("c", "ca", "vs", "approx", "no", "resp", "e.g", "i.e", "incl", "excl", "est"),
    *("Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec"),
)
_NOT_AFTER = "".join(rf"(?<!\b{re.escape(each)}\.)" for each in _ABBREVIATIONS)
_END = re.compile(rf"(?<=[.!?\u3002]){_NOT_AFTER}[\"')\]*_]*\s+|\n+")
_PART_END = re.compile(rf"{_END.pattern}|(?<=;)\s+")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of the sentences, each with the blanks after it."""
    return _parted(text, _END)


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of the sentences, parted at semicolons, too."""
    return _parted(text, _PART_END)


def _parted(text: str, ends: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for found in ends.finditer(text):
        yield start, found.end()
        start = found.end()
    if start < len(text):
        yield start, len(text)
