"""Running totals: the figure of each period and of all before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.pieces import Piece


def added_up(items: Sequence[Piece], groups: Sequence[Piece]) -> list[Piece]:
    """Add the figure of each period to those of the periods before it.

    Raises:
        NotUnderstood: there are no periods, or a figure does not add up.
    """
    times = [piece for piece in groups if piece.grain]
    others = [piece.sql.copy() for piece in groups if not piece.grain]
    if len(times) != 1:
        raise NotUnderstood("a running total needs periods to run over")
    order = exp.Order(expressions=[exp.Ordered(this=times[0].sql.copy())])
    return [
        replace(item, sql=_running(item.sql, others, order), name=_name(item))
        if item.aggregated
        else item
        for item in items
    ]


def _name(item: Piece) -> str:
    return f"cumulative_{item.name.removeprefix('total_')}"


def _running(figure: exp.Expr, others: list[exp.Expr], order: exp.Order) -> exp.Expr:
    if not isinstance(figure, exp.Sum | exp.Count) or figure.find(exp.Distinct):
        raise NotUnderstood("only sums and counts run on")
    return exp.Window(this=exp.Sum(this=figure), partition_by=others, order=order)
