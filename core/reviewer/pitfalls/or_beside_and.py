"""Alternatives of one column of which only the first has to meet the other conditions."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran, conjuncts
from core.reviewer.remark import Remark


def or_beside_and(ran: Ran) -> Iterator[Remark]:
    """Find `day >= x AND kind = 'a' OR kind = 'b'`, in which the day counts for a alone."""
    for either in ran.nodes(exp.Or):
        both, alone = _sides(either)
        if both is None or not isinstance(alone, exp.EQ):
            continue
        conditions = list(conjuncts(both))
        if any(isinstance(each, exp.EQ) and each.left == alone.left for each in conditions):
            yield Remark(
                f"AND binds before OR: {alone.sql(dialect=ran.dialect)} counts without the other"
                " conditions. Put the alternatives in parentheses.",
                for_reader=True,
            )


def _sides(either: exp.Or) -> tuple[exp.And | None, exp.Expr]:
    """Return the side that is joined by AND without parentheses, and the other one."""
    for one, other in ((either.left, either.right), (either.right, either.left)):
        if isinstance(one, exp.And):
            return one, other
    return None, either
