"""A warehouse behind a driver that blocks: plans and ceilings go to the driver as they are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from adapters.warehouses.parts import Parts, Rows
from adapters.warehouses.sql_warehouse import SqlWarehouse, Ways
from adapters.warehouses.threads.door import ThreadDoor
from adapters.warehouses.threads.session import Ask, Engine, Purpose
from core.domain.connection import Limits
from core.domain.query import Ceiling, GuardedQuery
from core.domain.table import Row

# A cloud service takes its time before it says anything.
_SECONDS_TO_PLAN = 10.0
_MOST_LINES = 100_000


class ThreadWarehouse(SqlWarehouse):
    """Reads through a few threads; `place` names the database and holds no secret."""

    def __init__(self, place: str, ways: Ways, engine: Engine, limits: Limits) -> None:
        self._threads = ThreadDoor(engine, seconds=limits.seconds)
        super().__init__(place, ways, self._threads, limits)

    def _answer(self, query: GuardedQuery, max_rows: int, ceiling: Ceiling) -> Parts:
        ask = Ask(
            sql=query.sql, purpose=Purpose.READ, seconds=self._limits.seconds, ceiling=ceiling
        )
        return self._threads.ask(ask, rows=max_rows + 1)

    async def _plan(self, query: GuardedQuery) -> Sequence[Row]:
        seconds = min(_SECONDS_TO_PLAN, self._limits.seconds)
        ask = Ask(sql=query.sql, purpose=Purpose.PLAN, seconds=seconds)
        async with aclosing(self._threads.ask(ask, rows=_MOST_LINES)) as parts:
            return [row async for part in parts if isinstance(part, Rows) for row in part.rows]
