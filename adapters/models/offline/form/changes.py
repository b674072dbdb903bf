"""Each period beside the one before it: by how much a figure changed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.frame import Frame, NotUnderstood, OutOfReach
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import number
from adapters.models.offline.reading.periods import RECURRING, Grain


def with_changes(items: Sequence[Piece], groups: Sequence[Piece], frame: Frame) -> list[Piece]:
    """Add the change against the period right before, absolute and in percent.

    It is empty for the first period, and where the period before has no rows.

    Raises:
        NotUnderstood: there are no periods that follow each other, or no figure.
    """
    times = [piece for piece in groups if piece.grain and piece.grain not in RECURRING]
    figures = [item for item in items if item.aggregated]
    if not figures:
        raise NotUnderstood("nothing that could change")
    if len(times) != 1:
        raise OutOfReach("I set a figure beside one period before, so name one length of period.")
    if len(figures) > 1:
        raise OutOfReach("I show the change of one figure at a time: name one.")
    [time], [figure] = times, figures
    others = [piece.sql for piece in groups if piece is not time]
    before = _before(figure.sql, time, others, frame.dialect)
    difference = exp.Sub(this=figure.sql.copy(), expression=before)
    frame.notes.append(f"the change is against the {_grain(time).value} before")
    return [
        *items,
        Piece(difference, "change", figure.tables, aggregated=True),
        Piece(_percent(difference, before), "change_percent", figure.tables, aggregated=True),
    ]


def _grain(time: Piece) -> Grain:
    return time.grain or Grain.DAY


def _before(figure: exp.Expr, time: Piece, others: Sequence[exp.Expr], dialect: str) -> exp.Expr:
    """Return the figure of the period before; NULL where the row before is of an earlier one."""

    def lag(of: exp.Expr) -> exp.Expr:
        order = exp.Order(expressions=[exp.Ordered(this=time.sql.copy())])
        parts = [each.copy() for each in others]
        return exp.Window(this=exp.Lag(this=of.copy()), partition_by=parts, order=order)

    follows = exp.EQ(
        this=lag(time.sql),
        expression=calendar.period_before(time.sql.copy(), _grain(time), dialect),
    )
    return exp.Case().when(follows, lag(figure))


def _percent(difference: exp.Expr, before: exp.Expr) -> exp.Expr:
    return exp.Div(
        this=exp.Mul(
            this=exp.Literal.number("100.0"), expression=exp.Paren(this=difference.copy())
        ),
        expression=exp.Nullif(this=before.copy(), expression=number(0)),
    )
