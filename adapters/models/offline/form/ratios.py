"""One figure as a part of another."""

from __future__ import annotations

from sqlglot import exp

from adapters.models.offline.form.conditions import parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import placed
from adapters.models.offline.form.measures import measure
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import all_of, column_of, number
from adapters.models.offline.sketch.sketch import Aggregate, Measure, Ratio
from adapters.models.offline.world.roles import count_column
from adapters.models.offline.world.schema import Column


def ratio(term: Ratio, frame: Frame) -> Piece:
    """Write a ratio as a decimal number; nothing is divided by zero."""
    top = figure(term.top, frame)
    bottom = _of_all(term.bottom, frame) if term.of_all_groups else figure(term.bottom, frame)
    if top == bottom:
        raise NotUnderstood("a figure as a part of itself")
    sql: exp.Expr = exp.Div(
        this=exp.cast(top, exp.DataType.Type.DOUBLE),
        expression=exp.Nullif(this=bottom, expression=number(0)),
    )
    if term.percent:
        sql = exp.Mul(this=number(100), expression=sql)
    return Piece(sql, _name(term, frame), (), aggregated=True)


def _name(term: Ratio, frame: Frame) -> str:
    if term.percent or is_share(term):
        return "percentage" if term.percent else "share"
    each = frame.option(term.bottom.mention) if term.bottom.mention is not None else None
    things = each is not None and each.column is None and not term.bottom.only
    if each is None or not things or term.bottom.aggregate is not Aggregate.COUNT or term.top.only:
        return "ratio"
    figure_name = measure(term.top, frame).name.removeprefix("number_of_")
    return f"{figure_name}_per_{each.table.label.replace(' ', '_').lower()}"


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
    repeated = _repeated(term, frame)
    if repeated is not None:
        key = exp.Case().when(condition, column_of(repeated))
        return exp.Count(this=exp.Distinct(expressions=[key]))
    return exp.Sum(this=exp.Case().when(condition, _worth(term, frame)).else_(number(0)))


def _repeated(term: Measure, frame: Frame) -> Column | None:
    """Return the key to count by, where a join repeats the rows that are counted.

    Raises:
        NotUnderstood: they are added up, which would add them repeatedly.
    """
    option = frame.option(term.mention)
    if not frame.multiplies(option.table.name):
        return None
    if term.aggregate is Aggregate.COUNT and option.column is None and len(option.table.key) == 1:
        return option.table.key[0]
    raise NotUnderstood("a part of rows that a join repeats")


def _worth(term: Measure, frame: Frame) -> exp.Expr:
    option = frame.option(term.mention)
    if term.aggregate is Aggregate.COUNT:
        counts = count_column(option.table) if option.column is None else None
        return column_of(counts) if counts is not None else number(1)
    if term.aggregate is Aggregate.SUM and option.column is not None:
        return column_of(option.column)
    raise NotUnderstood("only counts and sums have parts")
