"""Says of each column of a view which columns of other tables it is made of.

It errs on the safe side: what it names holds at least the true origins. Where the definition cannot
be read, calls a function that is not known, or leaves open what a name means, nothing is said at
all, and whoever hides columns has to take such a view for one that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope

from core.domain.catalog import Catalog, CatalogTable, Origin
from core.domain.errors import NotPossible
from core.domain.query import Dialect
from core.sql.guard import Guard
from core.sql.reading import tree_of

_Origins = frozenset[Origin]
_NOT_READ = (exp.Pivot, exp.MatchRecognize, exp.Lateral, exp.Unnest, exp.TableFromRows)
_DEFAULT_SCHEMAS = frozenset({"", "main", "public", "dbo"})


class _NotTold(Exception):
    """What a column is made of cannot be told."""


def traced(catalog: Catalog) -> Catalog:
    """Return the catalog with the origins of the columns of its views, where they can be told."""
    if not any(table.is_view for table in catalog.tables):
        return catalog
    guard = Guard.without_catalog(catalog.dialect)
    tables = (
        _with_origins(each, catalog, guard) if each.is_view else each for each in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))


def _with_origins(view: CatalogTable, catalog: Catalog, guard: Guard) -> CatalogTable:
    try:
        found = _origins(view, catalog, guard)
    except (_NotTold, NotPossible, SqlglotError, RecursionError, ValueError, LookupError):
        return view
    columns = (
        replace(column, origins=tuple(sorted(origins, key=str)))
        for column, origins in zip(view.columns, found, strict=True)
    )
    return replace(view, columns=tuple(columns))


def _origins(view: CatalogTable, catalog: Catalog, guard: Guard) -> Sequence[_Origins]:
    query = _query_of(view.definition, catalog.dialect)
    # A function of the database's own may read what its text does not show.
    if not guard.judge(query).allowed:
        raise _NotTold
    tree = tree_of(query, catalog.dialect)
    recurses = any(each.args.get("recursive") for each in tree.find_all(exp.With))
    if recurses or tree.find(*_NOT_READ):
        raise _NotTold
    root = build_scope(tree)
    if root is None:
        raise _NotTold
    outputs = _Tracing(root, catalog).outputs(root)
    if len(outputs) != len(view.columns):
        raise _NotTold
    return [each.origins for each in outputs]


def _query_of(definition: str, dialect: Dialect) -> str:
    """Return the SELECT of a view, which some engines keep with the CREATE before it."""
    if not definition:
        raise _NotTold
    if definition.lstrip()[:6].upper() != "CREATE":
        return definition
    created = sqlglot.parse_one(definition, dialect=dialect)
    if not isinstance(created, exp.Create) or not isinstance(created.expression, exp.Query):
        raise _NotTold
    return created.expression.sql(dialect=dialect)


@dataclass(frozen=True, slots=True)
class _Output:
    name: str
    origins: _Origins


@dataclass(frozen=True, slots=True)
class _Source:
    """What stands in a FROM under a name; `outputs` is None of a table that is not known here."""

    alias: str
    table: str
    outputs: tuple[_Output, ...] | None

    def of(self, name: str) -> _Origins:
        """Return what a column of that name is made of; nothing where there is none."""
        if self.outputs is None:
            return frozenset({Origin(self.table, name)})
        return _together(
            each.origins for each in self.outputs if each.name.casefold() == name.casefold()
        )

    @property
    def whole(self) -> Sequence[_Output]:
        if self.outputs is None:
            raise _NotTold
        return self.outputs


class _Tracing:
    """Looks names up among all sources of a statement, however deep they are: a superset."""

    def __init__(self, root: Scope, catalog: Catalog) -> None:
        self._catalog = catalog
        self._outputs: dict[int, tuple[_Output, ...]] = {}
        self._sources: list[_Source] = []
        self._followed: set[int] = set()
        # From the inside out, so that what a scope reads is known before it.
        self._known: dict[int, list[_Source]] = {}
        for scope in root.traverse():
            own = [
                self._source(alias, node, source)
                for alias, (node, source) in scope.selected_sources.items()
            ]
            self._known[id(scope)] = own
            self._sources += own
            self._outputs[id(scope)] = tuple(self._made_by(scope))

    def outputs(self, scope: Scope) -> tuple[_Output, ...]:
        return self._outputs[id(scope)]

    def _source(self, alias: str, node: exp.Expr, source: exp.Expr | Scope) -> _Source:
        if isinstance(source, Scope):
            if id(source) not in self._outputs:
                raise _NotTold
            outputs = _renamed_around(source.expression, self._outputs[id(source)])
            return _Source(alias, "", _renamed(node, outputs))
        if not isinstance(source, exp.Table) or not isinstance(source.this, exp.Identifier):
            raise _NotTold
        return self._table(alias, source)

    def _table(self, alias: str, source: exp.Table) -> _Source:
        schema = source.db
        usual = schema == self._catalog.default_schema or (
            not self._catalog.default_schema and schema in _DEFAULT_SCHEMAS
        )
        name = source.name if usual or not schema else f"{schema}.{source.name}"
        known = self._catalog.table(name)
        if known is None:
            return _Source(alias, name, None)
        outputs = tuple(
            _Output(each.name, frozenset({Origin(known.qualified_name, each.name)}))
            for each in known.columns
        )
        return _Source(alias, known.qualified_name, _renamed(source, outputs))

    def _made_by(self, scope: Scope) -> Iterator[_Output]:
        if isinstance(scope.expression, exp.SetOperation):
            yield from self._united(scope)
            return
        select = scope.expression
        if not isinstance(select, exp.Select):
            raise _NotTold
        for projection in select.selects:
            if projection.is_star:
                yield from self._star(projection, scope)
            else:
                yield _Output(projection.alias_or_name, self._of(projection, select))

    def _united(self, scope: Scope) -> Iterator[_Output]:
        arms = [self._outputs[id(each)] for each in scope.set_operation_scopes]
        if len(arms) < 2 or len({len(arm) for arm in arms}) != 1:
            raise _NotTold
        for parts in zip(*arms, strict=True):
            yield _Output(parts[0].name, _together(each.origins for each in parts))

    def _star(self, projection: exp.Expr, scope: Scope) -> Iterator[_Output]:
        joins: list[exp.Expr] = scope.expression.args.get("joins") or []
        merges = any(each.args.get("using") or each.args.get("method") for each in joins)
        plain = isinstance(projection, exp.Star | exp.Column)
        altered = any(value for key, value in projection.args.items() if key in _ALTERS_A_STAR)
        if merges or altered or not plain:
            raise _NotTold
        of = projection.table if isinstance(projection, exp.Column) else ""
        for source in self._known[id(scope)]:
            if not of or source.alias.casefold() == of.casefold():
                yield from source.whole

    def _of(self, projection: exp.Expr, select: exp.Select) -> _Origins:
        stars = projection.find_all(exp.Star)
        if any(not isinstance(star.parent, exp.Count) for star in stars):
            raise _NotTold
        columns = projection.find_all(exp.Column)
        return _together(self._of_column(column, select) for column in columns)

    def _of_column(self, column: exp.Column, select: exp.Select) -> _Origins:
        name, of = column.name.casefold(), column.table.casefold()
        named = [each for each in self._sources if not of or each.alias.casefold() == of]
        found = _together(each.of(name) for each in named)
        if not of:
            # A row as a whole, or another column of the same select by its new name.
            rows = (each for each in self._sources if each.alias.casefold() == name)
            found |= _together(each.origins for row in rows for each in row.whole)
            found |= self._of_alias(name, column, select)
        if not found and not self._is_made_of_nothing(name, named):
            raise _NotTold
        return found

    def _of_alias(self, name: str, column: exp.Column, select: exp.Select) -> _Origins:
        own = column.find_ancestor(exp.Alias)
        aliases = [each for each in select.selects if isinstance(each, exp.Alias)]
        found: set[Origin] = set()
        for each in aliases:
            if each is not own and each.alias.casefold() == name and id(each) not in self._followed:
                self._followed.add(id(each))
                found |= self._of(each.this, select)
                self._followed.discard(id(each))
        return frozenset(found)

    def _is_made_of_nothing(self, name: str, named: Sequence[_Source]) -> bool:
        outputs = (each for source in named for each in source.outputs or ())
        return any(each.name.casefold() == name for each in outputs)


_ALTERS_A_STAR = frozenset({"except_", "except", "replace", "rename"})


def _together(parts: Iterable[_Origins]) -> _Origins:
    return frozenset(origin for part in parts for origin in part)


def _renamed_around(query: exp.Expr, outputs: tuple[_Output, ...]) -> tuple[_Output, ...]:
    """Apply the column names that brackets with an alias, or a WITH, give to a query."""
    around = query.parent
    while isinstance(around, exp.Subquery | exp.CTE):
        outputs = _renamed(around, outputs)
        around = around.parent
    return outputs


def _renamed(named: exp.Expr, outputs: tuple[_Output, ...]) -> tuple[_Output, ...]:
    """Apply the column names that stand behind an alias."""
    alias = named.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return outputs
    columns: list[exp.Expr] = alias.args.get("columns") or []
    names = [each.name for each in columns]
    if not names:
        return outputs
    if len(names) > len(outputs):
        raise _NotTold
    given = [*names, *(each.name for each in outputs[len(names) :])]
    return tuple(_Output(name, each.origins) for name, each in zip(given, outputs, strict=True))
