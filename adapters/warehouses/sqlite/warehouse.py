"""A SQLite file as a warehouse; every query runs in a child process that can be killed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from adapters.warehouses.child.messages import Ask, Open
from adapters.warehouses.child.pool import ChildPool
from adapters.warehouses.enrichment import Source, enriched
from adapters.warehouses.parts import Rows
from adapters.warehouses.reading import tables, whole_table
from adapters.warehouses.sqlite.catalog import cut, read_tables
from adapters.warehouses.sqlite.plan import estimate_of
from core.domain.catalog import Catalog
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, TemporarilyUnavailable, ToolError
from core.domain.query import CostEstimate, Dialect, GuardedQuery
from core.domain.table import Row, Table

_ENGINE = "adapters.warehouses.sqlite.engine"
_SECONDS_TO_PLAN = 3.0
_MOST_CATALOG_ROWS = 1_000_000
_MEMORY = 2 * 1024 * 1024 * 1024


@dataclass(slots=True)
class SqliteWarehouse:
    """Reads one file, which has to be there; `children` queries run at the same time."""

    path: Path
    limits: Limits = field(default_factory=Limits)
    children: int = 2
    _pool: ChildPool = field(init=False)
    _row_counts: dict[str, int] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        opening = Open(path=str(self.path.absolute()), memory_bytes=_MEMORY)
        self._pool = ChildPool(_ENGINE, opening, self.children)

    @property
    def dialect(self) -> Dialect:
        return Dialect.SQLITE

    async def inspect(self) -> Catalog:
        try:
            tables = await read_tables(self._catalog_rows)
        except ToolError as error:
            raise ConnectionUnusable(unusable(self.path, error.advice)) from error
        if not tables:
            raise ConnectionUnusable(
                f"{self.path} has no tables. Fill it first, or connect another file."
            )
        self._row_counts = {table.name: table.row_estimate or 0 for table in tables}
        source = Source(dialect=self.dialect, fetch=self._rows, cut=cut)
        return Catalog(dialect=self.dialect, tables=await enriched(tables, source))

    async def estimate(self, query: GuardedQuery) -> CostEstimate:
        if self._row_counts is None:
            tables = await read_tables(self._catalog_rows)
            self._row_counts = {table.name: table.row_estimate or 0 for table in tables}
        try:
            plan = await self._rows(f"EXPLAIN QUERY PLAN {query.sql}", 10_000, _SECONDS_TO_PLAN)
        except TemporarilyUnavailable:
            return CostEstimate()
        return estimate_of(plan, query.sql, self._row_counts)

    async def fetch(self, query: GuardedQuery, *, max_rows: int) -> Table:
        ask = Ask(sql=query.sql, rows=max_rows + 1)
        async with aclosing(self._pool.answer(ask, seconds=self.limits.seconds)) as parts:
            return await whole_table(parts, max_rows=max_rows, max_bytes=self.limits.result_bytes)

    async def stream(
        self, query: GuardedQuery, *, batch_rows: int, max_rows: int
    ) -> AsyncGenerator[Table, None]:
        ask = Ask(sql=query.sql, rows=max_rows + 1)
        async with (
            aclosing(self._pool.answer(ask, seconds=self.limits.seconds)) as parts,
            aclosing(tables(parts, batch_rows=batch_rows, max_rows=max_rows)) as batches,
        ):
            async for table in batches:
                yield table

    async def close(self) -> None:
        await self._pool.close()

    async def _catalog_rows(self, sql: str, seconds: float) -> Sequence[Row]:
        return await self._rows(sql, _MOST_CATALOG_ROWS, seconds)

    async def _rows(self, sql: str, at_most: int, seconds: float) -> Sequence[Row]:
        ask = Ask(sql=sql, rows=at_most, of_catalog=True)
        async with aclosing(self._pool.answer(ask, seconds=seconds)) as parts:
            return [row async for part in parts if isinstance(part, Rows) for row in part.rows]


def unusable(path: Path, words: str) -> str:
    """Say what is wrong with a file, and what to do, given SQLite's words."""
    if "locked" in words:
        return f"{path} is locked by another program. Close it there and connect again."
    if "not a database" in words:
        return f"{path} is no SQLite database. Check the file name."
    if "unable to open" in words:
        return f"{path} cannot be opened. Check that it exists and may be read."
    return f"{path} cannot be read ({words}). Check the file, or restore it from a copy."
