"""The whole application with the offline analyst, and threads of questions over databases."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.bootstrap import App, open_app
from bot.settings import ConnectionSettings, LimitSettings, Settings
from core.domain.answer import Answer
from core.domain.decisions import Clarification, Clarified
from core.domain.events import Event, TurnFinished, TurnPaused
from core.domain.ids import ActorId, RunId, fresh_id
from core.domain.plan import TaskLine
from tests.kit.grammar import assert_well_formed
from tests.kit.turn_stage import message


@dataclass(slots=True)
class ProductThread:
    """One thread over one connection; `events` are those of the turn that was asked last."""

    app: App
    connection: str
    name: str = field(default_factory=fresh_id)
    events: list[Event] = field(default_factory=list[Event])

    async def ask(self, question: str, *, choose: str = "") -> Answer:
        """Ask, press the option that holds `choose` if asked back, and return the answer."""
        end = await self.end(question)
        if choose and isinstance(end, TurnPaused):
            decision = end.decision
            assert isinstance(decision, Clarification)
            option = next(each for each in decision.options if choose in each)
            pressed = Clarified(decision=decision.id, actor=ActorId("p1"), text=option)
            end = await self._followed((await self.app.turns.decide(pressed)).run)
        assert isinstance(end, TurnFinished), end
        return end.answer

    async def end(self, question: str) -> Event:
        asked = message(question, thread=self.name, connection=self.connection)
        return await self._followed((await self.app.turns.start(asked)).run)

    @property
    def plan(self) -> tuple[TaskLine, ...]:
        """Return the lines of the plan as they stood last."""
        plans = [getattr(each, "tasks", ()) for each in self.events if hasattr(each, "tasks")]
        return plans[-1] if plans else ()

    async def _followed(self, run: RunId) -> Event:
        log = self.app.outside.run_log
        self.events = [event async for _, event in log.follow(run)]
        assert_well_formed(self.events)
        return self.events[-1]


@dataclass(frozen=True, slots=True)
class Product:
    """The application; `thread` opens a new one over a connection."""

    app: App

    def thread(self, connection: str) -> ProductThread:
        return ProductThread(self.app, connection)


@asynccontextmanager
async def product(state_dir: Path, databases: Mapping[str, Path]) -> AsyncGenerator[Product]:
    """Open the application over some SQLite databases, by name."""
    connections = {
        name: ConnectionSettings.model_validate({"url": str(path)})
        for name, path in databases.items()
    }
    settings = Settings(
        state_dir=state_dir,
        connections=connections,
        limits=LimitSettings(questions_per_minute=10_000, burst=10_000),
    )
    async with open_app(settings) as app:
        yield Product(app)
