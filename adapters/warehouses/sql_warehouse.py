"""What every engine does alike: inspect, estimate, fetch and stream through its own door."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from adapters.warehouses.enrichment import Source, enriched
from adapters.warehouses.failures import PlanKept
from adapters.warehouses.parts import Parts, Rows
from adapters.warehouses.reading import tables, whole_table
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, TemporarilyUnavailable, ToolError
from core.domain.login import RoleWarnings
from core.domain.query import NO_CEILING, Ceiling, CostEstimate, Dialect, GuardedQuery
from core.domain.table import Row, Table

SECONDS_TO_PLAN = 3.0
_MOST_CATALOG_ROWS = 1_000_000

Fetch = Callable[[str, float], Awaitable[Sequence[Row]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The tables that a login may read, and how many bytes they hold where that is known.

    `default_schema`: the one whose tables have no schema here, where it is not the engine's usual.
    """

    tables: tuple[CatalogTable, ...]
    default_schema: str = ""
    bytes_by_table: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def sizes(self) -> Sizes:
        known = {t.qualified_name: t.row_estimate for t in self.tables}
        rows = {name: count for name, count in known.items() if count is not None}
        return Sizes(rows=rows, bytes=self.bytes_by_table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How large the tables are, by the names that the catalog gives them."""

    rows: Mapping[str, int]
    bytes: Mapping[str, int] = field(default_factory=dict[str, int])


class Door(Protocol):
    """Runs one SELECT at a time for each caller, read-only, and rolls back whatever happens.

    - `answer` gives Heads, then at most `rows` rows; only the time that the engine takes counts
      against `seconds`. Closing it early ends the query in the database.
    - It raises QueryRejected or TemporarilyUnavailable; nothing else.
    - `of_catalog` marks SQL of our own, which may read what the engine knows about itself.
    """

    def answer(self, sql: str, *, rows: int, seconds: float, of_catalog: bool = False) -> Parts: ...

    async def close(self) -> None: ...


async def _no_warnings(_fetch: Fetch) -> RoleWarnings:
    return RoleWarnings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """What one engine does differently.

    read_tables: the catalog by type alone
    cut: a cell that is not too long, for a look into a table
    explain: what to put before a query to get its plan, where the door does not know
    estimate: the rows of the plan and the sizes of the tables as a cost; the query's text helps
    advice: what is wrong with the connection, and what to do
    check_role: what the login may do besides reading
    at_once: how many tables may be looked into at the same time; 0 where each look costs money
    """

    dialect: Dialect
    read_tables: Callable[[Fetch], Awaitable[Found]]
    cut: Callable[[CatalogColumn], exp.Expr]
    estimate: Callable[[Sequence[Row], str, Sizes], CostEstimate]
    advice: Callable[[ToolError], str]
    check_role: Callable[[Fetch], Awaitable[RoleWarnings]] = _no_warnings
    explain: str = ""
    at_once: int = 1


class SqlWarehouse:
    """A warehouse that speaks SQL. `place` names it in messages and holds no secret."""

    def __init__(self, place: str, ways: Ways, door: Door, limits: Limits) -> None:
        self._place = place
        self._ways = ways
        self._door = door
        self._limits = limits
        self._sizes: Sizes | None = None

    @property
    def dialect(self) -> Dialect:
        return self._ways.dialect

    async def inspect(self) -> Catalog:
        try:
            found = await self._ways.read_tables(self._catalog_rows)
        except ToolError as error:
            raise ConnectionUnusable(f"{self._place} {self._ways.advice(error)}") from error
        if not found.tables:
            raise ConnectionUnusable(
                f"{self._place} has no tables that can be read. Fill it, give its login the right"
                " to read, or connect another one."
            )
        self._sizes = found.sizes
        return Catalog(
            dialect=self.dialect,
            tables=await self._looked_into(found.tables),
            default_schema=found.default_schema,
        )

    async def estimate(self, query: GuardedQuery) -> CostEstimate:
        if self._sizes is None:
            self._sizes = (await self._ways.read_tables(self._catalog_rows)).sizes
        try:
            plan = await self._plan(query)
        except (TemporarilyUnavailable, PlanKept):
            return CostEstimate()
        return self._ways.estimate(plan, query.sql, self._sizes)

    async def fetch(
        self, query: GuardedQuery, *, max_rows: int, ceiling: Ceiling = NO_CEILING
    ) -> Table:
        parts = self._answer(query, max_rows, ceiling)
        return await whole_table(parts, max_rows=max_rows, max_bytes=self._limits.result_bytes)

    def stream(
        self, query: GuardedQuery, *, batch_rows: int, max_rows: int, ceiling: Ceiling = NO_CEILING
    ) -> AsyncGenerator[Table, None]:
        parts = self._answer(query, max_rows, ceiling)
        return tables(parts, batch_rows=batch_rows, max_rows=max_rows)

    async def role_warnings(self) -> RoleWarnings:
        try:
            return await self._ways.check_role(self._catalog_rows)
        except ToolError as error:
            raise ConnectionUnusable(f"{self._place} {self._ways.advice(error)}") from error

    async def close(self) -> None:
        await self._door.close()

    async def _looked_into(self, tables: tuple[CatalogTable, ...]) -> tuple[CatalogTable, ...]:
        if not self._ways.at_once:
            return tables
        source = Source(
            dialect=self.dialect,
            fetch=self._rows,
            cut=self._ways.cut,
            at_once=self._ways.at_once,
        )
        return await enriched(tables, source)

    async def _plan(self, query: GuardedQuery) -> Sequence[Row]:
        sql = f"{self._ways.explain} {query.sql}"
        return await self._rows(sql, _MOST_CATALOG_ROWS, SECONDS_TO_PLAN)

    def _answer(self, query: GuardedQuery, max_rows: int, _ceiling: Ceiling) -> Parts:
        return self._door.answer(query.sql, rows=max_rows + 1, seconds=self._limits.seconds)

    async def _catalog_rows(self, sql: str, seconds: float) -> Sequence[Row]:
        return await self._rows(sql, _MOST_CATALOG_ROWS, seconds)

    async def _rows(self, sql: str, at_most: int, seconds: float) -> Sequence[Row]:
        answer = self._door.answer(sql, rows=at_most, seconds=seconds, of_catalog=True)
        async with aclosing(answer) as parts:
            return [row async for part in parts if isinstance(part, Rows) for row in part.rows]
