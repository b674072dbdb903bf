"""Holds the figures of a text against what was read; takes out what does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.domain.table import Table
from core.reviewer.derived import ratios_of_pairs
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure, all_numbers, claims
from core.reviewer.labels import by_labels, compares
from core.reviewer.names import Labelled, labelled, mentions
from core.reviewer.over_time import is_without_an_earlier
from core.reviewer.sentences import sentences
from core.reviewer.spoken import ratios_in_words
from core.reviewer.stated import contradicts, follows_from
from core.reviewer.text_tables import in_other_columns, out_of_place
from core.reviewer.values import Values, fits_as_written


def unsupported(text: str, evidence: Evidence) -> tuple[Figure, ...]:
    """Return the figures of a text that the evidence neither holds nor gives by computing.

    One that stands beside a label whose rows it is not of counts, too.
    """
    spoken = tuple(ratios_in_words(text))
    plain = (each for each in claims(text) if not any(one.covers(each) for one in spoken))
    compared = (each for each in spoken if not _is_of_figures_beside(each, text))
    figures = sorted((*plain, *compared), key=lambda each: each.start)
    beside = by_labels(text, figures, evidence)
    tables = labelled(evidence.tables) if figures else []
    misplaced = set(_misplaced(text, figures, tables, evidence.tables))
    stated = _outside_labels(figures, text, tables)

    def holds(figure: Figure) -> bool:
        if figure in misplaced or contradicts(figure, text, stated):
            return False
        if is_without_an_earlier(figure, text, evidence.tables):
            return evidence.tells(figure)
        judged = beside.get(figure)
        if judged is not None:
            return judged
        return evidence.supports(figure, compared=compares(text, figure))

    held = [figure for figure in figures if holds(figure)]
    return tuple(
        figure
        for figure in figures
        if figure not in held and not follows_from(figure, _in_sentence(figure, held, text))
    )


def _misplaced(
    text: str, figures: Sequence[Figure], named: Sequence[Labelled], tables: Sequence[Table]
) -> Iterator[Figure]:
    """Return the figures in tables that the text draws which stand in a place not theirs."""
    if "|" in text:
        yield from in_other_columns(text, figures, named)
        yield from out_of_place(text, figures, tables)


def _outside_labels(
    figures: Sequence[Figure], text: str, tables: Sequence[Labelled]
) -> Sequence[Figure]:
    """Return the figures that are no part of a name, as is the 30 of "Product 30"."""
    if not any(each.is_share for each in figures):
        return figures
    names = [each for of in tables for each in mentions(text, (0, len(text)), of)]
    return [
        figure
        for figure in figures
        if not any(each.start <= figure.start < each.end for each in names)
    ]


def _in_sentence(figure: Figure, others: Iterable[Figure], text: str) -> list[Figure]:
    [span] = [each for each in sentences(text) if each[0] <= figure.start < each[1]]
    return [each for each in others if span[0] <= each.start < span[1]]


def _is_of_figures_beside(figure: Figure, text: str) -> bool:
    """Say whether a comparison in words is one of two figures of its own sentence."""
    [(start, end)] = [span for span in sentences(text) if span[0] <= figure.start < span[1]]
    numbers = (*all_numbers(text[start : figure.start]), *all_numbers(text[figure.end : end]))
    return fits_as_written(figure, Values(ratios_of_pairs(numbers)))


def without(text: str, figures: Iterable[Figure]) -> str:
    """Return the text without the sentences (or list items) that hold one of the figures."""
    at = [figure.start for figure in figures]
    kept = (
        text[start:end]
        for start, end in sentences(text)
        if not any(start <= position < end for position in at)
    )
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip()
