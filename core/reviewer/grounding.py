"""Holds the figures of a text against what was read; takes out what does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure, claims
from core.reviewer.labels import misplaced

_SENTENCE_END = re.compile(r"(?<=[.!?\u3002])[\"')\]*_]*\s+|\n+")


def unsupported(text: str, evidence: Evidence) -> tuple[Figure, ...]:
    """Return the figures of a text that the evidence neither holds nor gives by computing.

    One that stands beside a label whose rows it is not of counts, too.
    """
    figures = claims(text)
    elsewhere = set(misplaced(text, figures, evidence.tables))
    return tuple(
        figure for figure in figures if figure in elsewhere or not evidence.supports(figure)
    )


def without(text: str, figures: Iterable[Figure]) -> str:
    """Return the text without the sentences (or list items) that hold one of the figures."""
    at = [figure.start for figure in figures]
    kept = (
        text[start:end]
        for start, end in _sentences(text)
        if not any(start <= position < end for position in at)
    )
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip()


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of the sentences, each with the blanks after it."""
    start = 0
    for found in _SENTENCE_END.finditer(text):
        yield start, found.end()
        start = found.end()
    if start < len(text):
        yield start, len(text)
