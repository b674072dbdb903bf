"""Figures and states that the data team has defined, written as their definitions say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import alias_of, all_of, identifier, number
from adapters.models.offline.sketch.defined import column_meant
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Band,
    Bucket,
    Compare,
    Everything,
    Field,
    Flag,
    Measure,
    Mention,
    Sketch,
    Term,
)
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.schema import Column
from core.domain.definitions import Metric

# How reasons begin that a reader can use.
DEFINED = "As it is defined,"
_OF_ALL_ROWS = frozenset({Aggregate.SUM, Aggregate.AVG})
_PARTED = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Count)


def figure(term: Measure, column: Column, metric: Metric, frame: Frame) -> Piece:
    """Write a metric.

    Raises:
        NotUnderstood: it is to be aggregated once more, or a join would repeat its rows.
    """
    averaged = term.aggregate is Aggregate.AVG and "AVG(" not in metric.expression.upper()
    if term.aggregate not in _OF_ALL_ROWS or averaged:
        raise NotUnderstood(f"{DEFINED} {metric.name} is one figure of many rows already")
    if frame.multiplies(column.table):
        raise NotUnderstood(
            f"{DEFINED} {metric.name} is a figure of {column.table}, whose rows this question "
            "would count repeatedly"
        )
    sql = _expression(metric.expression, column, frame)
    if metric.conditions:
        only = all_of([_expression(each, column, frame) for each in metric.conditions])
        sql = _parted(sql, only)
    if frame.sketch.decimals is not None:
        sql = exp.Round(this=sql, decimals=number(frame.sketch.decimals))
    name = re.sub(r"\W+", "_", metric.name.lower()).strip("_")
    return Piece(sql, name, (column.table,), aggregated=True, column=column)


def state(column: Column, frame: Frame) -> exp.Expr:
    """Write the condition of a term."""
    return _expression(column.condition, column, frame)


def _expression(text: str, column: Column, frame: Frame) -> exp.Expr:
    """Read an expression, whose columns are the table's."""
    try:
        tree = parse_one(f"SELECT {text}", dialect=frame.dialect)
    except SqlglotError as error:
        raise NotUnderstood(f"the definition of {column.name} cannot be read") from error
    piece: exp.Expr = tree.expressions[0]
    table = identifier(alias_of(column.table))
    for found in list(piece.find_all(exp.Column)):
        inside = found.find_ancestor(exp.Select)
        if (inside is None or inside is tree) and not isinstance(found.this, exp.Star):
            found.set("table", table.copy())
    return piece.copy()


def _parted(sql: exp.Expr, only: exp.Expr) -> exp.Expr:
    """Let an expression see only some of the rows, so that others may stand beside it."""
    aggregates = [each for each in sql.find_all(exp.AggFunc) if _is_own(each)]
    if not all(isinstance(each, _PARTED) for each in aggregates):
        raise NotUnderstood("an aggregate that cannot be taken of some rows only")
    for each in aggregates:
        inner = each.this
        if isinstance(inner, exp.Distinct):
            cases = [exp.Case().when(only.copy(), one.copy()) for one in inner.expressions]
            inner.set("expressions", cases)
        else:
            value = number(1) if isinstance(inner, exp.Star) else inner.copy()
            each.set("this", exp.Case().when(only.copy(), value))
    return sql


def _is_own(aggregate: exp.Expr) -> bool:
    return aggregate.find_ancestor(exp.Select) is None


def narrowed(sketch: Sketch) -> Sketch:
    """Let a metric that stands alone narrow all rows of the query, which is plainer to read."""
    terms = [*sketch.items, *(key.term for key in sketch.order), *_compared(sketch)]
    figures = [column for term in terms if (column := _figure_of(term)) is not None]
    others = [term for term in terms if _is_figure(term) and _figure_of(term) is None]
    if others or len(set(map(id, figures))) != 1:
        return sketch
    [column, *_] = figures
    metric = column.metric
    return _narrowed(sketch.copied(), column, metric) if metric and metric.conditions else sketch


def _compared(sketch: Sketch) -> Iterator[Term]:
    yield from (each.term for each in sketch.conditions if isinstance(each, Compare))


def _figure_of(term: Term) -> Column | None:
    column = column_meant(term)
    return column if column is not None and column.metric is not None else None


def _is_figure(term: Term) -> bool:
    if isinstance(term, Field):
        column = column_meant(term)
        return column is not None and column.is_measure
    return not isinstance(term, Bucket | Band | Everything)


def _narrowed(sketch: Sketch, column: Column, metric: Metric) -> Sketch:
    plain = replace(column, metric=replace(metric, conditions=()))
    sketch.items = [_with(each, column, plain) for each in sketch.items]
    sketch.order = [replace(key, term=_with(key.term, column, plain)) for key in sketch.order]
    sketch.conditions = [
        replace(each, term=_with(each.term, column, plain)) if isinstance(each, Compare) else each
        for each in sketch.conditions
    ]
    # A state for each of its conditions, which belong to the figure and have no words of their own.
    for text in metric.conditions:
        only = replace(column, type="boolean", kind="dimension", metric=None, condition=text)
        sketch.conditions.append(Flag(Mention("", 0, (_meaning_of(sketch, plain, only),))))
    return sketch


def _meaning_of(sketch: Sketch, plain: Column, only: Column) -> Meaning:
    """Return the meaning of a condition, beside that of its figure."""
    terms = [*sketch.items, *(key.term for key in sketch.order), *_compared(sketch)]
    return next(
        replace(term.mention.meanings[0], column=only)
        for term in terms
        if isinstance(term, Measure) and term.mention and column_meant(term) is plain
    )


def _with(term: Term, column: Column, plain: Column) -> Term:
    if not isinstance(term, Measure) or term.mention is None or column_meant(term) is not column:
        return term
    meanings = tuple(
        replace(m, column=plain) if m.column is column else m for m in term.mention.meanings
    )
    return replace(term, mention=replace(term.mention, meanings=meanings))
