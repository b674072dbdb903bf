"""How many rows joins would make that nothing links.

This is a check of shape that needs no statistics. A table counts as 1,000 rows, a series as long
as it is, an aggregate as one row. What is linked by any condition counts as its largest part. The
cost gate judges real sizes; this only stops what no size makes sensible.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from sqlglot import exp

from core.sql.growth import constant, is_series, series_length
from core.sql.verdict import Refused

MOST_ROWS = 2e9
_TABLE_ROWS = 1_000.0
_FEW_ROWS = 10.0
_MOST_UNLINKED_TABLES = 2
_COMPARISONS = (exp.Predicate, exp.Binary, exp.In, exp.Between, exp.Func)


def check_products(root: exp.Expr, *, common: dict[str, exp.CTE]) -> None:
    """Refuse a statement that multiplies relations which nothing links.

    `common` are its common table expressions by their lower-case names.

    Raises:
        Refused
    """
    _Sizes(common).rows(root)


class _Sizes:
    def __init__(self, common: dict[str, exp.CTE]) -> None:
        self._common = common
        self._known: dict[str, float] = {}

    def rows(self, query: object) -> float:
        match query:
            case exp.Subquery():
                return self._limited(query, self.rows(query.this))
            case exp.SetOperation():
                both = self.rows(query.this) + self.rows(query.expression)
                return self._limited(query, both)
            case exp.Values():
                return float(len(query.expressions))
            case exp.Select():
                return self._limited(query, self._selected(query))
            case _:
                return _TABLE_ROWS

    def _selected(self, select: exp.Select) -> float:
        sources = list(_sources(select))
        sizes = [self._source(each) for each in sources]
        rows = self._product(select, sources, sizes) if sources else 1.0
        for projection in select.expressions:
            rows *= self._exploded(projection)
        if rows > MOST_ROWS:
            raise _unlinked(f"about {rows:,.0f} rows")
        return 1.0 if _is_one_row(select) else rows

    def _product(self, select: exp.Select, sources: list[exp.Expr], sizes: list[float]) -> float:
        groups = _Groups([_name_of(each) for each in sources])
        for condition in _conditions(select):
            groups.link_all(condition)
        for at, source in enumerate(sources):
            if _depends_on_others(source):
                groups.link(at, max(0, at - 1))
        parts = groups.parts()
        spare = groups.unplaced
        tables = [
            {sources[at].name for at in each if self._is_table(sources[at])} for each in parts
        ]
        apart = [each for each in tables if each]
        repeated = len(apart) > 1 and len(set[str]().union(*apart)) < sum(map(len, apart))
        if len(apart) - spare > _MOST_UNLINKED_TABLES or (repeated and not spare):
            raise _unlinked(f"{len(apart)} tables with no condition between them")
        largest = sorted(max(sizes[at] for at in part) for part in parts)
        return prod(largest[: max(1, len(largest) - spare)]) if spare else prod(largest)

    def _source(self, source: exp.Expr) -> float:
        match source:
            case exp.Table() if isinstance(source.this, exp.Func):
                return _length(source.this)
            case exp.Table():
                return self._named(source)
            case exp.Unnest():
                return max((_length(each) for each in source.expressions), default=_FEW_ROWS)
            case exp.Lateral() | exp.TableFromRows():
                inner = source.this
                return self.rows(inner) if isinstance(inner, exp.Query) else _length(inner)
            case _:
                return self.rows(source)

    def _is_table(self, source: exp.Expr) -> bool:
        if not isinstance(source, exp.Table) or not isinstance(source.this, exp.Identifier):
            return False
        return bool(source.db) or source.name.lower() not in self._common

    def _named(self, table: exp.Table) -> float:
        name = table.name.lower()
        cte = None if table.db else self._common.get(name)
        if cte is None:
            return _TABLE_ROWS
        if name not in self._known:
            self._known[name] = _TABLE_ROWS  # what a recursive one is taken for
            self._known[name] = self.rows(cte.this)
        return self._known[name]

    def _exploded(self, projection: exp.Expr) -> float:
        inner = projection.unalias()
        if isinstance(inner, exp.Explode | exp.Unnest) and isinstance(inner.this, exp.Expr):
            inner = inner.this
        if is_series(inner):
            return max(1.0, _length(inner))
        return 1.0

    def _limited(self, query: exp.Expr, rows: float) -> float:
        limit = query.args.get("limit")
        most = constant(limit.args.get("expression")) if isinstance(limit, exp.Limit) else None
        return rows if most is None else min(rows, most)


class _Groups:
    """Sources that conditions have linked; `unplaced` counts links between unqualified columns."""

    def __init__(self, names: list[str]) -> None:
        self._at = {name: at for at, name in enumerate(names)}
        self._parent = list(range(len(names)))
        self.unplaced = 0

    def link(self, one: int, other: int) -> None:
        self._parent[self._root(one)] = self._root(other)

    def link_all(self, condition: exp.Expr) -> None:
        for comparison in condition.find_all(*_COMPARISONS):
            if isinstance(comparison, exp.And | exp.Or):
                continue
            columns = list(comparison.find_all(exp.Column))
            places = {self._at[c.table.lower()] for c in columns if c.table.lower() in self._at}
            for place in places:
                self.link(place, next(iter(places)))
            unknown = {column.name.lower() for column in columns if not column.table}
            if unknown and len(unknown) + len(places) > 1:
                self.unplaced += 1

    def parts(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for at in range(len(self._parent)):
            found.setdefault(self._root(at), []).append(at)
        return list(found.values())

    def _root(self, at: int) -> int:
        while self._parent[at] != at:
            at = self._parent[at]
        return at


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    first = select.args.get("from_")
    if first is not None:
        yield first.this
    for join in _joins(select):
        yield join.this
    yield from select.args.get("laterals") or ()


def _joins(node: exp.Expr) -> Iterator[exp.Join]:
    first = node.args.get("from_")
    if first is not None:
        yield from _joins(first.this)
    for join in node.args.get("joins") or ():
        yield join
        yield from _joins(join.this)


def _conditions(select: exp.Select) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    if where is not None:
        yield where.this
    for join in _joins(select):
        if join.args.get("on") is not None:
            yield join.args["on"]


def is_unlinked(join: exp.Join) -> bool:
    """Say whether a join's own clauses compare nothing, so that its product has to be looked at."""
    if join.args.get("using") or join.method == "NATURAL":
        return False
    on = join.args.get("on")
    return on is None or sum(1 for _ in on.find_all(exp.Column)) < 2


_LINKING_METHODS = frozenset({"NATURAL", "ASOF"})


def _depends_on_others(source: exp.Expr) -> bool:
    """Say whether a join names its own link, or a source reads columns of the ones before it."""
    join = source.parent
    if isinstance(join, exp.Join) and (
        join.args.get("using")
        or join.method in _LINKING_METHODS
        or join.args.get("match_condition")
    ):
        return True
    if isinstance(source, exp.Unnest | exp.Lateral | exp.TableFromRows):
        return source.find(exp.Column) is not None
    return (
        isinstance(source, exp.Table)
        and isinstance(source.this, exp.Func)
        and (source.find(exp.Column) is not None)
    )


def _name_of(source: exp.Expr) -> str:
    return source.alias_or_name.lower()


def _length(call: object) -> float:
    if isinstance(call, exp.Array):
        return float(len(call.expressions))
    known = series_length(call) if isinstance(call, exp.Expr) and is_series(call) else None
    return _FEW_ROWS if known is None else known


def _is_one_row(select: exp.Select) -> bool:
    if select.args.get("group") is not None:
        return False
    return any(
        each.find_ancestor(exp.Window, exp.Select) is select
        for projection in select.expressions
        for each in projection.find_all(exp.AggFunc)
    )


def _unlinked(what: str) -> Refused:
    return Refused(
        "size.cross-join",
        f"The statement would multiply {what}. Join every table by a condition on its key.",
    )
