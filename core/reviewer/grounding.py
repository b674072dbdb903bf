"""Holds the figures of a text against what was read; takes out what does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.reviewer.derived import ratios_of_pairs
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure, all_numbers, claims
from core.reviewer.labels import by_labels, compares
from core.reviewer.sentences import sentences
from core.reviewer.spoken import ratios_in_words
from core.reviewer.values import Values, fits_as_written


def unsupported(text: str, evidence: Evidence) -> tuple[Figure, ...]:
    """Return the figures of a text that the evidence neither holds nor gives by computing.

    One that stands beside a label whose rows it is not of counts, too.
    """
    spoken = (each for each in ratios_in_words(text) if not _is_of_figures_beside(each, text))
    figures = sorted((*claims(text), *spoken), key=lambda each: each.start)
    beside = by_labels(text, figures, evidence)

    def holds(figure: Figure) -> bool:
        judged = beside.get(figure)
        if judged is not None:
            return judged
        return evidence.supports(figure, compared=compares(text, figure))

    return tuple(figure for figure in figures if not holds(figure))


def _is_of_figures_beside(figure: Figure, text: str) -> bool:
    """Say whether a comparison in words is one of two figures of its own sentence."""
    [beside] = [text[slice(*span)] for span in sentences(text) if span[0] <= figure.start < span[1]]
    return fits_as_written(figure, Values(ratios_of_pairs(list(all_numbers(beside)))))


def without(text: str, figures: Iterable[Figure]) -> str:
    """Return the text without the sentences (or list items) that hold one of the figures."""
    at = [figure.start for figure in figures]
    kept = (
        text[start:end]
        for start, end in sentences(text)
        if not any(start <= position < end for position in at)
    )
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip()
