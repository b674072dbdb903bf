"""A database file as a warehouse; every query runs in a child process that can be killed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from adapters.warehouses.child.messages import Ask, Open
from adapters.warehouses.child.pool import ChildPool
from adapters.warehouses.enrichment import Source, enriched
from adapters.warehouses.parts import Parts
from adapters.warehouses.reading import tables, whole_table
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, TemporarilyUnavailable, ToolError
from core.domain.query import CostEstimate, Dialect, GuardedQuery
from core.domain.table import Row, Table

_SECONDS_TO_PLAN = 3.0
_MOST_CATALOG_ROWS = 1_000_000

Fetch = Callable[[str, float], Awaitable[Sequence[Row]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """What one engine does differently.

    engine: the module that a child process runs
    memory_bytes: what a child may use
    idle_seconds: how long a child without work keeps the file open
    read_tables: the catalog by type alone
    cut: a cell that is not too long, for a look into a table
    explain: what to put before a query to get its plan
    estimate: the plan's rows, the query and the tables' numbers of rows as a cost
    advice: what is wrong with the file, and what to do, given the engine's words
    """

    dialect: Dialect
    engine: str
    memory_bytes: int
    idle_seconds: float
    read_tables: Callable[[Fetch], Awaitable[tuple[CatalogTable, ...]]]
    cut: Callable[[CatalogColumn], exp.Expr]
    explain: str
    estimate: Callable[[Sequence[Row], str, Mapping[str, int]], CostEstimate]
    advice: Callable[[str], str]


class FileWarehouse:
    """Reads one file, which has to be there; two queries run at the same time."""

    def __init__(self, path: Path, file_format: FileFormat, limits: Limits) -> None:
        self._path = path.absolute()
        self._format = file_format
        self._limits = limits
        self._row_counts: dict[str, int] | None = None
        self._pool = ChildPool(
            file_format.engine,
            Open(path=str(self._path), memory_bytes=file_format.memory_bytes),
            idle_seconds=file_format.idle_seconds,
        )

    @property
    def dialect(self) -> Dialect:
        return self._format.dialect

    async def inspect(self) -> Catalog:
        try:
            found = await self._read_tables()
        except ToolError as error:
            raise ConnectionUnusable(self._advice(error.advice)) from error
        if not found:
            raise ConnectionUnusable(
                f"{self._path} has no tables. Fill it first, or connect another file."
            )
        source = Source(dialect=self.dialect, fetch=self._rows, cut=self._format.cut)
        return Catalog(dialect=self.dialect, tables=await enriched(found, source))

    async def estimate(self, query: GuardedQuery) -> CostEstimate:
        if self._row_counts is None:
            await self._read_tables()
        sql = f"{self._format.explain} {query.sql}"
        try:
            plan = await self._rows(sql, _MOST_CATALOG_ROWS, _SECONDS_TO_PLAN)
        except TemporarilyUnavailable:
            return CostEstimate()
        return self._format.estimate(plan, query.sql, self._row_counts or {})

    async def fetch(self, query: GuardedQuery, *, max_rows: int) -> Table:
        return await whole_table(
            self._answer(query, max_rows), max_rows=max_rows, max_bytes=self._limits.result_bytes
        )

    def stream(
        self, query: GuardedQuery, *, batch_rows: int, max_rows: int
    ) -> AsyncGenerator[Table, None]:
        parts = self._answer(query, max_rows)
        return tables(parts, batch_rows=batch_rows, max_rows=max_rows)

    async def close(self) -> None:
        await self._pool.close()

    def _answer(self, query: GuardedQuery, max_rows: int) -> Parts:
        ask = Ask(sql=query.sql, rows=max_rows + 1)
        return self._pool.answer(ask, seconds=self._limits.seconds)

    async def _read_tables(self) -> tuple[CatalogTable, ...]:
        found = await self._format.read_tables(self._catalog_rows)
        self._row_counts = {
            table.qualified_name: table.row_estimate
            for table in found
            if table.row_estimate is not None
        }
        return found

    async def _catalog_rows(self, sql: str, seconds: float) -> Sequence[Row]:
        return await self._rows(sql, _MOST_CATALOG_ROWS, seconds)

    async def _rows(self, sql: str, at_most: int, seconds: float) -> Sequence[Row]:
        return await self._pool.rows(Ask(sql=sql, rows=at_most, of_catalog=True), seconds=seconds)

    def _advice(self, words: str) -> str:
        advice = self._format.advice(words)
        return f"{self._path} {advice}"
