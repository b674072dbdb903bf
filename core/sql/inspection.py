"""Everything that is judged on one tree, in one place: nodes, names, recursion, products."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from core.domain.names import unknown_name
from core.domain.query import Dialect
from core.sql.cross_joins import check_products
from core.sql.dialects.lists import Functions
from core.sql.recursion import check_recursion
from core.sql.relations import Relations, parts_of
from core.sql.rules import walk
from core.sql.scopes import is_common
from core.sql.statement import Statement
from core.sql.verdict import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What an allowed tree reads and calls.

    relations: each name once, as the query qualifies it
    reads: every relation as often as it is read, by the catalog's name where it has one
    named: names that the statement itself gives, which stand before a list of columns
    makes_rows: it makes rows that no table holds
    """

    relations: tuple[str, ...]
    reads: tuple[str, ...]
    functions: tuple[str, ...]
    named: frozenset[str]
    makes_rows: bool


def inspect(tree: exp.Expr, relations: Relations, allowed: Functions) -> Inspection:
    """Judge a tree.

    Raises:
        Refused
    """
    statement = Statement(relations.dialect, allowed)
    walk(tree, statement)
    common = {cte.alias.lower(): cte for cte in statement.ctes}
    read = [
        relations.check(table)
        for table in statement.tables
        if not (table.name.lower() in common and is_common(table, relations.dialect))
    ]
    for cte in statement.recursive:
        check_recursion(cte)
    if statement.multiplies:
        check_products(tree, common=common)
    _check_columns(statement, relations)
    return Inspection(
        relations=tuple(sorted({each.name for each in read})),
        reads=tuple(each.known_as for each in read),
        functions=statement.functions,
        named=frozenset(statement.named),
        makes_rows=statement.multiplies or bool(statement.recursive),
    )


def _check_columns(statement: Statement, relations: Relations) -> None:
    if relations.dialect not in _QUALIFIED_BY_SOURCES:
        return
    for column in statement.columns:
        _check_qualifier(column, statement)
        if relations.dialect in _COLUMNS_CALL:
            _check_column(column, relations)


# There, what stands before a column is a relation; elsewhere it may be a column with fields.
_QUALIFIED_BY_SOURCES = frozenset(
    {Dialect.POSTGRES, Dialect.MYSQL, Dialect.SQLITE, Dialect.TSQL, Dialect.ORACLE}
)


def _check_qualifier(column: exp.Column, statement: Statement) -> None:
    name = column.table
    if name.lower() not in statement.sources:
        raise Refused("column", unknown_name("table or alias", name, sorted(statement.sources)))


# There, alias.name calls the function `name` on the row where the relation has no such column.
_COLUMNS_CALL = frozenset({Dialect.POSTGRES})
_OF_EVERY_TABLE = frozenset({"ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"})


def _check_column(column: exp.Column, relations: Relations) -> None:
    table = _source(column)
    if table is None or relations.catalog is None or is_common(table, relations.dialect):
        return
    found = relations.find(parts_of(table))
    name = column.name
    if found is None or found.column(name) is not None or name in _OF_EVERY_TABLE:
        return
    known = (each.name for each in found.columns)
    raise Refused("column", unknown_name(f"column of {found.qualified_name}", name, known))


def _source(column: exp.Column) -> exp.Table | None:
    """Return the relation that qualifies a column; None where it is no plain relation."""
    alias = column.table.lower()
    select = column.find_ancestor(exp.Select)
    while select is not None:
        from_ = select.args.get("from_")
        joins = select.args.get("joins") or ()
        for each in (from_, *joins):
            source = each.this if each is not None else None
            if isinstance(source, exp.Expr) and source.alias_or_name.lower() == alias:
                return _plain(source)
        select = select.find_ancestor(exp.Select)
    return None


def _plain(source: exp.Expr) -> exp.Table | None:
    if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
        return source
    return None
