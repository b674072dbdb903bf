"""The first of a ranking within each group: `top 3 customers by revenue per region`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.sqltext import column_of, number
from adapters.models.offline.form.terms import folded_case, pieces_of
from adapters.models.offline.sketch.sketch import Field, Term

_PLACE = "place"


def first_within(frame: Frame, build: Callable[[Frame], exp.Select]) -> exp.Select:
    """Rank all rows within their group, and keep the first; those that are equal share a place.

    Raises:
        NotUnderstood: nothing says by what they are ranked.
    """
    sketch, limit = frame.sketch, frame.sketch.limit
    if sketch.within is None or limit is None or not sketch.order:
        raise NotUnderstood("nothing to rank by within a group")
    inner = sketch.copied()
    inner.items, inner.within = [sketch.within, *sketch.items], None
    inner.limit, inner.ranked, inner.explicit, inner.turned = None, True, False, ""
    whole = replace(frame, sketch=inner, core=[])
    query = _in_one_case(build(whole), whole, sketch.within)
    order = query.args.get("order")
    if not isinstance(order, exp.Order):
        raise NotUnderstood("nothing to rank by within a group")
    names = [each.alias_or_name for each in query.selects]
    parts = [each.copy() for each in _parts(sketch.within, query, whole)]
    place = exp.Window(this=exp.Anonymous(this="RANK"), partition_by=parts, order=order.copy())
    query.set("order", None)
    ranked = query.select(exp.alias_(place, _PLACE)).subquery("ranked")
    columns = [exp.column(exp.to_identifier(name)) for name in names]
    wanted = exp.LTE(this=exp.column(_PLACE), expression=number(limit + sketch.offset))
    return (
        exp.select(*columns)
        .from_(ranked)
        .where(wanted, *_after(sketch.offset))
        .order_by(columns[0].copy(), exp.column(_PLACE))
    )


def _in_one_case(query: exp.Select, frame: Frame, within: Term) -> exp.Select:
    """Make one group of names that differ by their letter case alone."""
    group = query.args.get("group")
    for piece in pieces_of(within, frame):
        same = folded_case(piece, frame)
        if same is piece:
            continue
        for each in group.expressions if isinstance(group, exp.Group) else ():
            if each == piece.sql:
                each.replace(same.sql.copy())
        for each in query.selects:
            if each == piece.sql:
                each.replace(exp.alias_(same.sql.copy(), piece.name))
    return query


def _parts(within: Term, query: exp.Select, frame: Frame) -> list[exp.Expr]:
    """Return what tells groups apart: the key of a table, whose names may occur twice."""
    shown = [folded_case(piece, frame).sql for piece in pieces_of(within, frame)]
    option = frame.option(within.mention) if isinstance(within, Field) else None
    if option is None or option.column is not None:
        return shown
    keys = [column_of(column) for column in option.table.key]
    group = query.args.get("group")
    grouped = group.expressions if isinstance(group, exp.Group) else keys
    return keys if keys and all(key in grouped for key in keys) else shown


def _after(offset: int) -> tuple[exp.Expr, ...]:
    return (exp.GT(this=exp.column(_PLACE), expression=number(offset)),) if offset else ()
