"""Conditions in WHERE on the side of an outer join that may be missing."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran, conjuncts
from core.reviewer.remark import Remark

_DROP_NULLS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In, exp.Like, exp.ILike,
)  # fmt: skip
_MAY_KEEP_NULLS = (exp.Coalesce, exp.Case, exp.Is, exp.Or, exp.If, exp.NullSafeEQ, exp.Subquery)


def outer_join_filter(ran: Ran) -> Iterator[Remark]:
    """Find LEFT JOINs that a filter turns into inner ones, so that groups without rows vanish."""
    for select in ran.nodes(exp.Select):
        optional = dict(_optional(select))
        for condition in conjuncts(select.args.get("where")) if optional else ():
            side = _one_side(condition, optional)
            if side:
                yield Remark(
                    f"The condition {condition.sql(dialect=ran.dialect)} drops every row without a"
                    f" match in {optional[side]}, as if the LEFT JOIN were an inner one: put it"
                    " into ON to keep those rows.",
                    for_reader=True,
                )
                break


def _optional(select: exp.Select) -> Iterator[tuple[str, str]]:
    """Return the tables that are joined by LEFT JOIN, by alias, where it matters.

    It matters where rows are counted or added up for each row or group of the other side.
    """
    if select.args.get("group") is None:
        return
    for join in select.args.get("joins") or ():
        if join.side == "LEFT" and isinstance(join.this, exp.Table):
            yield join.this.alias_or_name, join.this.name


def _one_side(condition: exp.Expr, optional: dict[str, str]) -> str:
    """Name the optional side that a condition is about, where NULLs do not fulfil it."""
    inner = condition.this if isinstance(condition, exp.Not) else condition
    if not isinstance(inner, _DROP_NULLS) or inner.find(*_MAY_KEEP_NULLS) is not None:
        return ""
    owners = {column.table for column in inner.find_all(exp.Column)}
    return next(iter(owners)) if len(owners) == 1 and owners <= optional.keys() else ""
