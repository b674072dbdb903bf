"""Functions in FROM: only those that make rows of their own arguments."""

from __future__ import annotations

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.dialects.lists import Functions
from core.sql.verdict import Refused

# The parser has classes for these; every other call in FROM is looked up by its name.
_MAKE_ROWS = (
    exp.Explode,
    exp.ExplodeOuter,
    exp.ExplodingGenerateSeries,
    exp.Flatten,
    exp.GenerateDateArray,
    exp.GenerateSeries,
    exp.GenerateTimestampArray,
    exp.Generator,
    exp.Inline,
    exp.JSONTable,
    exp.OpenJSON,
    exp.Posexplode,
    exp.PosexplodeOuter,
    exp.RegexpSplit,
    exp.Split,
    exp.SplitToTable,
    exp.Stack,
    exp.StrtokSplitToTable,
    exp.Unnest,
)

# Where any function may stand in FROM, the list of functions decides.
_ANY_FUNCTION = frozenset({Dialect.POSTGRES, Dialect.REDSHIFT})


def check_table_function(
    call: exp.Func, allowed: Functions, dialect: Dialect, *, schema: str
) -> None:
    """Refuse a function in FROM that could read something else than its arguments.

    Raises:
        Refused
    """
    name = (call.name if isinstance(call, exp.Anonymous) else call.sql_name()).lower()
    if schema and (schema.lower() != "pg_catalog" or dialect not in _ANY_FUNCTION):
        raise _not_allowed(f"{schema}.{name}")
    if isinstance(call, _MAKE_ROWS) or dialect in _ANY_FUNCTION:
        return  # what it calls is looked at like any other call
    if name not in allowed.tables:
        raise _not_allowed(name)


def _not_allowed(name: str) -> Refused:
    return Refused(
        "table-function",
        f"{name}() may not stand in FROM: it could read files, other servers or text as SQL. "
        "Read a table of the connection.",
    )
