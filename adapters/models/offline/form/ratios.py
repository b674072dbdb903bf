"""One figure as a part of another."""

from __future__ import annotations

from sqlglot import exp

from adapters.models.offline.form.conditions import parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import placed
from adapters.models.offline.form.sqltext import all_of, column_of, number
from adapters.models.offline.form.terms import Piece, measure
from adapters.models.offline.sketch.sketch import Aggregate, Measure, Ratio
from adapters.models.offline.world.roles import count_column


def ratio(term: Ratio, frame: Frame) -> Piece:
    """Write a ratio as a decimal number; nothing is divided by zero."""
    top = figure(term.top, frame)
    bottom = _of_all(term.bottom, frame) if term.of_all_groups else figure(term.bottom, frame)
    sql: exp.Expr = exp.Div(
        this=exp.cast(top, exp.DataType.Type.DOUBLE),
        expression=exp.Nullif(this=bottom, expression=number(0)),
    )
    if term.percent:
        sql = exp.Mul(this=number(100), expression=sql)
    name = "percentage" if term.percent else "share" if is_share(term) else "ratio"
    return Piece(sql, name, (), aggregated=True)


def is_share(term: Ratio) -> bool:
    """Say whether a ratio is a part of a whole, from 0 to 1."""
    if term.percent or term.bottom.only:
        return False
    return bool(term.top.only) or term.of_all_groups


def _of_all(term: Measure, frame: Frame) -> exp.Expr:
    """Add the figures of all groups up."""
    return exp.Window(this=exp.Sum(this=figure(term, frame)))


def figure(term: Measure, frame: Frame) -> exp.Expr:
    """Write a figure over the rows that meet its own conditions."""
    if not term.only:
        return measure(term, frame).sql
    parts = [part for condition in term.only for part in parts_of(condition, frame)]
    condition = all_of(placed(parts, frame))
    return exp.Sum(this=exp.Case().when(condition, _worth(term, frame)).else_(number(0)))


def _worth(term: Measure, frame: Frame) -> exp.Expr:
    option = frame.option(term.mention)
    if term.aggregate is Aggregate.COUNT:
        counts = count_column(option.table) if option.column is None else None
        return column_of(counts) if counts is not None else number(1)
    if term.aggregate is Aggregate.SUM and option.column is not None:
        return column_of(option.column)
    raise NotUnderstood("only counts and sums have parts")
