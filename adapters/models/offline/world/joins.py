"""How tables hang together: declared keys first, then columns that look like keys."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from adapters.models.offline.reading.ways import end_of, names_of_end
from adapters.models.offline.world.likeness import likeness
from adapters.models.offline.world.schema import Column, Schema, Table

_DECLARED = 1.0
_NAMED = 1.3
_SHARED_KEY = 1.8
_SHARED_WORD = 2.4
_NAMED_ROLE = 0.3
_NAMED_TABLE = 0.2
_ALIKE = 0.75
_MOST_GUESSING_TABLES = 300


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """`left` equals `right`; `to_one`: a row on the left finds at most one on the right."""

    left: Column
    right: Column
    cost: float
    to_one: bool
    from_one: bool

    def reversed(self) -> Join:
        return Join(self.right, self.left, self.cost, to_one=self.from_one, from_one=self.to_one)


class JoinGraph:
    """Every way from one table to the next."""

    def __init__(self, schema: Schema, joins: Iterable[Join] | None = None) -> None:
        self._schema = schema
        self._joins = tuple((*_declared(schema), *_guessed(schema)) if joins is None else joins)
        self._from: dict[str, list[Join]] = {table.name: [] for table in schema.tables}
        for join in self._joins:
            self._add(join)

    def preferring(self, words: Iterable[str]) -> JoinGraph:
        """Return the same ways, of which those over keys that a question names are shorter.

        It matters where a table is pointed at twice, as by `home_team` and `away_team`.
        """
        pairs = [(join.left.table, join.right.table) for join in self._joins]
        doubled = {pair for pair in pairs if pairs.count(pair) > 1}
        if not doubled:
            return self
        said = tuple(dict.fromkeys(words))
        nearer = [
            replace(join, cost=join.cost - _NAMED_ROLE)
            if (join.left.table, join.right.table) in doubled and _is_said(join, said)
            else join
            for join in self._joins
        ]
        return JoinGraph(self._schema, nearer)

    def through(self, tables: Iterable[str]) -> JoinGraph:
        """Return the same ways, of which those over tables that a question names are shorter.

        It matters where two tables hang together by two ways, of which one table is named.
        """
        named = frozenset(tables)
        nearer = [
            replace(join, cost=join.cost - _NAMED_TABLE * len(ends & named))
            for join in self._joins
            for ends in ({join.left.table, join.right.table},)
        ]
        return JoinGraph(self._schema, nearer)

    def _add(self, join: Join) -> None:
        self._from[join.left.table].append(join)
        self._from[join.right.table].append(join.reversed())

    def joins_from(self, table: str) -> tuple[Join, ...]:
        return tuple(self._from.get(table, ()))

    def between(self, one: str, other: str) -> tuple[Join, ...]:
        """Return the direct joins of two tables, the best first."""
        found = [join for join in self._from.get(one, ()) if join.right.table == other]
        return tuple(sorted(found, key=lambda join: join.cost))

    def path(self, sources: Iterable[str], target: str) -> tuple[Join, ...] | None:
        """Return the cheapest way from any of the sources; empty where it is one of them."""
        start = tuple(dict.fromkeys(sources))
        queue: list[tuple[float, int, str, tuple[Join, ...]]] = [
            (0.0, order, table, ()) for order, table in enumerate(start)
        ]
        heapq.heapify(queue)
        done = set[str]()
        count = len(queue)
        while queue:
            cost, _, table, way = heapq.heappop(queue)
            if table == target:
                return way
            if table in done:
                continue
            done.add(table)
            for join in self._from.get(table, ()):
                if join.right.table not in done:
                    count += 1
                    step = cost + join.cost
                    heapq.heappush(queue, (step, count, join.right.table, (*way, join)))
        return None

    def distance(self, sources: Iterable[str], target: str) -> float | None:
        way = self.path(sources, target)
        return None if way is None else sum(join.cost for join in way)

    def tree(self, tables: Iterable[str]) -> tuple[Join, ...] | None:
        """Return the joins that connect these tables; None where they do not hang together.

        Each starts from a table that is there already.
        """
        wanted = tuple(dict.fromkeys(tables))
        have, joins = list(wanted[:1]), list[Join]()
        missing = list(wanted[1:])
        while missing:
            ways = {table: self.path(have, table) for table in missing}
            reached = {table: way for table, way in ways.items() if way is not None}
            if not reached:
                return None
            nearest = min(reached, key=lambda table: sum(join.cost for join in reached[table]))
            for join in reached[nearest]:
                if join.right.table not in have:
                    joins.append(join)
                    have.append(join.right.table)
            missing = [table for table in missing if table not in have]
        return tuple(joins)


def _is_said(join: Join, words: Sequence[str]) -> bool:
    own = [w for w in join.left.words if w not in {*join.right.words, "id", "code"}]
    own = [word for word in own if word not in join.right.table.lower()]
    ends = frozenset[str]().union(*(names_of_end(end_of(word)) for word in words))
    return bool(ends & set(join.left.words)) or any(
        likeness(word, name) >= _ALIKE for word in words for name in own
    )


def _declared(schema: Schema) -> Iterator[Join]:
    for table in schema.tables:
        for column in table.columns:
            if column.target is None:
                continue
            other = schema.table(column.target[0])
            right = other.column(column.target[1]) if other else None
            if other is not None and right is not None:
                yield Join(
                    column, right, _DECLARED, to_one=True, from_one=_is_unique(table, column)
                )


def _guessed(schema: Schema) -> Iterator[Join]:
    """Guess from names where nothing is declared between two tables."""
    if len(schema.tables) > _MOST_GUESSING_TABLES:
        return
    known = {
        frozenset((c.table, c.target[0])) for t in schema.tables for c in t.columns if c.target
    }
    pairs = [
        (one, other)
        for one, other in combinations(schema.tables, 2)
        if frozenset((one.name, other.name)) not in known
    ]
    pointing = [_best_guess(one, other) for one, other in pairs]
    used = {column for join in pointing if join for column in (join.left, join.right)}
    for (one, other), join in zip(pairs, pointing, strict=True):
        found = join or next(_shared(one, other, used), None)
        if found is not None:
            yield found


def _best_guess(one: Table, other: Table) -> Join | None:
    return next(_guesses(one, other), None) or next(_guesses(other, one), None)


def _guesses(table: Table, other: Table) -> Iterator[Join]:
    """Find columns such as `customer_id` in one table for the `id` of customers."""
    key = other.key[0] if len(other.key) == 1 else None
    for column in table.columns:
        if column.target is not None or column.words[-1] not in {"id", "code", "number", "key"}:
            continue
        for right in other.columns:
            same_type = column.is_number == right.is_number
            is_its_key = right is key and column.words == (*other.words, right.words[-1])
            named = column.words == right.words and _names(right, other)
            if same_type and (is_its_key or named):
                unique = _is_unique(table, column)
                yield Join(column, right, _NAMED, to_one=True, from_one=unique)


def _names(column: Column, table: Table) -> bool:
    """Say whether a column such as `business_id` or `pid` bears the name of its own table."""
    if len(column.words) < 2:
        return False
    if set(column.words[:-1]) <= set(table.words):
        return True
    ids = [each for each in table.columns if each.words[-1] == "id"]
    first = table.columns[0] is column and len(ids) < len(table.columns)
    initial = len(column.words[0]) <= 3 and table.words[0].startswith(column.words[0][0])
    return first and initial


def _shared(one: Table, other: Table, used: set[Column]) -> Iterator[Join]:
    """Find columns of the same name that tell things apart: a shared key, or `city_name`."""
    pairs = [
        (left, right)
        for left in one.columns
        for right in other.columns
        if left.words == right.words
        and left.is_number == right.is_number
        and _tells_apart(left)
        and not {left, right} & used
    ]
    for left, right in sorted(pairs, key=lambda pair: pair[0].words[-1] != "id"):
        cost = _SHARED_KEY if left.words[-1] == "id" else _SHARED_WORD
        to_one, from_one = _is_unique(other, right), _is_unique(one, left)
        yield Join(left, right, cost, to_one=to_one, from_one=from_one)


def _tells_apart(column: Column) -> bool:
    if column.is_time or column.is_measure or column.target or len(column.words) < 2:
        return False
    return column.words[-1] in {"id", "code", "name", "key"}


def _is_unique(table: Table, column: Column) -> bool:
    return len(table.key) == 1 and table.key[0] is column
