"""The middle value, for engines that have no function for it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import joined
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import number

WITHOUT_MEDIAN = frozenset({"sqlite", "mysql"})


def median_query(
    items: Sequence[Piece], groups: Sequence[Piece], rows: Sequence[exp.Expr], frame: Frame
) -> exp.Select:
    """Return a query that averages the one or two values in the middle of each group."""
    figures = [item for item in items if item.median]
    if len(figures) != 1 or any(item.aggregated and not item.median for item in items):
        raise NotUnderstood("a median stands alone")
    figure = figures[0]
    by = [exp.column(group.name, quoted=True) for group in groups]
    inner = exp.select(
        *(exp.alias_(group.sql.copy(), group.name, quoted=True) for group in groups),
        exp.alias_(figure.sql.copy(), "figure"),
    )
    inner = joined(inner, frame).where(
        exp.Not(this=exp.Is(this=figure.sql.copy(), expression=exp.null()))
    )
    inner = inner.where(*rows) if rows else inner
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=by or None,
        order=exp.Order(expressions=[exp.Ordered(this=exp.column("figure"))]),
    )
    total = exp.Window(
        this=exp.Count(this=exp.Star()), partition_by=[each.copy() for each in by] or None
    )
    numbered = exp.select("*", exp.alias_(place, "place"), exp.alias_(total, "total")).from_(
        inner.subquery("figures")
    )
    doubled = exp.Mul(this=number(2), expression=exp.column("place"))
    middle = exp.Between(
        this=doubled,
        low=exp.column("total"),
        high=exp.Add(this=exp.column("total"), expression=number(2)),
    )
    middle_of = exp.alias_(exp.Avg(this=exp.column("figure")), figure.name, quoted=True)
    outer = exp.select(*(each.copy() for each in by), middle_of)
    outer = outer.from_(numbered.subquery("numbered")).where(middle)
    return outer.group_by(*(each.copy() for each in by)) if by else outer
