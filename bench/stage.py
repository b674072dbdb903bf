"""A product without surfaces: the real agent, tools, guard, warehouse and state, a scripted model.

A turn does what it does in the application: the thread is loaded and saved, each event is
logged, each query is audited, what was used is counted.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import core.tools
from adapters.inmemory.chart_renderer import InMemoryCharts
from adapters.inmemory.clock import SystemClock
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.inmemory.web_search import InMemoryWebSearch
from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import OpenAIProtocolSettings
from adapters.storage.opening import State, open_state
from adapters.storage.usage_log import StoredUsageLog
from adapters.warehouses.opening import open_warehouse
from bot.heap import settle
from core.agent.agent import SingleLLMAgent
from core.context import ExecutionContext
from core.domain.budget import Budget
from core.domain.catalog import Catalog
from core.domain.connection import Connection
from core.domain.conversation import Exchange, Thread, Turn
from core.domain.events import Event, TurnFinished
from core.domain.ids import (
    ActorId,
    ConnectionName,
    RunId,
    ThreadId,
    TurnId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor
from core.domain.usage import TurnUsage
from core.ports.chat_model import ChatModel
from core.ports.warehouse import Warehouse
from core.prompt_library import load
from core.sql.audit_trail import AuditTrail
from core.toolkit.catalogue import discover
from core.toolkit.family import Family

SHOP = ConnectionName("shop")
ASKER = Actor(id=ActorId("bench"), workspace=WorkspaceId("bench"), name="Bench")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What turns share; every turn gets a thread of its own."""

    agent: SingleLLMAgent
    model: ChatModel
    warehouse: Warehouse
    catalog: Catalog
    state: State

    def context(self, question: str, thread: Thread | None = None) -> ExecutionContext:
        clock = SystemClock()
        thread = thread or Thread(id=ThreadId(fresh_id()))
        turn = Turn(
            id=TurnId(fresh_id()),
            run=RunId(fresh_id()),
            thread=thread.id,
            actor=ASKER,
            question=question,
            asked_at=datetime.now(UTC),
        )
        return ExecutionContext(
            turn=turn,
            thread=thread,
            connection=Connection(name=SHOP, dialect=self.catalog.dialect),
            catalog=self.catalog,
            warehouse=self.warehouse,
            model=self.model,
            charts=InMemoryCharts(),
            files=InMemoryFileStore(),
            paused=self.state.paused,
            web=InMemoryWebSearch(),
            clock=clock,
            budget=Budget(),
            memory="",
            audit=AuditTrail(log=self.state.audit, turn=turn, connection=SHOP, clock=clock),
        )

    async def turn(self, question: str) -> list[Event]:
        """Run one turn to its end.

        Raises:
            RuntimeError: it was not answered, so that a broken run is never measured as a fast one.
        """
        ctx = self.context(question, await self.state.threads.load(ThreadId(fresh_id())))
        await self.state.run_log.begin(ctx.turn.run)
        events = [event async for event in self._recorded(ctx)]
        end = events[-1]
        if end.kind != "turn_finished":
            raise RuntimeError(f"the turn ended as {end}")
        return events

    async def _recorded(self, ctx: ExecutionContext) -> AsyncGenerator[Event]:
        async for event in self.agent.run(ctx):
            if isinstance(event, TurnFinished):
                async with asyncio.TaskGroup() as keeping:
                    keeping.create_task(self._remember(ctx, event))
                    keeping.create_task(self._count(ctx, event))
                    keeping.create_task(self._told(ctx, event))
            else:
                await self._told(ctx, event)
            yield event

    async def _told(self, ctx: ExecutionContext, event: Event) -> None:
        await self.state.run_log.append(ctx.turn.run, event)

    async def _remember(self, ctx: ExecutionContext, finished: TurnFinished) -> None:
        exchange = Exchange(question=ctx.turn.question, asked_by=ASKER, answer=finished.answer)
        await self.state.threads.append(ctx.thread.id, exchange)

    async def _count(self, ctx: ExecutionContext, finished: TurnFinished) -> None:
        usage = finished.answer.usage
        await StoredUsageLog(self.state.database).record(
            TurnUsage(
                at=ctx.clock.now(),
                turn=ctx.turn.id,
                actor=ASKER.id,
                actor_name=ASKER.name,
                workspace=ASKER.workspace,
                connection=SHOP,
                tokens=usage.input_tokens + usage.output_tokens,
                usd=usage.usd,
            )
        )


@asynccontextmanager
async def stage(url: str) -> AsyncGenerator[Stage]:
    """Open a product on a small SQLite database, its model at `url`."""
    model = OpenAIProtocolModel(OpenAIProtocolSettings(model="m", base_url=url))
    with tempfile.TemporaryDirectory() as folder:
        warehouse = await open_warehouse(str(_shop(Path(folder) / "shop.sqlite")))
        try:
            async with open_state(f"sqlite:///{folder}/state.sqlite", SystemClock()) as state:
                product = Stage(
                    agent=SingleLLMAgent(discover(core.tools), load(families=Family)),
                    model=model,
                    warehouse=warehouse,
                    catalog=await warehouse.inspect(),
                    state=state,
                )
                settle()
                yield product
        finally:
            await model.close()
            await warehouse.close()


def _shop(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL, day TEXT)")
        database.executemany(
            "INSERT INTO orders (amount, day) VALUES (?, ?)",
            [(n * 1.5, f"2025-{n % 12 + 1:02}-01") for n in range(500)],
        )
        database.commit()
    return path
