"""Calls of functions: by name, with a schema or a value before a dot, with endings, with counts."""

from __future__ import annotations

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.growth import GROWING_NAMES, check_growth
from core.sql.statement import Statement
from core.sql.token_checks import not_allowed
from core.sql.verdict import Refused


def look_at_call(node: exp.Expr, statement: Statement) -> None:
    name = name_of_call(node)
    if statement.dialect is Dialect.CLICKHOUSE:
        look_at_combined(node, statement)
    elif name not in statement.allowed.names:
        raise not_allowed(name)
    named = node.this
    if isinstance(named, exp.Identifier) and named.quoted:
        # The writer changes its case, and quoted it is another function then.
        raise Refused("function", f"Write the name of {named.name}() without quotes.")
    statement.called.add(name)
    if name in GROWING_NAMES:
        check_growth(node, name)


def look_at_combined(node: exp.Expr, statement: Statement) -> None:
    """Judge ClickHouse's aggregates with endings: sumIf is a sum, uniqExactArrayIf a uniqExact."""
    name = name_of_call(node)
    base = name
    while base not in statement.allowed.names:
        shorter = next((base[: -len(e)] for e in _COMBINATORS if base.endswith(e)), "")
        if not shorter:
            raise not_allowed(name)
        base = shorter
    statement.called.add(name)
    statement.named.add(name)


_COMBINATORS = (
    "argmax",
    "argmin",
    "array",
    "distinct",
    "foreach",
    "if",
    "map",
    "merge",
    "ordefault",
    "ornull",
    "resample",
    "simplestate",
    "state",
)


def look_at_growing(node: exp.Expr, statement: Statement) -> None:
    name = name_of_call(node)
    statement.called.add(name)
    statement.multiplies = True
    check_growth(node, name)


def note_call(node: exp.Expr, statement: Statement) -> None:
    statement.builtins.add(type(node))


def name_of_call(node: exp.Expr) -> str:
    """Return the name of a call in lower letters, as the parser or the text has it."""
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return node.name.lower()
    named = node.args.get("this")
    if isinstance(node, exp.ParameterizedAgg | exp.CombinedAggFunc | exp.CombinedParameterizedAgg):
        return (named.name if isinstance(named, exp.Expr) else str(named)).lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else ""


# Calls behind a dot


def look_at_dot(node: exp.Expr, statement: Statement) -> None:
    """Let fields of structs through, and functions behind the names that mean the engine itself."""
    right = node.args.get("expression")
    left = node.this
    if isinstance(right, exp.Func):
        _check_qualified_call(left, right, statement)
    elif statement.dialect in _FUNCTIONS_AS_FIELDS and not _is_row_of_builtin(left, right):
        raise Refused(
            "function.as-field",
            "Fields of expressions are not read here: the same spelling calls functions. Select "
            "the column in a subquery instead.",
        )


def _check_qualified_call(left: object, right: exp.Func, statement: Statement) -> None:
    prefix = left.name.lower() if isinstance(left, exp.Identifier) else ""
    if prefix in _ENGINE_PREFIXES.get(statement.dialect, frozenset[str]()):
        return
    if statement.dialect is Dialect.DUCKDB and prefix not in {"main", "public", "temp"}:
        return  # a method: name.upper() is upper(name)
    if statement.dialect is Dialect.TSQL and not prefix and right.name.lower() in _XML_METHODS:
        return
    called = f"{prefix}.{name_of_call(right)}" if prefix else name_of_call(right)
    if called in statement.allowed.names:
        return
    raise Refused(
        "function",
        f"The function {called}() is not allowed. Use a built-in function without a schema.",
    )


_ENGINE_PREFIXES = {
    Dialect.POSTGRES: frozenset({"pg_catalog"}),
    Dialect.REDSHIFT: frozenset({"pg_catalog"}),
    Dialect.BIGQUERY: frozenset({"safe"}),
}
_XML_METHODS = frozenset({"value", "query", "exist"})
_FUNCTIONS_AS_FIELDS = frozenset({Dialect.POSTGRES, Dialect.MYSQL, Dialect.SQLITE})


def _is_row_of_builtin(left: object, right: object) -> bool:
    """Accept (jsonb_each(x)).key: the row of a built-in function has no fields of others."""
    inner = left.unnest() if isinstance(left, exp.Paren) else None
    if isinstance(right, exp.Star):
        return isinstance(inner, exp.Func)
    name = right.name.lower() if isinstance(right, exp.Expr) else ""
    return isinstance(inner, exp.Func) and name in {"key", "value", "lexeme", "positions", "word"}
