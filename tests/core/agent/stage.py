"""A run on real parts: a small SQLite shop, all the tools, and a model that plays a script."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from adapters.inmemory.audit_log import InMemoryAuditLog
from adapters.inmemory.chart_renderer import InMemoryCharts
from adapters.inmemory.chat_model import ScriptedModel, Step
from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.inmemory.paused_runs import InMemoryPausedRuns
from adapters.inmemory.web_search import InMemoryWebSearch
from core import tools
from core.agent.agent import SingleLLMAgent
from core.agent.config import AgentConfig
from core.context import ExecutionContext
from core.domain.answer import Answer
from core.domain.budget import Budget
from core.domain.catalog import Catalog
from core.domain.chat import ChatMessage, ChatReply, ChatRequest, ToolCall, ToolMessage
from core.domain.connection import Connection
from core.domain.conversation import Attachment, Exchange, Thread, Turn
from core.domain.decisions import DecisionAnswer
from core.domain.events import Event, TurnFailed, TurnFinished, TurnPaused
from core.domain.ids import (
    ActorId,
    ConnectionName,
    RunId,
    ThreadId,
    ToolCallId,
    TurnId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor, Place
from core.domain.query import Dialect
from core.ports.warehouse import Warehouse
from core.prompt_library import load
from core.sql.audit_trail import AuditTrail
from core.toolkit.catalogue import Catalogue, discover
from core.toolkit.family import Family
from tests.kit.grammar import assert_well_formed

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
ANN = Actor(id=ActorId("ann"), workspace=WorkspaceId("acme"), name="Ann")
SURE = '{"primary_intent": "analyze", "confidence": 0.95, "complexity": "simple"}'
EVERY_TOOL = discover(tools)
PROMPTS = load(families=Family)

_SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  day DATE NOT NULL,
  amount NUMERIC NOT NULL,
  note TEXT
);
INSERT INTO customers VALUES (1, 'Ada', 'Spain'), (2, 'Bo', 'Norway'), (3, 'Cy', 'Spain');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
INSERT INTO orders
SELECT i + 1, i % 3 + 1, date('2026-01-05', '+' || (i * 2) || ' days'), 10 + i,
  CASE WHEN i % 10 = 0 THEN '=1+1' END
FROM n;
"""


def make_shop(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_SHOP)
        connection.commit()


def call(name: str, arguments: object = None, *, id_: str = "") -> ToolCall:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    return ToolCall(ToolCallId(id_ or fresh_id()), name, written)


def query(sql: str, *, title: str = "", id_: str = "") -> ToolCall:
    return call("run_query", {"sql": sql, "title": title}, id_=id_)


def calls(*each: ToolCall, text: str = "") -> ChatReply:
    return ChatReply(text=text, tool_calls=each)


@dataclass(slots=True, kw_only=True)
class Stage:
    """Everything that a run needs; what a test looks at afterwards is kept here."""

    warehouse: Warehouse
    catalog: Catalog
    model: ScriptedModel = field(default_factory=ScriptedModel)
    charts: InMemoryCharts = field(default_factory=InMemoryCharts)
    files: InMemoryFileStore = field(default_factory=InMemoryFileStore)
    web: InMemoryWebSearch = field(default_factory=InMemoryWebSearch)
    audit: InMemoryAuditLog = field(default_factory=InMemoryAuditLog)
    clock: InMemoryClock = field(default_factory=lambda: InMemoryClock(NOW))
    budget: Budget = field(default_factory=Budget)
    config: AgentConfig = field(default_factory=AgentConfig)
    catalogue: Catalogue = EVERY_TOOL
    connection: Connection = field(
        default_factory=lambda: Connection(name=ConnectionName("shop"), dialect=Dialect.SQLITE)
    )
    exchanges: tuple[Exchange, ...] = ()
    memory: str = ""
    last_resort: ScriptedModel | None = None
    attachments: tuple[Attachment, ...] = ()
    place: Place = field(default_factory=Place)
    paused: InMemoryPausedRuns = field(init=False)
    events: list[Event] = field(default_factory=list[Event], init=False)

    def __post_init__(self) -> None:
        self.paused = InMemoryPausedRuns(self.clock)

    def script(self, *steps: Step, intent: Step = SURE) -> None:
        """Let the model say what the intent is, and then these steps."""
        self.model.add(intent, *steps)

    @property
    def agent(self) -> SingleLLMAgent:
        return SingleLLMAgent(self.catalogue, PROMPTS, self.config)

    def context(self, question: str) -> ExecutionContext:
        turn = Turn(
            id=TurnId("turn"),
            run=RunId(fresh_id()),
            thread=ThreadId("here"),
            actor=ANN,
            question=question,
            asked_at=NOW,
            attachments=self.attachments,
            place=self.place,
        )
        return ExecutionContext(
            turn=turn,
            thread=Thread(id=ThreadId("here"), exchanges=self.exchanges),
            connection=self.connection,
            catalog=self.catalog,
            warehouse=self.warehouse,
            model=self.model,
            last_resort=self.last_resort,
            charts=self.charts,
            files=self.files,
            paused=self.paused,
            web=self.web,
            clock=self.clock,
            budget=self.budget,
            memory=self.memory,
            audit=AuditTrail(
                log=self.audit, turn=turn, connection=self.connection.name, clock=self.clock
            ),
        )

    async def ask(
        self, question: str = "What did we sell?", *, stop: asyncio.Event | None = None
    ) -> list[Event]:
        """Run a turn to its end and hold it against the grammar."""
        return await self._all(self.agent.run(self.context(question), stop=stop))

    async def decide(self, answer: DecisionAnswer) -> list[Event]:
        """Take the run that waits for this answer, and go on with it."""
        paused = await self.paused.take(answer.decision)
        assert paused is not None
        ctx = self.context(paused.turn.question)
        ctx = replace(ctx, turn=replace(paused.turn, run=ctx.turn.run))
        return await self._all(self.agent.resume(ctx, paused, answer))

    async def answer(self, question: str = "What did we sell?") -> Answer:
        return finished(await self.ask(question))

    async def _all(self, events: AsyncIterator[Event]) -> list[Event]:
        self.events = [event async for event in events]
        assert_well_formed(self.events)
        return self.events

    @property
    def requests(self) -> list[ChatRequest]:
        """Return what the model was asked after the intent."""
        return [request for request in self.model.requests if not request.json_only]

    def read(self, request: int = -1) -> list[str]:
        """Return the results that a request held, as the model read them."""
        return results(self.requests[request].messages)


def results(messages: Sequence[ChatMessage]) -> list[str]:
    return [message.text for message in messages if isinstance(message, ToolMessage)]


def finished(events: Sequence[Event]) -> Answer:
    last = events[-1]
    assert isinstance(last, TurnFinished), last
    return last.answer


def failed(events: Sequence[Event]) -> TurnFailed:
    last = events[-1]
    assert isinstance(last, TurnFailed), last
    return last


def asked(events: Sequence[Event]) -> TurnPaused:
    last = events[-1]
    assert isinstance(last, TurnPaused), last
    return last


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]
