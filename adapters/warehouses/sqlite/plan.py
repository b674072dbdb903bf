"""What SQLite's query plan says about the rows that a query will touch."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from adapters.warehouses.sql_warehouse import Sizes
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row

_STEP = re.compile(
    r"(?P<how>SCAN|SEARCH) (?:TABLE )?(?P<name>.+?)(?: AS .+?)?"
    r"(?P<rest> (?:USING|VIRTUAL TABLE|LEFT-JOIN|EXISTS|\().*)?"
)
_MADE = re.compile(r"(?:MATERIALIZE|CO-ROUTINE) (?P<name>.+)")
_CONSTANTS = re.compile(r"(CONSTANT ROW|\d+[- ](CONSTANT|ROW) .*)")
_FOUND_BY_KEY = 1.0
_FOUND_BY_INDEX = 10.0
_SHARE_IN_RANGE = 0.25
_ROWS_OF_TABLE_FUNCTION = 100.0


@dataclass(frozen=True, slots=True)
class _Step:
    number: int
    parent: int
    detail: str


def estimate_of(plan: Sequence[Row], sql: str, sizes: Sizes) -> CostEstimate:
    """Judge the rows of `EXPLAIN QUERY PLAN` for `sql` by the numbers of rows of the tables.

    Steps side by side are nested loops: their rows multiply. Recursion has no bound that a plan
    would show, and neither has a table of unknown size: their cost is unknown.
    """
    steps = [_Step(int(str(n)), int(str(p)), str(d)) for n, p, _, d in plan]
    if any(step.detail.startswith("RECURSIVE STEP") for step in steps):
        return CostEstimate()
    walk = _Walk(steps, _sizes_by_alias(sql, sizes.rows))
    made = walk.rows_made(0)
    if walk.met_unknown_size:
        return CostEstimate()
    return CostEstimate(
        rows=walk.rows_read,
        intermediate_rows=max(walk.largest, made),
        confidence="estimate",
    )


class _Walk:
    """Goes through the steps once, adding up what they read."""

    def __init__(self, steps: Sequence[_Step], sizes: Mapping[str, float]) -> None:
        self._children: defaultdict[int, list[_Step]] = defaultdict(list)
        for step in steps:
            self._children[step.parent].append(step)
        self._sizes = dict(sizes)
        self.rows_read = 0.0
        self.largest = 0.0
        self.met_unknown_size = False

    def rows_made(self, number: int) -> float:
        """Return the rows that the steps under one step make; a UNION makes those of all parts."""
        loops, parts = 1.0, 0.0
        for step in self._children[number]:
            if made := _MADE.fullmatch(step.detail):
                self._sizes[made["name"].casefold()] = self.rows_made(step.number)
            elif found := _STEP.fullmatch(step.detail):
                loops *= self._rows_found(found)
                self.rows_read += loops
                self.largest = max(self.largest, loops)
            elif step.detail.startswith("CORRELATED"):
                before = self.rows_read
                self.rows_made(step.number)
                self.rows_read = before + (self.rows_read - before) * loops
            else:
                parts += self.rows_made(step.number)
        return max(loops, parts)

    def _rows_found(self, step: re.Match[str]) -> float:
        name, rest = step["name"], step["rest"] or ""
        if _CONSTANTS.fullmatch(name):
            return 1.0
        if "VIRTUAL TABLE" in rest and name.casefold() not in self._sizes:
            return _ROWS_OF_TABLE_FUNCTION
        size = self._sizes.get(name.casefold())
        if size is None:
            self.met_unknown_size = True
            return 1.0
        return size if step["how"] == "SCAN" else _found_in(size, rest)


def _found_in(size: float, search: str) -> float:
    if "INTEGER PRIMARY KEY (rowid=?)" in search or "sqlite_autoindex" in search:
        return min(size, _FOUND_BY_KEY)
    if "=?" in search:
        return min(size, _FOUND_BY_INDEX)
    return max(1.0, size * _SHARE_IN_RANGE)


def _sizes_by_alias(sql: str, row_counts: Mapping[str, int]) -> dict[str, float]:
    sizes = {name.casefold(): float(count) for name, count in row_counts.items()}
    known = dict(sizes)
    try:
        tree = parse_one(sql, dialect=Dialect.SQLITE)
    except SqlglotError:
        return known
    for table in tree.find_all(exp.Table):
        alias = table.alias_or_name.casefold()
        if table.name.casefold() in sizes:
            # An alias used twice is judged by the larger of its tables.
            known[alias] = max(sizes[table.name.casefold()], known.get(alias, 0.0))
    return known
