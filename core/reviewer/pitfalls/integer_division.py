"""Whole numbers divided by whole numbers, where the engine drops what is behind the point."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.reviewer.whole_numbers import WHOLE_TYPES, is_whole

_WANTED_WHOLE = (exp.Floor, exp.Ceil, exp.Trunc, exp.Mod, exp.IntDiv)
_CLAUSES = (exp.Group, exp.Join)
_PLACES = (exp.Where, exp.Limit, exp.Offset)  # where a half of a count is a place in an order


def integer_division(ran: Ran) -> Iterator[Remark]:
    """Find ratios that lose their fraction; bins such as `age / 10` are left alone."""
    for division in ran.nodes(exp.Div):
        # The parser marks the division of engines in which 7 / 2 is 3.
        if not division.args.get("typed") or not _is_a_ratio(division):
            continue
        if is_whole(division.left, ran) and is_whole(division.right, ran):
            written = division.sql(dialect=ran.dialect)
            yield Remark(
                f"{written} divides two whole numbers, so its fraction is cut off:"
                " multiply by 1.0 first.",
                for_reader=True,
            )


def _is_a_ratio(division: exp.Div) -> bool:
    within = list(_around(division))
    if any(isinstance(each, (*_WANTED_WHOLE, *_CLAUSES)) or _to_whole(each) for each in within):
        return False
    if division.find_ancestor(*_PLACES) is not None:
        return False
    if isinstance(division.right.unnest(), exp.Literal):
        in_total = any(isinstance(each, exp.Sum | exp.Avg) for each in within)
        return in_total or division.left.find(exp.AggFunc) is not None
    return not isinstance(division.left.unnest(), exp.Literal)


def _around(node: exp.Expr) -> Iterator[exp.Expr]:
    """Return what is around a node within its own SELECT, from the inside."""
    above = node.parent
    while above is not None and not isinstance(above, exp.Query):
        yield above
        above = above.parent


def _to_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.to.this in WHOLE_TYPES
