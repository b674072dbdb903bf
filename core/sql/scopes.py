"""Which names in FROM are common table expressions, and which are relations.

The names of WITH hide real tables, but only where they are visible: in the body that WITH stands
before, in later expressions of the same WITH, and in themselves when they are recursive. A name
is compared as the engine compares it, so that WITH "PG_SHADOW" does not cover pg_shadow.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.recursion import RECURSE_UNASKED

_LOWERS = frozenset({Dialect.POSTGRES, Dialect.REDSHIFT})
_RAISES = frozenset({Dialect.SNOWFLAKE, Dialect.ORACLE})
_EXACT = frozenset({Dialect.MYSQL, Dialect.CLICKHOUSE})


def is_common(table: exp.Table, dialect: Dialect) -> bool:
    """Say whether a name in FROM is a common table expression that is visible there."""
    return common_expression(table, dialect) is not None


def common_expression(table: exp.Table, dialect: Dialect) -> exp.CTE | None:
    """Return the common table expression that a name in FROM means; None where it means none."""
    if table.args.get("db") is not None:
        return None
    name = folded(table.this, dialect)
    visible = _visible(table, dialect)
    return next((cte for cte in visible if name == folded(cte.args["alias"].this, dialect)), None)


def _visible(node: exp.Expr, dialect: Dialect) -> Iterator[exp.CTE]:
    below: exp.Expr = node
    above = node.parent
    while above is not None:
        if isinstance(above, exp.With):
            yield from _before(above, below, dialect)
            below, above = above, above.parent
            if above is None:
                return
        else:
            with_ = above.args.get("with_")
            if with_ is not None:
                yield from with_.expressions
        below, above = above, above.parent


def _before(with_: exp.With, own: exp.Expr, dialect: Dialect) -> Iterator[exp.CTE]:
    recursive = with_.args.get("recursive") or dialect in RECURSE_UNASKED
    for cte in with_.expressions:
        if cte is own:
            if recursive:
                yield cte
            return
        yield cte


def folded(identifier: object, dialect: Dialect) -> str:
    """Return a name as the engine compares it; nothing of what is no name."""
    if not isinstance(identifier, exp.Identifier):
        return ""
    name = identifier.name
    if dialect in _EXACT:
        return name
    if dialect in _LOWERS:
        return name if identifier.quoted else name.lower()
    if dialect in _RAISES:
        return name if identifier.quoted else name.upper()
    return name.lower()
