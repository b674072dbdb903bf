"""Figures over many rows: counts, sums, averages and what rows are worth."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from adapters.models.offline.form import defined
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.pieces import Piece, plain
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import as_number, column_of, number
from adapters.models.offline.sketch.sketch import Aggregate, Field, Measure
from adapters.models.offline.world.roles import (
    count_column,
    is_mean,
    is_part,
    money_columns,
    name_columns,
)
from adapters.models.offline.world.schema import Column, Table


def measure(term: Measure, frame: Frame) -> Piece:
    """Write an aggregate."""
    if term.mention is None:
        return Piece(exp.Count(this=exp.Star()), "count", (), aggregated=True)
    option = frame.option(term.mention)
    if term.aggregate is Aggregate.COUNT and not (option.column and option.column.metric):
        return _count(term, option, frame)
    if term.aggregate is Aggregate.SUM and _are_events(option):
        return _count(term, option, frame)
    column = option.column or _figure_of(option.table, frame)
    if column.metric is not None:
        return defined.figure(term, column, column.metric, frame)
    if term.aggregate is Aggregate.SUM and is_part(column):
        raise NotUnderstood(f"{PARTS}, and {column.label} is a share")
    if column.is_key and term.aggregate in _RECKONING:
        raise NotUnderstood(f"{column.name} tells rows apart and measures nothing")
    sql = _AGGREGATES[term.aggregate](column, frame)
    if frame.sketch.decimals is not None:
        sql = exp.Round(this=sql, decimals=number(frame.sketch.decimals))
    prefix = PREFIXES[term.aggregate]
    name = column.name.lower().removeprefix(f"{prefix}_")
    name = f"{prefix}_{name}"
    median = term.aggregate is Aggregate.MEDIAN
    return Piece(sql, name, (column.table,), aggregated=True, column=column, median=median)


def _are_events(option: Option) -> bool:
    """Say whether `total signups` can only be counted."""
    if option.column is not None:
        return option.column.is_time
    return not money_columns(option.table)


def _count(term: Measure, option: Option, frame: Frame) -> Piece:
    table, column = option.table, option.column
    name = f"number_of_{(table if column is None else column).name.rsplit('.', 1)[-1]}".lower()
    if column is None:
        return Piece(
            _count_rows(table, frame, distinct=term.distinct), name, (table.name,), aggregated=True
        )
    if column.is_measure and not term.distinct and _is_row_figure(column, frame):
        return plain(column)
    if column.is_measure and not term.distinct:
        return Piece(
            exp.Sum(this=column_of(column)), name, (table.name,), aggregated=True, column=column
        )
    if column.is_time and not term.distinct:
        return Piece(exp.Count(this=column_of(column)), name, (table.name,), aggregated=True)
    if column in table.key and not term.distinct:
        return Piece(
            _count_rows(table, frame, distinct=False), name, (table.name,), aggregated=True
        )
    return Piece(_distinct(column_of(column)), name, (table.name,), aggregated=True, column=column)


def _is_row_figure(column: Column, frame: Frame) -> bool:
    """Say whether `number of pages` is one figure of each row shown, not a sum of them."""
    shown = [frame.option(item.mention) for item in frame.sketch.items if isinstance(item, Field)]
    return (
        bool(shown) and all(o.table.name == column.table for o in shown) and not frame.sketch.groups
    )


def _distinct(sql: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[sql]))


def _count_rows(table: Table, frame: Frame, *, distinct: bool) -> exp.Expr:
    """Count rows of a table once each, however many rows the other tables make of them."""
    counts = count_column(table)
    if counts is not None and not distinct:
        return exp.Sum(this=column_of(counts))
    if frame.multiplies(table.name) and len(table.key) == 1:
        return _distinct(column_of(table.key[0]))
    if distinct and name_columns(table):
        return _distinct(column_of(name_columns(table)[0]))
    return exp.Count(this=exp.Star())


def _figure_of(table: Table, frame: Frame) -> Column:
    """Return what a table's rows are worth, for `total sales` and the like."""
    found = money_columns(table)
    if not found:
        raise NotUnderstood(f"nothing to add up in {table.name}")
    frame.notes.append(f"{table.label} are measured by {found[0].label}")
    return found[0]


def _median(column: Column, frame: Frame) -> exp.Expr:
    plain_column = as_number(column)
    if frame.dialect == "duckdb":
        return exp.Anonymous(this="MEDIAN", expressions=[plain_column])
    if frame.dialect in {"sqlite", "mysql"}:
        return plain_column  # a query of its own takes the middle of them: form/median.py
    order = exp.Order(expressions=[exp.Ordered(this=plain_column)])
    half = exp.PercentileCont(this=number(0.5))
    return exp.WithinGroup(this=half, expression=order)


_AGGREGATES: dict[Aggregate, Callable[[Column, Frame], exp.Expr]] = {
    Aggregate.SUM: lambda column, _: exp.Sum(this=as_number(column)),
    Aggregate.AVG: lambda column, _: exp.Avg(this=as_number(column)),
    Aggregate.MIN: lambda column, _: exp.Min(this=column_of(column)),
    Aggregate.MAX: lambda column, _: exp.Max(this=column_of(column)),
    Aggregate.MEDIAN: _median,
}
PREFIXES = {
    Aggregate.SUM: "total", Aggregate.AVG: "average", Aggregate.MIN: "lowest",
    Aggregate.MAX: "highest", Aggregate.MEDIAN: "median", Aggregate.COUNT: "number_of",
}  # fmt: skip


PARTS = "Shares do not add up"
_RECKONING = frozenset({Aggregate.SUM, Aggregate.AVG, Aggregate.MEDIAN})


def aggregated(column: Column, *, descending: bool) -> exp.Expr:
    """Make one figure of several rows: ratings are averaged, amounts are added up."""
    if not column.is_number:
        return exp.Max(this=column_of(column)) if descending else exp.Min(this=column_of(column))
    return exp.Avg(this=column_of(column)) if is_mean(column) else exp.Sum(this=column_of(column))
