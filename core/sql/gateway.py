"""The one door to a warehouse: guard, cost gate, run, and a record of what ran."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from time import perf_counter

from core.domain.answer import ExecutedSql
from core.domain.connection import Connection
from core.domain.ids import QueryHash
from core.domain.query import CostEstimate, Query
from core.domain.table import Table
from core.ports.warehouse import Warehouse
from core.sql.guard import Guard


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryGateway:
    """`approved` are the queries that a person said yes to; `executed` is what ran, in order."""

    warehouse: Warehouse
    guard: Guard
    connection: Connection
    approved: frozenset[QueryHash] = frozenset()
    executed: list[ExecutedSql] = field(default_factory=list[ExecutedSql])

    async def fetch(self, query: Query | str, *, max_rows: int | None = None) -> Table:
        rows = min(max_rows or self.connection.limits.rows, self.connection.limits.rows)
        guarded = self.guard.check(query, max_rows=rows)
        started = perf_counter()
        table = await self.warehouse.fetch(guarded, max_rows=rows)
        self.executed.append(
            ExecutedSql(sql=guarded.sql, rows=len(table.rows), seconds=perf_counter() - started)
        )
        return table

    async def estimate(self, query: Query | str) -> CostEstimate:
        return await self.warehouse.estimate(self.guard.check(query, max_rows=0))

    def stream(self, query: Query | str, *, batch_rows: int) -> AsyncIterator[Table]:
        rows = self.connection.limits.export_rows
        guarded = self.guard.check(query, max_rows=rows)
        return self.warehouse.stream(guarded, batch_rows=batch_rows, max_rows=rows)
