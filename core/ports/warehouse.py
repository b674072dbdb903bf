"""Read-only access to one connection."""

from collections.abc import AsyncIterator
from typing import Protocol

from core.domain.catalog import Catalog
from core.domain.login import RoleWarnings
from core.domain.query import NO_CEILING, Ceiling, CostEstimate, Dialect, GuardedQuery
from core.domain.table import Table


class Warehouse(Protocol):
    """Kept honest by tests/conformance/warehouse.py, which every implementation runs.

    - `inspect` lists what the connection's login may read, with keys, comments, row estimates and
      the values of columns that have few.
    - `estimate` plans the query, under a time-out of a few seconds, and reads no data; what the
      engine does not say is None, and a plan it does not give has confidence "unknown".
    - `fetch` returns at most `max_rows` rows and sets `truncated` when more were there (or when
      the connection's byte cap ended it). Column names that occur twice are kept apart
      (`name`, `name_2`); decimals stay exact.
    - `stream` yields tables of at most `batch_rows` rows with constant memory, `max_rows` in all;
      at least one, so that a query without rows still has its columns. Closing it early ends the
      query.
    - `ceiling` is passed on to engines that end a query which reads more; others ignore it.
    - All of them run in a read-only transaction that is always rolled back, within the
      connection's seconds; cancelling the task cancels the query in the database.
    - They raise QueryRejected with the database's own words when it rejects the query,
      TemporarilyUnavailable for a lost connection, a lock or a time-out, and ConnectionUnusable
      (from `inspect` and `role_warnings`) when nothing can be read at all.
    - `role_warnings` says what the login may do besides reading; of a file there is nothing to say.
    """

    @property
    def dialect(self) -> Dialect: ...

    async def inspect(self) -> Catalog: ...

    async def estimate(self, query: GuardedQuery) -> CostEstimate: ...

    async def fetch(
        self, query: GuardedQuery, *, max_rows: int, ceiling: Ceiling = NO_CEILING
    ) -> Table: ...

    def stream(
        self, query: GuardedQuery, *, batch_rows: int, max_rows: int, ceiling: Ceiling = NO_CEILING
    ) -> AsyncIterator[Table]: ...

    async def role_warnings(self) -> RoleWarnings: ...

    async def close(self) -> None: ...
