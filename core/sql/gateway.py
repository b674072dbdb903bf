"""The one door to a warehouse: guard, cost gate, run, and records of what ran."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from time import perf_counter

from core.domain.answer import ExecutedSql
from core.domain.connection import Connection
from core.domain.decisions import Approval
from core.domain.errors import ApprovalNeeded, TemporarilyUnavailable
from core.domain.ids import DecisionId, fresh_id
from core.domain.query import Ceiling, CostEstimate, Dialect, GuardedQuery, Query
from core.domain.table import Table
from core.ports.warehouse import Warehouse
from core.sql.audit_trail import AuditTrail, Reading
from core.sql.cost_gate import (
    ceiling_for,
    has_thresholds,
    is_small,
    is_small_database,
    priced,
    weigh,
)
from core.sql.guard import Guard
from core.sql.history import usual_seconds
from core.sql.verdict import Refused, Verdict

# Longer statements are judged in a thread: parsing them takes more than a blink.
LONG_STATEMENT = 8_000

# Engines that live in this machine's files or memory, and cost nobody money.
_EMBEDDED = frozenset({Dialect.SQLITE, Dialect.DUCKDB})


@dataclass(frozen=True, slots=True)
class _Passed:
    """A query that may run, with its estimate where one was needed to know."""

    query: GuardedQuery
    reads: tuple[str, ...] = ()
    estimate: CostEstimate | None = None
    approved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryGateway:
    """`approved` is what a person said yes to; `executed` is what ran, in order.

    Rows are given only when the audit log has the query that they come from.

    Each tool call gets a view of its own with `for_call`, so that calls at the same time know
    their own statements.
    """

    warehouse: Warehouse
    guard: Guard
    connection: Connection
    audit: AuditTrail
    approved: frozenset[Approval] = frozenset()
    executed: list[ExecutedSql] = field(default_factory=list[ExecutedSql])

    def for_call(self, *approved: Approval) -> QueryGateway:
        """Return the same door with a record of its own, for which this is approved."""
        return replace(self, approved=self.approved | set(approved), executed=[])

    async def fetch(self, query: Query | str, *, max_rows: int | None = None) -> Table:
        """Run a query and return at most `max_rows` rows, never more than the connection's cap.

        Raises:
            NotPossible: the guard refused it, or the database rejected it.
            TemporarilyUnavailable: no answer in time.
            ApprovalNeeded: it would cost more than the connection's threshold.
        """
        rows = self._rows(max_rows)
        verdict = await self._judged(query, rows)
        passed = await self._through_gate(verdict)
        started = perf_counter()
        async with self._audited(passed) as reading:
            table = await self.warehouse.fetch(
                passed.query, max_rows=rows, ceiling=self._ceiling(passed)
            )
            reading.rows = len(table.rows)
        self._record(passed, rows=len(table.rows), seconds=perf_counter() - started)
        return table

    async def estimate(self, query: Query | str) -> CostEstimate:
        """Say what a query would read, without running it and without asking anybody.

        Raises:
            NotPossible: the guard refused it, or the database rejected it.
        """
        verdict = await self._judged(query, self._rows(None))
        return await self._estimated(_allowed(verdict))

    async def stream(self, query: Query | str, *, batch_rows: int) -> AsyncGenerator[Table, None]:
        """Yield all rows in batches, up to the connection's cap for exports; closing ends it.

        A query that was approved for `fetch` is approved for this, too.

        Raises:
            as `fetch` does, with the first batch.
        """
        rows = self.connection.limits.export_rows
        verdict = await self._judged(query, rows)
        shown = await self._judged(query, self._rows(None))
        passed = await self._through_gate(verdict, also=_allowed(shown))
        started = perf_counter()
        async with self._audited(passed) as reading:
            batches = self.warehouse.stream(
                passed.query, batch_rows=batch_rows, max_rows=rows, ceiling=self._ceiling(passed)
            )
            try:
                async for batch in batches:
                    reading.rows += len(batch.rows)
                    yield batch
            finally:
                if isinstance(batches, AsyncGenerator):
                    await batches.aclose()
        self._record(passed, rows=reading.rows, seconds=perf_counter() - started)

    def _rows(self, asked: int | None) -> int:
        most = self.connection.limits.rows
        return most if asked is None else max(0, min(asked, most))

    async def _judged(self, query: Query | str, rows: int) -> Verdict:
        if isinstance(query, str) and len(query) > LONG_STATEMENT:
            return await asyncio.to_thread(self.guard.judge, query, max_rows=rows)
        return self.guard.judge(query, max_rows=rows)

    def _audited(self, passed: _Passed) -> AbstractAsyncContextManager[Reading]:
        return self.audit.of(passed.query, estimate=passed.estimate, approved=passed.approved)

    def _ceiling(self, passed: _Passed) -> Ceiling:
        here = self.connection
        estimate = passed.estimate if passed.approved else None
        return ceiling_for(here.thresholds, here.limits, here.prices, approved=estimate)

    async def _estimated(self, query: GuardedQuery) -> CostEstimate:
        estimate = await self.warehouse.estimate(query)
        if estimate.seconds is None and estimate.confidence != "unknown":
            seconds = usual_seconds(estimate, await self.audit.past())
            estimate = estimate.model_copy(update={"seconds": seconds})
        return priced(estimate, self.connection.prices)

    async def _through_gate(self, verdict: Verdict, *, also: GuardedQuery | None = None) -> _Passed:
        """Let a query through that is cheap or approved; else ask."""
        query = _allowed(verdict)
        hashes = {query.hash, also.hash if also else query.hash}
        approval = next((each for each in self.approved if each.query_hash in hashes), None)
        if approval is not None:
            return _Passed(query, verdict.reads, approval.estimate, approved=True)
        if self._is_cheap(verdict):
            return _Passed(query, verdict.reads)
        try:
            estimate = await self._estimated(query)
        except TemporarilyUnavailable:
            estimate = CostEstimate()  # a plan that takes too long says nothing
        if estimate.confidence == "unknown" and self._is_small_and_embedded():
            return _Passed(query, verdict.reads, estimate)
        gate = weigh(estimate, self.connection.thresholds, relations=query.relations)
        if gate.asks:
            raise ApprovalNeeded(
                Approval(
                    id=DecisionId(fresh_id()),
                    reason=gate.reason,
                    sql=query.sql,
                    query_hash=query.hash,
                    estimate=estimate,
                )
            )
        return _Passed(query, verdict.reads, estimate)

    def _is_cheap(self, verdict: Verdict) -> bool:
        if not has_thresholds(self.connection.thresholds):
            return True
        if verdict.makes_rows:
            return False
        here = self.connection
        return is_small(verdict.reads, self._sizes(), here.thresholds, here.prices)

    def _is_small_and_embedded(self) -> bool:
        sizes = (table.row_estimate for table in self.guard.catalog.tables)
        embedded = self.connection.dialect in _EMBEDDED
        return embedded and is_small_database(sizes, self.connection.thresholds)

    def _sizes(self) -> dict[str, int | None]:
        return {each.qualified_name: each.row_estimate for each in self.guard.catalog.tables}

    def _record(self, passed: _Passed, *, rows: int, seconds: float) -> None:
        query, read = passed.query, passed.estimate or self._whole_tables(passed)
        self.executed.append(ExecutedSql(sql=query.sql, rows=rows, seconds=seconds, read=read))

    def _whole_tables(self, passed: _Passed) -> CostEstimate | None:
        """Return what a query reads that was not worth a plan: all of its tables."""
        sizes = self._sizes()
        rows = [sizes.get(name) for name in passed.reads]
        known = [count for count in rows if count is not None]
        if not known or len(known) < len(rows):
            return None
        return CostEstimate(rows=float(sum(known)), confidence="upper_bound")


def _allowed(verdict: Verdict) -> GuardedQuery:
    if verdict.query is None:
        raise Refused(verdict.rule, verdict.reason)
    return verdict.query
