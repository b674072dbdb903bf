"""One walk over a parsed statement: every node is known, and the ones with a catch are looked at.

A class of node that the guard does not know is refused. What needs the whole statement (names,
recursion, products) is collected on the way and judged in `core.sql.inspection`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.calls import (
    look_at_call,
    look_at_combined,
    look_at_dot,
    look_at_growing,
    name_of_call,
    note_call,
)
from core.sql.cross_joins import is_unlinked
from core.sql.dialects.lists import known_nodes
from core.sql.growth import GROWING_TYPES, constant
from core.sql.recursion import RECURSE_UNASKED, begins_from_nothing, check_connect
from core.sql.relations import is_system_name
from core.sql.statement import Statement
from core.sql.table_functions import check_table_function
from core.sql.verdict import Refused

MOST_NODES = 30_000


def walk(tree: exp.Expr, statement: Statement) -> None:
    """Look at every node once.

    Raises:
        Refused
    """
    nodes = 0
    for node in tree.walk():
        nodes += 1
        look = _LOOK.get(type(node), _unknown)
        if look is not None:
            look(node, statement)
    if nodes > MOST_NODES:
        raise Refused(
            "size.nodes",
            f"The statement has {nodes:,} parts, more than {MOST_NODES:,}. Write a shorter one.",
        )


# Nodes that are not known


def _unknown(node: exp.Expr, _: Statement) -> None:
    rule, what = _REASONS.get(type(node), ("node", ""))
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).lower()
    raise Refused(rule, what or f"{name.capitalize()} is not allowed in a query. Leave it out.")


_VARIABLE = "Variables (@x, @@x) are not allowed. Write the value itself."
_ONLY_READS = "Only a SELECT may run here, and no part of it may change or set anything."
_SEQUENCE = "Sequences are not read: reading one changes it. Leave it out."
_SESSION = "Functions that tell of the session or account are not allowed. Leave it out."
_REASONS: dict[type[exp.Expr], tuple[str, str]] = {
    exp.SessionParameter: ("variable", _VARIABLE),
    exp.Placeholder: ("placeholder", "Placeholders are not filled here. Write the value itself."),
    exp.NextValueFor: ("sequence", _SEQUENCE),
    exp.Hint: ("hint", "Optimizer hints are not allowed. Leave it out."),
    exp.IndexTableHint: ("hint", "Index hints are not allowed. Leave it out."),
    exp.JoinHint: ("hint", "Join hints are not allowed. Leave it out."),
    exp.Lock: ("lock", "Locking reads (FOR UPDATE, FOR SHARE) are not allowed. Leave it out."),
    exp.Into: ("into", "SELECT ... INTO is not allowed. Leave INTO out."),
    exp.Operator: ("operator", "OPERATOR(...) is not allowed. Use a built-in operator."),
    exp.ObjectIdentifier: (
        "cast",
        "Casts to names of database objects are not allowed. Compare with the text instead.",
    ),
    exp.QueryTransform: ("node", "TRANSFORM ... USING runs programs and is not allowed."),
    exp.MatchRecognize: ("node", "MATCH_RECOGNIZE is not read here. Use window functions instead."),
    exp.DynamicIdentifier: ("relation.dynamic", "IDENTIFIER() is not allowed. Write the name."),
    exp.SessionUser: ("function.session", _SESSION),
    exp.CurrentUser: ("function.session", _SESSION),
    exp.Command: ("not-a-query", _ONLY_READS),
    exp.Insert: ("not-a-query", _ONLY_READS),
    exp.Update: ("not-a-query", _ONLY_READS),
    exp.Delete: ("not-a-query", _ONLY_READS),
    exp.Merge: ("not-a-query", _ONLY_READS),
}


# Queries


def _query(node: exp.Expr, _: Statement) -> None:
    args = node.args
    if isinstance(node, exp.Select) and not node.expressions:
        raise Refused("syntax", "A SELECT needs at least one column. Say which, or write *.")
    for name, rule, what in _REFUSED_CLAUSES:
        if args.get(name):
            raise Refused(rule, what)
    for option in args.get("options") or ():
        _check_option(option)


_REFUSED_CLAUSES = (
    ("into", "into", "SELECT ... INTO is not allowed. Leave INTO out."),
    ("locks", "lock", "Locking reads (FOR UPDATE, FOR SHARE) are not allowed. Leave it out."),
    ("settings", "settings", "SETTINGS are not allowed in a query. Leave them out."),
    ("hint", "hint", "Optimizer hints are not allowed. Leave it out."),
    (
        "operation_modifiers",
        "hint",
        "Words between SELECT and the columns that steer the server are not allowed. "
        "Leave them out.",
    ),
    ("match", "node", "MATCH_RECOGNIZE is not read here. Use window functions instead."),
)


def _check_option(option: exp.Expr) -> None:
    steps = constant(option.args.get("expression"))
    if option.name.upper() != "MAXRECURSION" or not steps or steps > _MOST_RECURSION:
        raise Refused(
            "hint",
            "Of OPTION (...) only MAXRECURSION from 1 to 32767 is allowed. Leave the rest out.",
        )


_MOST_RECURSION = 32_767


def _with(node: exp.Expr, statement: Statement) -> None:
    ctes = [each for each in node.expressions if isinstance(each, exp.CTE)]
    statement.ctes.extend(ctes)
    asked = node.args.get("recursive") or statement.dialect in RECURSE_UNASKED
    statement.recursive.extend(each for each in ctes if asked or begins_from_nothing(each))
    for cte in ctes:
        if is_system_name(cte.alias.lower()):
            raise Refused(
                "relation.system",
                f"{cte.alias!r} is a name of the database system. Use another one in WITH.",
            )


def _for(node: exp.Expr, _: Statement) -> None:
    if str(node.args.get("kind")).upper() not in {"XML", "JSON"}:
        raise Refused("hint", "Of the FOR clauses only FOR XML and FOR JSON are allowed.")


def _alias(node: exp.Expr, statement: Statement) -> None:
    name = node.name.lower()
    statement.sources.add(name)
    if node.args.get("columns"):
        statement.named.add(name)


def _join(node: exp.Expr, statement: Statement) -> None:
    if node.args.get("hint"):
        raise Refused(*_REASONS[exp.JoinHint])
    if isinstance(node, exp.Join) and is_unlinked(node):
        statement.multiplies = True


def _connect(node: exp.Expr, _: Statement) -> None:
    if isinstance(node, exp.Connect):
        check_connect(node)


def _table_hint(node: exp.Expr, _: Statement) -> None:
    names = {each.name.upper() for each in node.expressions}
    if not names <= {"NOLOCK", "READUNCOMMITTED"}:
        raise Refused("hint", "Table hints other than NOLOCK are not allowed. Leave it out.")


# Relations


def _table(node: exp.Expr, statement: Statement) -> None:
    args = node.args
    inner = args.get("this")
    for name in ("format", "pattern", "changes", "indexed"):
        if args.get(name):
            raise Refused(
                "relation.file",
                "Stages, change feeds and index hints are not read. Use a table of the connection.",
            )
    if isinstance(inner, exp.Identifier):
        statement.sources.add(inner.name.lower())
        statement.tables.append(node)  # pyright: ignore[reportArgumentType] -- called for tables
    elif isinstance(inner, exp.Func):
        statement.sources.add(name_of_call(inner))  # as in json_each.value
        check_table_function(inner, statement.allowed, statement.dialect, schema=node.text("db"))
        statement.multiplies = True
    elif not args.get("rows_from"):
        raise Refused(
            "relation.odd",
            "Only tables by their names stand in FROM: no stage, variable, literal or link. "
            "Use a table of the connection.",
        )


def _rows_of(node: exp.Expr, statement: Statement) -> None:
    inner = node.args.get("this")
    if isinstance(inner, exp.Query | exp.Table | exp.Unnest | exp.Column | exp.Bracket):
        return
    if not isinstance(inner, exp.Func):
        raise Refused(
            "relation.odd", "TABLE(...) takes a function here. Write the name of a table alone."
        )
    check_table_function(inner, statement.allowed, statement.dialect, schema="")


# Names and values


def _column(node: exp.Expr, statement: Statement) -> None:
    identifier = node.args.get("this")
    if type(identifier) is not exp.Identifier:
        return  # a star, or a position that is looked at by itself
    name = identifier.name
    lower = name.lower()
    if node.args.get("table") is not None:
        statement.columns.append(node)  # pyright: ignore[reportArgumentType] -- called for columns
        if lower in _SEQUENCE_WORDS:
            raise Refused("sequence", _SEQUENCE)
    elif lower in _SESSION_WORDS.get(statement.dialect, _ALWAYS_SESSION_WORDS):
        if not identifier.args.get("quoted"):
            raise Refused("function.session", _SESSION)
    if "@" in name or name.startswith("$"):
        raise Refused("placeholder", f"{name!r} is no column. Write the value or the name itself.")


_SEQUENCE_WORDS = frozenset({"nextval", "currval"})
_ALWAYS_SESSION_WORDS = frozenset(
    {"current_role", "current_user", "current_user_id", "session_user", "system_user"}
)
_SESSION_WORDS = {
    Dialect.POSTGRES: _ALWAYS_SESSION_WORDS | {"user"},
    Dialect.REDSHIFT: _ALWAYS_SESSION_WORDS | {"user"},
    Dialect.ORACLE: _ALWAYS_SESSION_WORDS | {"user", "uid"},
}


def _data_type(node: exp.Expr, _: Statement) -> None:
    if node.this is exp.DType.USERDEFINED:
        kind = node.args.get("kind")
        name = kind.sql() if isinstance(kind, exp.Expr) else str(kind)
        if name.lower() not in _EXTENSION_TYPES:
            raise Refused(
                "cast",
                f"{name!r} is no built-in type, and a cast to it may run code. Cast to text, "
                "number, date or timestamp, or compare without a cast.",
            )


_EXTENSION_TYPES = frozenset({"citext", "hstore", "ltree", "bignum", "int128", "signed"})


def _assignment(node: exp.Expr, _: Statement) -> None:
    if isinstance(node.this, exp.Parameter | exp.SessionParameter):
        raise Refused("variable", _VARIABLE)


def _arrow(node: exp.Expr, statement: Statement) -> None:
    path = node.args.get("expression")
    if statement.dialect is Dialect.SNOWFLAKE and isinstance(path, exp.Column):
        raise Refused(
            "arrow", "The operator ->> chains statements in Snowflake. Use column:path instead."
        )


def _among(node: exp.Expr, statement: Statement) -> None:
    """Refuse x IN name where that reads the table of the name."""
    named = node.args.get("field")
    only = node.expressions[0] if len(node.expressions) == 1 else None
    if statement.dialect is Dialect.CLICKHOUSE and isinstance(only, exp.Column):
        named = only  # brackets around one name mean nothing there
    if isinstance(named, exp.Column) and statement.dialect is not Dialect.DUCKDB:
        raise Refused(
            "relation.odd",
            f"IN takes a list or a query here. Put a query on {named.name!r} in parentheses.",
        )


def _parameter(node: exp.Expr, statement: Statement) -> None:
    """Let $1 through, which is Snowflake's first column of a row without names."""
    position = node.args.get("this")
    if statement.dialect is not Dialect.SNOWFLAKE or not isinstance(position, exp.Literal):
        raise Refused("variable", _VARIABLE)


_Look = Callable[[exp.Expr, Statement], None]
_WATCHED: dict[type[exp.Expr], _Look] = {
    exp.Select: _query,
    exp.Union: _query,
    exp.Except: _query,
    exp.Intersect: _query,
    exp.Subquery: _query,
    exp.With: _with,
    exp.TableAlias: _alias,
    exp.Join: _join,
    exp.Connect: _connect,
    exp.ForClause: _for,
    exp.WithTableHint: _table_hint,
    exp.Table: _table,
    exp.TableFromRows: _rows_of,
    exp.Lateral: _rows_of,
    exp.Column: _column,
    exp.Parameter: _parameter,
    exp.DataType: _data_type,
    exp.Dot: look_at_dot,
    exp.In: _among,
    exp.PropertyEQ: _assignment,
    exp.JSONExtractScalar: _arrow,
    exp.JSONExtract: _arrow,
    exp.Anonymous: look_at_call,
    exp.AnonymousAggFunc: look_at_call,
    exp.ParameterizedAgg: look_at_combined,
    exp.CombinedAggFunc: look_at_combined,
    exp.CombinedParameterizedAgg: look_at_combined,
    **dict.fromkeys(GROWING_TYPES, look_at_growing),
}
_SYNTAX: tuple[type[exp.Expr], ...] = (
    exp.And,
    exp.Or,
    exp.Xor,
    exp.Case,
    exp.If,
    exp.Cast,
    exp.TryCast,
    exp.Exists,
)
_LOOK: dict[type[exp.Expr], _Look | None] = {
    **{
        each: note_call if issubclass(each, exp.Func) and each not in _SYNTAX else None
        for each in known_nodes()
    },
    **_WATCHED,
}
