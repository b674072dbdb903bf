"""What the text of a checked query tells where a plan is silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import prod

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from core.domain.query import Dialect


@lru_cache(maxsize=32)
def tables_named(sql: str, dialect: Dialect) -> tuple[str, ...] | None:
    """Return the tables that a query names, with their schema where it does; None if unclear."""
    tree = _parsed(sql, dialect)
    if tree is None:
        return None
    local = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    found = (table for table in tree.find_all(exp.Table) if table.name)
    return tuple(
        f"{table.db}.{table.name}" if table.db else table.name
        for table in found
        if table.db or table.name.casefold() not in local
    )


def rows_multiplied(sql: str, dialect: Dialect, read: Mapping[str, float]) -> float:
    """Return the rows that joins without a condition make of the rows read; 0 if there are none.

    read: the rows of each table, those of one that is joined with itself added up
    """
    if not _multiplies(sql, dialect):
        return 0.0
    times = Counter(tables_named(sql, dialect) or ())
    parts = ((rows, times[name] or 1) for name, rows in read.items())
    return prod(max(1.0, rows / count) ** count for rows, count in parts)


@lru_cache(maxsize=32)
def _multiplies(sql: str, dialect: Dialect) -> bool:
    """Say whether a query joins relations without any condition; unclear counts as yes."""
    tree = _parsed(sql, dialect)
    return tree is None or any(_lacks_conditions(each) for each in tree.find_all(exp.Select))


def _lacks_conditions(select: exp.Select) -> bool:
    bare = [join for join in select.args.get("joins") or () if _is_bare(join)]
    where = select.args.get("where")
    return len(bare) > (len(_links(where)) if where else 0)


def _is_bare(join: exp.Join) -> bool:
    conditioned = join.args.get("on") or join.args.get("using") or join.args.get("method")
    return not conditioned and not isinstance(join.this, exp.Unnest | exp.Lateral)


def _links(where: exp.Expr) -> list[exp.EQ]:
    """Return what ties two relations together in a WHERE: columns of both that must be equal."""
    pairs = ((each, each.left, each.right) for each in where.find_all(exp.EQ))
    return [
        each
        for each, left, right in pairs
        if isinstance(left, exp.Column) and isinstance(right, exp.Column)
        if left.table != right.table or not left.table
    ]


def _parsed(sql: str, dialect: Dialect) -> exp.Expr | None:
    try:
        return parse_one(sql, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
