"""Turns as the application runs them, on a small SQLite shop, with a model that plays a script."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

import core.tools
from adapters.inmemory.answers_due import InMemoryAnswersDue
from adapters.inmemory.audit_log import InMemoryAuditLog
from adapters.inmemory.chart_renderer import InMemoryCharts
from adapters.inmemory.chat_model import ScriptedModel, Step
from adapters.inmemory.clock import SystemClock
from adapters.inmemory.data_dictionary import InMemoryDictionary
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.inmemory.paused_runs import InMemoryPausedRuns
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from adapters.inmemory.run_log import InMemoryRunLog
from adapters.inmemory.thread_store import InMemoryThreadStore
from adapters.inmemory.web_search import InMemoryWebSearch
from adapters.warehouses.opening import open_warehouse
from bot.connections import Connections
from bot.permits import Directory, Permits
from bot.settings import ConnectionSettings, LimitSettings
from bot.turn_gate import TurnGate
from bot.turns import Outside, Turns
from core.agent.agent import SingleLLMAgent
from core.domain.audit import AuditEntry, AuditSearch
from core.domain.budget import Budget
from core.domain.chat import ChatReply, ToolCall
from core.domain.conversation import InboundMessage, Turn
from core.domain.events import Event
from core.domain.ids import (
    ActorId,
    ConnectionName,
    MessageId,
    ThreadId,
    ToolCallId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor, Place
from core.ports.answers_due import AnswersDue
from core.ports.audit_log import AuditLog
from core.ports.clock import Clock
from core.ports.data_dictionary import DataDictionary
from core.ports.paused_runs import PausedRuns
from core.ports.run_log import RunLog
from core.ports.thread_store import ThreadStore
from core.prompt_library import load
from core.toolkit.catalogue import discover
from core.toolkit.family import Family
from tests.kit.grammar import assert_well_formed

INTENT = orjson.dumps({"primary_intent": "analyze", "confidence": 1.0}).decode()
AGENT = SingleLLMAgent(discover(core.tools), load(families=Family))


def message(
    text: str,
    *,
    person: str = "p1",
    thread: str = "th",
    id: str = "",
    place: Place | None = None,
    connection: str | None = None,
) -> InboundMessage:
    return InboundMessage(
        id=MessageId(id or fresh_id()),
        thread=ThreadId(thread),
        actor=Actor(id=ActorId(person), workspace=WorkspaceId("w"), name=f"Person {person}"),
        text=text,
        sent_at=datetime(2026, 11, 30, tzinfo=UTC),
        place=place or Place(platform="page"),
        connection=ConnectionName(connection) if connection else None,
    )


def calling(tool: str, **arguments: object) -> ChatReply:
    call = ToolCall(ToolCallId(fresh_id()), tool, orjson.dumps(arguments).decode())
    return ChatReply(text="", tool_calls=(call,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What a process keeps; the stores of a state database fit as well."""

    threads: ThreadStore
    paused: PausedRuns
    run_log: RunLog
    audit: AuditLog
    due: AnswersDue

    @classmethod
    def in_memory(cls, clock: Clock) -> Stores:
        return cls(
            threads=InMemoryThreadStore(),
            paused=InMemoryPausedRuns(clock),
            run_log=InMemoryRunLog(),
            audit=InMemoryAuditLog(),
            due=InMemoryAnswersDue(),
        )


@dataclass(frozen=True, slots=True)
class Bench:
    turns: Turns
    model: ScriptedModel

    async def events(self, turn: Turn) -> list[Event]:
        events = [event async for _, event in self.turns.outside.run_log.follow(turn.run)]
        assert_well_formed(events)
        return events

    async def end(self, asked: InboundMessage) -> Event:
        return (await self.events(await self.turns.start(asked)))[-1]

    async def audited(self) -> list[AuditEntry]:
        """Return what the audit log has, the oldest first."""
        entries = await self.turns.outside.audit.entries(AuditSearch(), at_most=100)
        return list(reversed(entries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a test may choose; `connections` are further settings of each connection by name."""

    connections: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: {"shop": dict[str, object]()}
    )
    directory: Directory = field(default_factory=Directory)
    burst: int = 10
    clock: Clock = field(default_factory=SystemClock)
    stores: Stores | None = None
    dictionary: DataDictionary = field(default_factory=InMemoryDictionary)


@asynccontextmanager
async def opened(
    path: Path | str, *script: Step, setting: Setting | None = None
) -> AsyncGenerator[Bench]:
    chosen = setting or Setting()
    model, clock = ScriptedModel(script), chosen.clock
    stores = chosen.stores or Stores.in_memory(clock)
    connections = Connections(
        known={
            ConnectionName(name): ConnectionSettings.model_validate({"url": str(path), **more})
            for name, more in chosen.connections.items()
        },
        default=ConnectionName("shop"),
        open_warehouse=lambda _, settings: open_warehouse(settings.url.get_secret_value()),
        clock=clock,
    )
    outside = Outside(
        model=model,
        charts=InMemoryCharts(),
        files=InMemoryFileStore(),
        threads=stores.threads,
        paused=stores.paused,
        run_log=stores.run_log,
        audit=stores.audit,
        due=stores.due,
        web=InMemoryWebSearch(),
        clock=clock,
        connections=connections,
        dictionary=chosen.dictionary,
    )
    async with asyncio.TaskGroup() as tasks:
        limits = LimitSettings(questions_per_minute=1, burst=chosen.burst)
        limiter = InMemoryRateLimiter(clock, per_minute=1, burst=chosen.burst)
        turns = Turns(
            agent=AGENT,
            gate=TurnGate(limiter=limiter, limits=limits),
            permits=Permits(connections=connections, directory=chosen.directory),
            outside=outside,
            budget=Budget(),
            tasks=tasks,
        )
        yield Bench(turns, model)
        await turns.drain(5)
    await connections.close()


def small_shop(path: Path) -> Path:
    """Write a shop of two orders; each has an email address."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL, email TEXT)")
        database.executemany(
            "INSERT INTO orders (amount, email) VALUES (?, ?)",
            [(1.0, "ann@secret"), (2.5, "bob@secret")],
        )
        database.commit()
    return path
