"""A statement that ran, with what it gave, as the checks look at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TypeVar

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import Cell, Table

_Node = TypeVar("_Node", bound=exp.Expr)
_COPIES = 20  # a chain of subqueries that hand a column on is followed so far


@dataclass(frozen=True, slots=True)
class Stored:
    """A column of a table of the catalog."""

    table: CatalogTable
    column: CatalogColumn


@dataclass(frozen=True)
class Ran:
    """`tree` is shared with others: checks look at it and change nothing."""

    tree: exp.Expr
    catalog: Catalog
    table: Table
    today: date

    @property
    def dialect(self) -> Dialect:
        return self.catalog.dialect

    @property
    def found_nothing(self) -> bool:
        """Say whether no row fits: there are none, or one that holds only zeros and NULLs."""
        rows = self.table.rows
        return not rows or (len(rows) == 1 and all(map(_is_nothing, rows[0])))

    @cached_property
    def _by_kind(self) -> dict[type[exp.Expr], list[exp.Expr]]:
        found: dict[type[exp.Expr], list[exp.Expr]] = {}
        for node in self.tree.walk():
            found.setdefault(type(node), []).append(node)
        return found

    def nodes(self, *kinds: type[_Node]) -> Iterator[_Node]:
        """Return the nodes of exactly these classes; cheap where there are none."""
        for kind in kinds:
            for node in self._by_kind.get(kind, ()):
                if isinstance(node, kind):
                    yield node

    @cached_property
    def _scopes(self) -> dict[int, Scope]:
        try:
            whole = build_scope(self.tree)
        except (SqlglotError, RecursionError):
            return {}
        return {id(each.expression): each for each in whole.traverse()} if whole else {}

    def sources(self, select: exp.Expr | None) -> dict[str, exp.Table | Scope]:
        """Return what FROM and the joins of a SELECT name, by alias."""
        scope = self._scopes.get(id(select))
        if scope is None:
            return {}
        return {name: source for name, (_, source) in scope.selected_sources.items()}

    def inner_queries(self, select: exp.Expr) -> Iterator[exp.Expr]:
        """Return the subqueries and WITH queries that a SELECT reads."""
        for source in self.sources(select).values():
            if isinstance(source, Scope):
                yield source.expression

    def inner_selects(self, select: exp.Expr) -> Iterator[exp.Select]:
        for query in self.inner_queries(select):
            if isinstance(query, exp.Select):
                yield query

    def table_of(self, source: exp.Table | Scope | None) -> CatalogTable | None:
        if not isinstance(source, exp.Table):
            return None
        return self.catalog.table(f"{source.db}.{source.name}" if source.db else source.name)

    def behind(self, column: exp.Column) -> Stored | exp.Expr | None:
        """Return what a column names: a stored one, or the expression of the subquery within."""
        for source in self._candidates(column):
            found = self._in_source(column.name, source)
            if found is not None:
                return found
        return None

    def stored(self, column: exp.Expr) -> Stored | None:
        """Follow a column through the subqueries that hand it on, to the table that has it."""
        for _ in range(_COPIES):
            if not isinstance(column, exp.Column):
                return None
            found = self.behind(column)
            if isinstance(found, Stored) or found is None:
                return found
            column = found
        return None

    def _candidates(self, column: exp.Column) -> Iterator[exp.Table | Scope]:
        sources = self.sources(column.find_ancestor(exp.Select))
        if column.table:
            if column.table in sources:
                yield sources[column.table]
            return
        having = [
            each for each in sources.values() if self._in_source(column.name, each) is not None
        ]
        if len(having) == 1:
            yield having[0]

    def _in_source(self, name: str, source: exp.Table | Scope) -> Stored | exp.Expr | None:
        if isinstance(source, Scope):
            inner = source.expression
            projections = inner.selects if isinstance(inner, exp.Select) else []
            folded = name.casefold()
            return next(
                (p.unalias() for p in projections if p.alias_or_name.casefold() == folded), None
            )
        table = self.table_of(source)
        column = table.column(name) if table else None
        return Stored(table, column) if table and column else None


def called(node: exp.Expr) -> str:
    """Return the name of a function as SQL has it, in lower case; empty for what is no call."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    return node.sql_name().lower() if isinstance(node, exp.Func) else ""


def conjuncts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """Return what has to hold at the same time, one by one, without their parentheses."""
    if isinstance(condition, exp.Where | exp.Having | exp.Paren):
        yield from conjuncts(condition.this)
    elif isinstance(condition, exp.And):
        for each in condition.flatten():
            yield from conjuncts(each)
    elif condition is not None:
        yield condition


def _is_nothing(cell: Cell) -> bool:
    return cell is None or (
        isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) and cell == 0
    )
