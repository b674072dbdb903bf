"""Reads what the data team has defined: states of rows, and figures that are no columns."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.sketch.reader import Reader, names_table
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Compare,
    Field,
    Flag,
    Measure,
    Sketch,
    Term,
)
from adapters.models.offline.world.schema import Column


def read_without(r: Reader) -> bool:
    """Read `premium customers` where they are left out: the state does not hold for the rows."""
    chunk = r.cursor.peek()
    best = chunk.meanings[0].column if chunk is not None and chunk.meanings else None
    if best is None or not best.condition:
        return False
    mention = r.mention(r.cursor.take())
    if names_table(r.cursor.peek()):
        r.cursor.take()
    r.add(Flag(mention, truth=False))
    return True


def with_figures(sketch: Sketch) -> Sketch:
    """Let every metric be the figure that it is, wherever the sketch has it as a mere name."""
    sketch.items[:] = [_as_figure(each) for each in sketch.items]
    sketch.order[:] = [replace(key, term=_as_figure(key.term)) for key in sketch.order]
    sketch.conditions[:] = [
        replace(each, term=_as_figure(each.term)) if isinstance(each, Compare) else each
        for each in sketch.conditions
    ]
    return sketch


def column_meant(term: Term) -> Column | None:
    """Return the column of a figure, by what its words mean best."""
    if not isinstance(term, Measure | Field) or term.mention is None:
        return None
    best = term.mention.meanings[:1]
    return best[0].column if best else None


def _as_figure(term: Term) -> Term:
    best = term.mention.meanings[:1] if isinstance(term, Field) else ()
    if isinstance(term, Field) and best and (best[0].total or _is_metric(best[0].column)):
        return Measure(Aggregate.SUM, term.mention)
    return term


def _is_metric(column: Column | None) -> bool:
    return column is not None and column.metric is not None
