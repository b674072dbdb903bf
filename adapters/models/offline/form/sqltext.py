"""Small pieces of SQL as trees: names quoted where they have to be, values by their column."""

from __future__ import annotations

import re

from sqlglot import exp

from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.world.schema import Column, Table

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_RESERVED = words_in("reserved")


class NotUnderstood(Exception):
    """A reading cannot be built; the message says what is missing, for the log and for tests."""


def identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=not _PLAIN.match(name) or name in _RESERVED)


def alias_of(table: str) -> str:
    return table.rsplit(".", 1)[-1]


def column_of(column: Column) -> exp.Expr:
    """Return a column; one that is computed stands for its formula.

    Raises:
        NotUnderstood: it was defined, and is no column.
    """
    if column.is_defined:
        raise NotUnderstood(f"{column.name} is no column")
    if column.formula:
        return _formula(column)
    return exp.Column(this=identifier(column.name), table=identifier(alias_of(column.table)))


def _formula(column: Column) -> exp.Expr:
    """Return quantity times price, less the discount where there is one."""
    quantity, price, *discount = (
        exp.Column(this=identifier(name), table=identifier(alias_of(column.table)))
        for name in column.formula
    )
    worth = exp.Mul(this=quantity, expression=price)
    if not discount:
        return worth
    rest = exp.Sub(
        this=exp.Literal.number(1),
        expression=exp.func("COALESCE", discount[0], exp.Literal.number(0)),
    )
    return exp.Mul(this=worth, expression=exp.Paren(this=rest))


def table_of(table: Table) -> exp.Table:
    *schema, name = table.name.split(".")
    db = identifier(".".join(schema)) if schema else None
    return exp.Table(this=identifier(name), db=db)


def number(value: float) -> exp.Expr:
    plain = f"{value:.15g}"
    return exp.Literal.number(plain) if "e" not in plain else exp.Literal.number(f"{value:f}")


def text(value: str) -> exp.Literal:
    return exp.Literal.string(value)


def value_for(column: Column, value: str) -> exp.Expr:
    """Return a value as the column's type writes it."""
    if column.is_boolean and value.lower() in {"true", "t", "1", "false", "f", "0"}:
        return truth_of(column, truth=value.lower() in {"true", "t", "1"})
    if column.is_number:
        try:
            return number(float(value))
        except ValueError:
            return text(value)
    return text(value)


_TRUE = frozenset({"1", "yes", "y", "true", "t"})


def truth_of(column: Column, *, truth: bool) -> exp.Expr:
    if re.search("bool", column.type, re.IGNORECASE):
        return exp.Boolean(this=truth)
    said = [value for value in column.values if (value.lower() in _TRUE) == truth]
    if said and not column.is_number:
        return text(said[0])
    return exp.Literal.number(int(truth))


def like(column: Column, pattern: str, value: str) -> exp.Expr:
    """Match a text whatever the letter case; `pattern` has a {} where the value goes."""
    escaped = value.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    expression: exp.Expr = exp.Like(
        this=exp.Lower(this=as_text(column)), expression=text(pattern.format(escaped))
    )
    if escaped != value.lower():
        expression = exp.Escape(this=expression, expression=text("\\"))
    return expression


def as_text(column: Column) -> exp.Expr:
    plain = column_of(column)
    return plain if column.is_text else exp.cast(plain, exp.DataType.Type.TEXT)


def as_number(column: Column) -> exp.Expr:
    plain = column_of(column)
    return plain if column.is_number else exp.cast(plain, exp.DataType.Type.DOUBLE)


def all_of(conditions: list[exp.Expr]) -> exp.Expr:
    return exp.and_(*conditions, copy=False) if conditions else exp.true()


def is_written_otherwise(column: Column, value: str) -> bool:
    """Say whether the column holds a value in other letter cases, too: `high` and `High`."""
    same = {each for each in column.values if each.lower() == value.lower()}
    return column.is_text and len(same | {value}) > 1


def folded(column: Column) -> exp.Expr:
    return exp.Lower(this=column_of(column))
