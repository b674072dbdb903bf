"""NOT IN over values with a NULL among them, which holds for no row at all."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran, conjuncts
from core.reviewer.remark import Remark


def null_in_not_in(ran: Ran) -> Iterator[Remark]:
    """Find NOT IN with a NULL; one that only may be there counts where nothing was found."""
    for listed in ran.nodes(exp.In):
        if not isinstance(listed.parent, exp.Not):
            continue
        if any(isinstance(each, exp.Null) for each in listed.expressions):
            yield _remark(listed, "holds a NULL", ran)
        elif ran.found_nothing and _is_main_filter(listed.parent, ran):
            name = _nullable(listed, ran)
            if name:
                yield _remark(listed, f"may hold NULLs ({name})", ran)


def _remark(listed: exp.In, why: str, ran: Ran) -> Remark:
    tested = listed.this.sql(dialect=ran.dialect)
    return Remark(
        f"What {tested} must not be IN {why}, and then NOT IN holds for no row:"
        " leave NULLs out, or use NOT EXISTS.",
        for_reader=True,
    )


def _is_main_filter(condition: exp.Expr, ran: Ran) -> bool:
    return isinstance(ran.tree, exp.Select) and any(
        each is condition for each in conjuncts(ran.tree.args.get("where"))
    )


def _nullable(listed: exp.In, ran: Ran) -> str:
    """Name the column of the subquery that may be NULL; empty where none is known to."""
    query = listed.args.get("query")
    select = query.this if isinstance(query, exp.Subquery) else query
    if not isinstance(select, exp.Select) or not select.selects:
        return ""
    value = select.selects[0].unalias()
    stored = ran.stored(value)
    if stored is None or not stored.column.nullable:
        return ""
    name = stored.column.name
    if name in stored.table.primary_key or _is_filtered(value, select):
        return ""
    return f"{stored.table.qualified_name}.{name}"


def _is_filtered(value: exp.Expr, select: exp.Select) -> bool:
    """Say whether a condition on the very column keeps its NULLs out: any but IS NULL does."""
    return any(
        any(column == value for column in each.find_all(exp.Column))
        for each in conjuncts(select.args.get("where"))
        if not isinstance(each, exp.Is | exp.Or)
    )
