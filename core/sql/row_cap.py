"""A cap on the rows of a result, written into the tree in the engine's own form.

The cap is one row more than asked for, so that whoever fetches sees that there were more. It goes
around or onto the outermost query, never into an aggregate or an arm of a set operation.
"""

from __future__ import annotations

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.growth import constant


def capped(tree: exp.Expr, *, rows: int, dialect: Dialect) -> exp.Expr:
    """Return the query with at most `rows` + 1 rows; the tree may be changed on the way."""
    if isinstance(tree, exp.Select) and tree.args.get("format") is not None:
        tree.set("format", None)  # how rows travel is the door's business
    most = rows + 1
    if isinstance(tree, exp.Values):
        return tree if len(tree.expressions) <= most else _around(tree, most)
    if isinstance(tree, exp.Subquery) or not isinstance(tree, exp.Select | exp.SetOperation):
        return _around(tree, most)
    return _onto(tree, most, dialect)


def _onto(tree: exp.Select | exp.SetOperation, most: int, dialect: Dialect) -> exp.Expr:
    limit = tree.args.get("limit")
    if limit is None or _is_no_limit(limit):
        tree.set("limit", None)
        return _in_tsql(tree, most) if dialect is Dialect.TSQL else tree.limit(most, copy=False)
    own = _own_limit(limit)
    if own is None:
        return _around(tree, most)
    if own > most:
        count = exp.Literal.number(most)
        limit.set("count" if isinstance(limit, exp.Fetch) else "expression", count)
    return tree


def _is_no_limit(limit: exp.Expr) -> bool:
    """Say whether this is LIMIT ALL, LIMIT NULL or, in SQLite, a negative number."""
    count = limit.args.get("expression")
    if isinstance(count, exp.Null) or (isinstance(count, exp.Var) and count.name.upper() == "ALL"):
        return True
    own = constant(count)
    return own is not None and own < 0


def _own_limit(limit: exp.Expr) -> float | None:
    """Return a plain number of rows; None for a share, ties, or anything computed."""
    if isinstance(limit, exp.Fetch):
        options = limit.args.get("limit_options")
        plain = options is None or not (
            options.args.get("percent") or options.args.get("with_ties")
        )
        return constant(limit.args.get("count")) if plain else None
    if limit.args.get("limit_options") is not None or limit.expressions:
        return None
    return constant(limit.args.get("expression"))


def _in_tsql(tree: exp.Select | exp.SetOperation, most: int) -> exp.Expr:
    """Use TOP where it may stand, else FETCH, which needs an order."""
    if tree.args.get("for_") is not None:
        return tree  # one row of text; TOP would cut what it is made of
    ordered = tree.args.get("order") is not None
    if tree.args.get("offset") is not None or (ordered and isinstance(tree, exp.SetOperation)):
        if tree.args.get("offset") is None:
            tree.set("offset", exp.Offset(expression=exp.Literal.number(0)))
        tree.set("limit", exp.Fetch(direction="FIRST", count=exp.Literal.number(most)))
        return tree
    if isinstance(tree, exp.Select):
        return tree.limit(most, copy=False)
    return _around(tree, most)


def _around(tree: exp.Expr, most: int) -> exp.Expr:
    bare = isinstance(tree, exp.Subquery) and not any(
        value for name, value in tree.args.items() if name != "this"
    )
    source = tree if bare else exp.Subquery(this=tree)
    source.set("alias", exp.TableAlias(this=exp.to_identifier("capped")))
    return exp.select("*").from_(source, copy=False).limit(most, copy=False)
