"""The runs that go on in this process, and wishes of other processes that one should stop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog

from core.domain.conversation import Turn
from core.domain.errors import StateUnusable
from core.domain.ids import RunId, WorkspaceId
from core.ports.stop_wishes import StopWishes

log = structlog.get_logger()

_SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True, slots=True)
class _Run:
    turn: Turn
    task: asyncio.Task[None]
    stop: asyncio.Event


@dataclass(slots=True, kw_only=True)
class Going:
    """Looks for wishes while a run goes on, and not at all while none does."""

    wishes: StopWishes
    tasks: asyncio.TaskGroup
    _runs: dict[RunId, _Run] = field(default_factory=dict[RunId, _Run])
    _watch: asyncio.Task[None] | None = None

    def __contains__(self, run: RunId) -> bool:
        return run in self._runs

    def add(self, turn: Turn, task: asyncio.Task[None], stop: asyncio.Event) -> None:
        """Keep a run until its task has ended."""
        self._runs[turn.run] = _Run(turn, task, stop)
        task.add_done_callback(lambda _: self._ended(turn.run))
        if self._watch is None:
            self._watch = self.tasks.create_task(self._watched(), name="stop_wishes")

    def stop(self, run: RunId) -> bool:
        """Stop a run and its query; False when it does not go on here."""
        going = self._runs.get(run)
        if going is not None:
            going.stop.set()
        return going is not None

    async def stop_all(self, workspace: WorkspaceId) -> None:
        """Stop what goes on for a workspace, and wait for its ends."""
        theirs = [each for each in self._runs.values() if each.turn.actor.workspace == workspace]
        for each in theirs:
            each.stop.set()
        if theirs:
            await asyncio.wait([each.task for each in theirs])

    async def drain(self, seconds: float) -> None:
        """Let what goes on end within these seconds, then stop it; each still gets its end."""
        running = tuple(self._runs.values())
        if not running:
            return
        await asyncio.wait([each.task for each in running], timeout=seconds)
        for each in running:
            each.stop.set()
        await asyncio.wait([each.task for each in running])

    def _ended(self, run: RunId) -> None:
        self._runs.pop(run, None)
        if not self._runs and self._watch is not None:
            self._watch.cancel()
            self._watch = None

    async def _watched(self) -> None:
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                wished = await self.wishes.wished()
            except StateUnusable as error:
                log.warning("stop_wishes_not_read", reason=str(error))
                continue
            for run in wished:
                self.stop(run)
