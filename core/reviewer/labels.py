"""Figures beside a label that is not theirs: one country's value, another country's name.

A figure that is tied to a label ("Spain: 12", "12 in Spain") has to be the label's own, or follow
from it. One that only stands in a sentence with labels has to follow from those labels, the whole,
or other results; where the sentence speaks of what it does not name, it is let alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure
from core.reviewer.names import labelled, mentions, narrowed
from core.reviewer.said import COMPARES, Said
from core.reviewer.sentences import clauses


def compares(text: str, figure: Figure) -> bool:
    """Say whether the clause of a figure sets one amount beside another."""
    return any(
        COMPARES.search(text, *span) is not None
        for span in clauses(text)
        if span[0] <= figure.start < span[1]
    )


def by_labels(text: str, figures: Sequence[Figure], evidence: Evidence) -> dict[Figure, bool]:
    """Say of figures beside labels whether those explain them; the others are left out.

    Labels of one result that explain a figure outweigh those of others that do not.
    """
    tables = evidence.tables if figures else ()
    whole = labelled(tables)
    found: dict[Figure, bool] = {}
    for span in clauses(text):
        inside = [each for each in figures if span[0] <= each.start < span[1]]
        named = [*whole, *narrowed(tables, text, span)] if inside else []
        said = [
            Said(text, span, those, of, evidence.beside([of.origin]).singles)
            for of in named
            if (those := mentions(text, span, of))
        ]
        for figure in inside:
            verdict = _verdict(figure, inside, said)
            if verdict is None:
                continue
            found[figure] = verdict or _is_told_beside(figure, said, evidence)
    return found


def _verdict(figure: Figure, inside: Sequence[Figure], said: Sequence[Said]) -> bool | None:
    verdicts = [each.is_right(figure, inside) for each in said]
    if any(verdicts):
        return True
    return None if None in verdicts or not verdicts else False


def _is_told_beside(figure: Figure, said: Sequence[Said], evidence: Evidence) -> bool:
    """Say whether other results support it, of those that name the labels their rows alone."""
    cells = frozenset(cell for each in said for cell in each.cells)
    return evidence.beside([each.of.origin for each in said], cells).supports(figure)
