"""Where the columns of a statement come from, read from its tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope, find_all_in_scope

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.errors import NotPossible
from core.sql.reading import tree_of


@dataclass(frozen=True, slots=True)
class Stored:
    """A column of a table of the catalog."""

    table: CatalogTable
    column: CatalogColumn

    def __str__(self) -> str:
        return f"{self.table.qualified_name}.{self.column.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A column of a result: the expression that first makes it, and what is behind it.

    `copied`: it is the stored column itself, handed on without a computation.
    """

    name: str
    value: exp.Expr
    stored: tuple[Stored, ...]
    copied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What rows or groups have to fulfil; `joined` is the table that a join adds, else empty."""

    holds: exp.Expr
    stored: tuple[Stored, ...]
    joined: str = ""


def parsed(sql: str, catalog: Catalog) -> exp.Query:
    """Read one SELECT, with its CTEs and set operations.

    Raises:
        NotPossible: it is not one SELECT in the catalog's dialect.
    """
    tree = tree_of(sql, catalog.dialect)
    if not isinstance(tree, exp.Query):
        raise NotPossible("That is not one SELECT.")
    return tree


def origins(sql: str, catalog: Catalog) -> dict[str, CatalogColumn]:
    """Return the catalog's column behind each result column that is a mere copy of one.

    A computed column has none, nor has one that two tables could have given.

    Raises:
        NotPossible: it is not one statement in the catalog's dialect.
    """
    return {name: stored.column for name, stored in copies(sql, catalog).items()}


def copies(sql: str, catalog: Catalog) -> dict[str, Stored]:
    """Return the same with their tables; a name that comes again is `name_2`, as in results.

    Raises:
        NotPossible: it is not one statement in the catalog's dialect.
    """
    tree = tree_of(sql, catalog.dialect)
    if not isinstance(tree, exp.Query) or not _may_copy(tree):
        return {}
    found = _outputs_of(tree, _Reader(catalog, copies_only=True))
    named = zip(_kept_apart([each.name for each in found]), found, strict=True)
    return {name: each.stored[0] for name, each in named if each.copied}


def _kept_apart(names: Sequence[str]) -> Iterator[str]:
    seen = Counter[str]()
    for name in names:
        seen[name] += 1
        yield f"{name}_{seen[name]}" if seen[name] > 1 else name


def _may_copy(tree: exp.Query) -> bool:
    """Say whether a column may be a mere copy: not where all are computed, as in a count."""
    projections = (each.unalias() for each in tree.selects)
    return any(each.is_star or isinstance(each, exp.Column) for each in projections)


def outputs(tree: exp.Query, catalog: Catalog) -> tuple[Output, ...]:
    """Return the columns of the result from left to right; a star counts as what it stands for.

    None where the scopes of the statement cannot be told apart, as with an alias used twice.
    """
    return _outputs_of(tree, _Reader(catalog))


def _outputs_of(tree: exp.Query, reader: _Reader) -> tuple[Output, ...]:
    with suppress(SqlglotError, RecursionError):
        if scope := build_scope(tree):
            return reader.outputs(scope)
    return ()


def conditions(tree: exp.Query, catalog: Catalog) -> tuple[Condition, ...]:
    """Return the filters and join conditions of the statement and of every query within it.

    None where the scopes of the statement cannot be told apart.
    """
    with suppress(SqlglotError, RecursionError):
        if scope := build_scope(tree):
            reader = _Reader(catalog)
            return tuple(each for part in scope.traverse() for each in reader.conditions(part))
    return ()


def tables_read(tree: exp.Query, catalog: Catalog) -> tuple[CatalogTable, ...]:
    """Return the catalog's tables that a statement reads anywhere in it, each once."""
    names = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
    found = (
        _find(each, catalog)
        for each in tree.find_all(exp.Table)
        if each.db or each.name not in names
    )
    return tuple(dict.fromkeys(table for table in found if table))


def conjuncts(condition: exp.Expr) -> Sequence[exp.Expr]:
    """Return what has to hold at the same time, one by one."""
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _find(table: exp.Table, catalog: Catalog) -> CatalogTable | None:
    return catalog.table(f"{table.db}.{table.name}" if table.db else table.name)


class _Reader:
    """Reads one statement, each of its scopes once: chains of subqueries stay cheap.

    `copies_only`: what computed columns are made of is left out.
    """

    def __init__(self, catalog: Catalog, *, copies_only: bool = False) -> None:
        self._catalog = catalog
        self._copies_only = copies_only
        self._known: dict[int, tuple[Output, ...]] = {}
        self._by_name: dict[str, dict[str, list[CatalogColumn]]] = {}

    def outputs(self, scope: Scope) -> tuple[Output, ...]:
        if id(scope) not in self._known:
            self._known[id(scope)] = ()  # a recursive query finds itself unknown
            self._known[id(scope)] = tuple(self._outputs(scope))
        return self._known[id(scope)]

    def conditions(self, scope: Scope) -> Iterator[Condition]:
        select = scope.expression
        if not isinstance(select, exp.Select):
            return
        for join in select.args.get("joins") or ():
            if on := join.args.get("on"):
                stored = self._stored(on, scope)
                yield Condition(holds=on, stored=stored, joined=join.this.alias_or_name)
        for clause in ("where", "having", "qualify"):
            if found := select.args.get(clause):
                for each in conjuncts(found.this):
                    yield Condition(holds=each, stored=self._stored(each, scope))

    def _outputs(self, scope: Scope) -> Iterator[Output]:
        if scope.set_operation_scopes:
            sides = [self.outputs(side) for side in scope.set_operation_scopes]
            yield from (_merged(columns) for columns in zip(*sides, strict=False))
        elif isinstance(scope.expression, exp.Query):
            for projection in scope.expression.selects:
                if projection.is_star:
                    yield from self._behind_star(projection, scope)
                else:
                    yield self._output(projection, scope)

    def _output(self, projection: exp.Expr, scope: Scope) -> Output:
        value, name = projection.unalias(), projection.alias_or_name
        if isinstance(value, exp.Column) and (source := self._source_of(value, scope)):
            return replace(source, name=name)
        stored = () if self._copies_only else self._stored(value, scope)
        return Output(name=name, value=value, stored=stored, copied=False)

    def _behind_star(self, star: exp.Expr, scope: Scope) -> Iterator[Output]:
        qualifier = star.text("table") if isinstance(star, exp.Column) else ""
        for name, source in _sources(scope):
            if qualifier in ("", name):
                yield from self._columns_of(source)

    def _columns_of(self, source: exp.Table | Scope) -> tuple[Output, ...]:
        if isinstance(source, Scope):
            return self.outputs(source)
        table = _find(source, self._catalog)
        return tuple(_plain(table, column) for column in table.columns) if table else ()

    def _source_of(self, column: exp.Column, scope: Scope) -> Output | None:
        """Find a column in the one source that has it; in the outer query, where none has."""
        found = [
            output
            for name, source in _sources(scope)
            if column.table in ("", name)
            for output in self._named(column.name.casefold(), source)
        ]
        if not found and scope.parent and scope.can_be_correlated:
            return self._source_of(column, scope.parent)
        return found[0] if len(found) == 1 else None

    def _named(self, folded: str, source: exp.Table | Scope) -> Sequence[Output]:
        """Return the columns of a source that bear a name, whatever the letter case."""
        if isinstance(source, Scope):
            return [each for each in self.outputs(source) if each.name.casefold() == folded]
        table = _find(source, self._catalog)
        if table is None:
            return ()
        # Statements name many columns of wide tables: each table is looked through once.
        by_name = self._by_name.get(table.qualified_name)
        if by_name is None:
            by_name = self._by_name[table.qualified_name] = {}
            for column in table.columns:
                by_name.setdefault(column.name.casefold(), []).append(column)
        return [_plain(table, column) for column in by_name.get(folded, ())]

    def _stored(self, value: exp.Expr, scope: Scope) -> tuple[Stored, ...]:
        """Return every stored column that an expression of this scope is made of."""
        columns = find_all_in_scope(value, exp.Column)
        found = [self._source_of(column, scope) for column in columns]
        own = [stored for output in found if output for stored in output.stored]
        inner = [
            stored
            for query in scope.subquery_scopes
            if any(node is query.expression for node in value.walk())
            for output in self.outputs(query)
            for stored in output.stored
        ]
        return tuple(dict.fromkeys((*own, *inner)))


def _sources(scope: Scope) -> list[tuple[str, exp.Table | Scope]]:
    """Return what the FROM and the joins of a scope name; a CTE that is not named is none."""
    return [(name, source) for name, (_, source) in scope.selected_sources.items()]


def _plain(table: CatalogTable, column: CatalogColumn) -> Output:
    value = exp.column(column.name, table=table.name)
    return Output(name=column.name, value=value, stored=(Stored(table, column),), copied=True)


def _merged(sides: Sequence[Output]) -> Output:
    """One column of a set operation; the first side names it."""
    stored = tuple(dict.fromkeys(each for side in sides for each in side.stored))
    copied = len(stored) == 1 and all(side.copied for side in sides)
    return replace(sides[0], stored=stored, copied=copied)
