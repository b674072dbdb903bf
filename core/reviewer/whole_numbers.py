"""Which expressions can only give whole numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from core.domain.query import Dialect
from core.reviewer.ran import Ran, Stored

_Type = exp.DataType.Type
WHOLE_TYPES = frozenset(exp.DataType.INTEGER_TYPES)
_WHOLE = re.compile(r"(?:tiny|small|medium|big)?int(?:eger)?\d?|u?int\d+|(?:big|small)?serial")
_BIG = re.compile(r"bigint|int8|bigserial")
_DEEPEST = 40


def is_whole(value: exp.Expr, ran: Ran, depth: int = 0) -> bool:
    """Say whether the types prove that a value is a whole number; False where they do not."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, exp.Column):
        return _is_whole_column(value, ran, depth)
    if isinstance(value, exp.Sum):
        return _sums_whole(value, ran) and is_whole(value.this, ran, depth + 1)
    if isinstance(value, exp.Predicate):
        return True  # 1 or 0 wherever it can be added up
    if isinstance(value, exp.Literal | exp.Count | exp.CountIf | exp.Length | exp.Cast):
        return _is_plainly_whole(value)
    parts = next((read(value) for kind, read in _PARTS.items() if type(value) is kind), None)
    return bool(parts) and all(is_whole(each, ran, depth + 1) for each in parts or ())


def _is_plainly_whole(value: exp.Expr) -> bool:
    if isinstance(value, exp.Literal):
        return value.is_int and not value.is_string
    return not isinstance(value, exp.Cast) or value.to.this in WHOLE_TYPES


def _of_case(case: exp.Expr) -> list[exp.Expr]:
    values = [each.args["true"] for each in case.args["ifs"]]
    default = case.args.get("default")
    found = [*values, *([default] if default is not None else [])]
    return [each for each in found if not isinstance(each, exp.Null)]


def _first(value: exp.Expr) -> list[exp.Expr]:
    return [value.this]


def _both(value: exp.Expr) -> list[exp.Expr]:
    return [value.this, value.expression]


def _all(value: exp.Expr) -> list[exp.Expr]:
    return [value.this, *value.expressions]


# Which parts have to be whole for the whole to be so.
_PARTS: dict[type[exp.Expr], Callable[[exp.Expr], list[exp.Expr]]] = {
    exp.Paren: _first,
    exp.Neg: _first,
    exp.Abs: _first,
    exp.Min: _first,
    exp.Max: _first,
    exp.Filter: _first,
    exp.Window: _first,
    exp.Nullif: _first,
    exp.Distinct: lambda value: value.expressions,
    exp.Add: _both,
    exp.Sub: _both,
    exp.Mul: _both,
    exp.Mod: _both,
    exp.Div: lambda value: _both(value) if value.args.get("typed") else [exp.null()],
    exp.Coalesce: _all,
    exp.Case: _of_case,
    exp.Subquery: lambda value: _projection(value),
}


def _projection(value: exp.Expr) -> list[exp.Expr]:
    query = value.this
    return [query.selects[0].unalias()] if isinstance(query, exp.Select) and query.selects else []


def _is_whole_column(column: exp.Column, ran: Ran, depth: int) -> bool:
    found = ran.behind(column)
    if isinstance(found, Stored):
        return _WHOLE.fullmatch(found.column.type.casefold().partition("(")[0].strip()) is not None
    return found is not None and is_whole(found, ran, depth + 1)


def _sums_whole(total: exp.Sum, ran: Ran) -> bool:
    """Say whether the sum has an integer's type: PostgreSQL makes numeric of bigint's sums."""
    if ran.dialect not in {Dialect.POSTGRES, Dialect.REDSHIFT}:
        return True
    if total.this.find(exp.Count, exp.Sum) is not None:
        return False
    stored = [ran.stored(column) for column in total.find_all(exp.Column)]
    return all(each and not _BIG.search(each.column.type.casefold()) for each in stored)
