"""Stretches of a figure: `under 100`, `100 to 500`, or steps of one width."""

from __future__ import annotations

from sqlglot import exp

from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import as_number, number, text
from adapters.models.offline.sketch.sketch import Band, Stretch
from adapters.models.offline.world.schema import Column

_OUTSIDE = "other"


def band(term: Band, frame: Frame) -> Piece:
    """Write in which stretch a figure lies: by name, or by where the step begins.

    Raises:
        NotUnderstood: it is no figure, or it is not known how wide the steps are.
    """
    column = frame.option(term.mention).column
    if column is None or not column.is_number or column.is_key:
        raise NotUnderstood(f"{term.mention.text!r} is no figure that has bands")
    if term.stretches:
        sql = _named(column, term.stretches)
        lowest = exp.Min(this=as_number(column))
        return Piece(sql, f"{column.name}_band", (column.table,), sort=lowest)
    if not term.width:
        raise NotUnderstood("how wide the bands are is not known")
    last = f"; the one from {term.top:,.15g} on holds all above" if term.top is not None else ""
    frame.notes.append(f"each band of {column.label} is {term.width:,.15g} wide{last}")
    sql = _steps(column, term, frame.dialect)
    return Piece(sql, f"{column.name}_from", (column.table,), sort=sql)


def _named(column: Column, stretches: tuple[Stretch, ...]) -> exp.Expr:
    case = exp.Case()
    for stretch in stretches:
        case = case.when(_inside(column, stretch), text(stretch.words))
    return case.else_(text(_OUTSIDE))


def _inside(column: Column, stretch: Stretch) -> exp.Expr:
    bounds: list[exp.Expr] = []
    if stretch.low is not None:
        above = exp.GTE if stretch.low_counts else exp.GT
        bounds.append(above(this=as_number(column), expression=number(stretch.low)))
    if stretch.high is not None:
        below = exp.LTE if stretch.high_counts else exp.LT
        bounds.append(below(this=as_number(column), expression=number(stretch.high)))
    return exp.and_(*bounds)


def _steps(column: Column, term: Band, dialect: str) -> exp.Expr:
    """Write where the step begins that a figure lies in; from the top on all are one."""
    decimal = exp.cast(as_number(column), exp.DataType.Type.DOUBLE)
    parts: exp.Expr = exp.Div(this=decimal, expression=number(term.width), typed=True)
    if term.width != int(term.width):
        # 0.06 / 0.02 is a little less than 3 in binary.
        parts = exp.Round(this=parts, decimals=number(9))
    begins = exp.Mul(this=_floor(parts, dialect), expression=number(term.width))
    if term.top is None:
        return begins
    above = exp.GTE(this=as_number(column), expression=number(term.top))
    return exp.Case().when(above, number(term.top)).else_(begins)


def _floor(parts: exp.Expr, dialect: str) -> exp.Expr:
    if dialect != "sqlite":
        return exp.Floor(this=parts)
    # SQLite is often built without FLOOR; its CAST cuts towards zero.
    cut = exp.cast(parts.copy(), exp.DataType.Type.BIGINT)
    return exp.Paren(
        this=exp.Sub(this=cut, expression=exp.Paren(this=exp.LT(this=parts, expression=cut.copy())))
    )
