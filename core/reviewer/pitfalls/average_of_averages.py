"""Averages of groups that are averaged again, each counting the same whatever its size."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.table import ColumnKind
from core.reviewer.ran import Ran, Stored, called
from core.reviewer.remark import Remark
from core.toolkit.column_kinds import is_named_as_id

_MERE_FORM = (exp.Round, exp.Cast, exp.Coalesce, exp.Paren, exp.Alias)
_STEPS = 10


def average_of_averages(ran: Ran) -> Iterator[Remark]:
    """Find the mean of a column that is itself the mean of groups."""
    for mean in ran.nodes(exp.Avg):
        if mean.find_ancestor(exp.Window) is not None:
            continue
        inner = _made_by(mean.this, ran)
        if isinstance(inner, exp.Div) and _is_of_periods(inner, ran):
            continue  # the mean of monthly rates is a figure of its own
        if inner is not None and _is_mean(inner) and _is_of_groups(inner, ran):
            yield Remark(
                f"{mean.sql(dialect=ran.dialect)} averages averages: every group counts the same,"
                " however many rows it has. For the average over all rows, average the rows.",
                for_reader=True,
            )


def _made_by(value: exp.Expr, ran: Ran) -> exp.Expr | None:
    """Follow a value to the expression that first makes it, past rounding and renaming."""
    at: exp.Expr = value
    for _ in range(_STEPS):
        if isinstance(at, exp.Column):
            found = ran.behind(at)
            if found is None or isinstance(found, Stored):
                return None
            at = found
        elif isinstance(at, _MERE_FORM):
            at = at.this
        elif called(at) == "round" and at.expressions:
            at = at.expressions[0]  # where the parser keeps the call as it is written
        else:
            return at
    return None


def _is_mean(value: exp.Expr) -> bool:
    """Say whether a value is an average, or one total divided by another."""
    if isinstance(value, exp.Div):
        return all(side.find(exp.Sum, exp.Count) for side in (value.left, value.right))
    return isinstance(value, exp.Avg)


def _is_of_periods(mean: exp.Expr, ran: Ran) -> bool:
    select = mean.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    keys = [_as_selected(each, select) for each in group.expressions] if group else []
    return any(
        stored is not None and stored.column.kind is ColumnKind.TIME
        for key in keys
        for column in key.find_all(exp.Column)
        for stored in (ran.stored(column),)
    )


def _is_of_groups(mean: exp.Expr, ran: Ran) -> bool:
    """Say whether it is the mean of groups; that of each single thing may well be averaged."""
    select = mean.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    if group is None:
        return False
    return not any(_is_key(_as_selected(each, select), ran) for each in group.expressions)


def _is_key(value: exp.Expr, ran: Ran) -> bool:
    if is_named_as_id(value.name):
        return True
    stored = ran.stored(value)
    return stored is not None and (stored.column.name,) == stored.table.primary_key


def _as_selected(key: exp.Expr, select: exp.Select | None) -> exp.Expr:
    """Return what GROUP BY 1 stands for."""
    if select is None or not isinstance(key, exp.Literal) or not key.is_int:
        return key
    at = int(key.name) - 1
    return select.selects[at].unalias() if at < len(select.selects) else key
