"""Where the columns of a statement come from, read from its tree."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.errors import NotPossible


def parsed(sql: str, catalog: Catalog) -> exp.Query:
    """Read one SELECT, with its CTEs and set operations.

    Raises:
        NotPossible: it is not one SELECT in the catalog's dialect.
    """
    tree = _one_statement(sql, catalog)
    if not isinstance(tree, exp.Query):
        raise NotPossible("That is not one SELECT.")
    return tree


def origins(sql: str, catalog: Catalog) -> dict[str, CatalogColumn]:
    """Return the catalog's column behind each result column that is a mere copy of one.

    A computed column has none, nor has one that two tables could have given.

    Raises:
        NotPossible: it is not one statement in the catalog's dialect.
    """
    tree = _one_statement(sql, catalog)
    scope = build_scope(tree) if isinstance(tree, exp.Query) else None
    return dict(_copied(scope, catalog)) if scope else {}


def _one_statement(sql: str, catalog: Catalog) -> exp.Expr:
    try:
        trees = [tree for tree in sqlglot.parse(sql, dialect=catalog.dialect) if tree]
    except (SqlglotError, ValueError, RecursionError) as error:
        raise NotPossible(f"That cannot be read as {catalog.dialect} SQL.") from error
    if len(trees) != 1:
        raise NotPossible("That is not one statement.")
    return trees[0]


def tables_read(tree: exp.Query, catalog: Catalog) -> tuple[CatalogTable, ...]:
    """Return the catalog's tables that a statement reads anywhere in it, each once."""
    names = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
    found = (
        find(each, catalog)
        for each in tree.find_all(exp.Table)
        if each.db or each.name not in names
    )
    return tuple({table.qualified_name: table for table in found if table}.values())


def find(table: exp.Table, catalog: Catalog) -> CatalogTable | None:
    name = f"{table.db}.{table.name}" if table.db else table.name
    return catalog.table(name)


def _copied(scope: Scope, catalog: Catalog) -> Iterator[tuple[str, CatalogColumn]]:
    query = scope.expression
    if not isinstance(query, exp.Query):
        return
    if scope.set_operation_scopes:
        yield from _copied(scope.set_operation_scopes[0], catalog)
        return
    for projection in query.selects:
        if projection.is_star:
            yield from _behind_star(projection, scope, catalog)
        elif found := _behind(projection.unalias(), scope, catalog):
            yield projection.alias_or_name, found


def _behind_star(
    star: exp.Expr, scope: Scope, catalog: Catalog
) -> Iterator[tuple[str, CatalogColumn]]:
    qualifier = star.text("table") if isinstance(star, exp.Column) else ""
    for name, source in _sources(scope):
        if not qualifier or qualifier == name:
            yield from _columns_of(source, catalog)


def _sources(scope: Scope) -> list[tuple[str, exp.Table | Scope]]:
    """Return what the FROM and the joins of a scope name; a CTE that is not named is none."""
    return [(name, source) for name, (_, source) in scope.selected_sources.items()]


def _columns_of(source: exp.Table | Scope, catalog: Catalog) -> Iterator[tuple[str, CatalogColumn]]:
    if isinstance(source, Scope):
        yield from _copied(source, catalog)
    elif table := find(source, catalog):
        yield from ((column.name, column) for column in table.columns)


def _behind(value: exp.Expr, scope: Scope, catalog: Catalog) -> CatalogColumn | None:
    if not isinstance(value, exp.Column):
        return None
    candidates = [
        found
        for name, source in _sources(scope)
        if value.table in ("", name)
        for found in [_in_source(value.name, source, catalog)]
        if found
    ]
    return candidates[0] if len(candidates) == 1 else None


def _in_source(name: str, source: exp.Table | Scope, catalog: Catalog) -> CatalogColumn | None:
    if isinstance(source, Scope):
        return dict(_copied(source, catalog)).get(name)
    table = find(source, catalog)
    return table.column(name) if table else None
