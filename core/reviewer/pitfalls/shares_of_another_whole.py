"""Shares whose whole is computed apart, and which come to more than all of it together."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.reviewer.values import numbers_in

_LEAST_GROUPS = 2
_ROOM = 0.01


def shares_of_another_whole(ran: Ran) -> Iterator[Remark]:
    """Find parts of one whole, a subquery of its own, that do not add up to it.

    More than the whole is wrong; less may be meant, so that only the model is told.
    """
    if not isinstance(ran.tree, exp.Select) or ran.tree.args.get("group") is None:
        return
    if ran.table.truncated or any(ran.tree.args.get(each) for each in ("having", "qualify")):
        return
    if any(ran.tree.args.get(each) and _is_cut(ran) for each in ("limit", "offset")):
        return
    for at, projection in enumerate(ran.tree.selects[: len(ran.table.columns)]):
        if any(map(_is_of_a_whole, projection.find_all(exp.Div))):
            values = numbers_in([row[at] for row in ran.table.rows])
            total = sum(values)
            whole = 100.0 if max(values, default=0.0) > 1 or total > _LEAST_GROUPS else 1.0
            if len(values) >= _LEAST_GROUPS and abs(total - whole) > _ROOM * whole:
                yield Remark(
                    f"The shares in {ran.table.columns[at].name} add up to"
                    f" {100 * total / whole:.4g} % of their whole: check that both have the same"
                    " filters.",
                    for_reader=total > whole,
                )


def _is_cut(ran: Ran) -> bool:
    """Say whether the statement's own LIMIT may have left rows out: it gave as many as it may."""
    limit = ran.tree.args.get("limit")
    most = limit.expression.name if isinstance(limit, exp.Limit) else ""
    return not most.isdigit() or len(ran.table.rows) >= int(most)


def _is_of_a_whole(division: exp.Div) -> bool:
    whole = division.right.find(exp.Subquery)
    inner = whole.this if whole is not None else None
    if not isinstance(inner, exp.Select) or inner.args.get("group") is not None:
        return False
    return _added(division.left) is not None and _added(division.left) == _added(inner)


def _added(value: exp.Expr) -> str | None:
    """Return what a part or its whole adds up, so that the two can be told to be of one kind."""
    found = value.find(exp.Sum, exp.Count)
    if found is None:
        return None
    names = sorted(column.name.casefold() for column in found.find_all(exp.Column))
    return f"{type(found).__name__} {' '.join(names)}"
