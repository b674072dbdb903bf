"""The events of runs: at once for those who follow in this process, and soon in the database.

Events are written down together, a few times a second, so that a streamed word costs little; the
last event of a run is kept for good before anybody sees it, so that no answer that was shown can
be lost with its process. Whoever follows a run of another
process, or one that has ended, reads the tables. A run whose process died is given its end there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import get_args

from pydantic import ValidationError

from adapters.storage import run_tables
from adapters.storage.database import Database, Transaction, moment
from adapters.storage.event_lines import decode, encode
from adapters.storage.run_tables import Found, Part
from core.domain.errors import NotPossible, StateUnusable
from core.domain.events import End, Event
from core.domain.ids import RunId, fresh_id
from core.ports.clock import Clock

log = logging.getLogger(__name__)

SECONDS_TO_LIVE = 30.0
_BETWEEN_SIGNS = timedelta(seconds=10)
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_AFTER_A_FAILURE = 1.0
_MOST_UNWRITTEN = 1_000
_ENDS = get_args(End)
_LOST = "The program that was answering this ended before it was done. Please ask again."


@dataclass(slots=True)
class _Live:
    """A run of this process: `told` of its events may be seen, `written` are in the database."""

    events: list[Event] = field(default_factory=list[Event])
    told: int = 0
    written: int = 0
    is_known: bool = False
    ended: bool = False
    _grown: asyncio.Event | None = None

    def add(self, event: Event) -> int:
        self.events.append(event)
        self.ended = isinstance(event, _ENDS)
        return len(self.events)

    def tell(self) -> None:
        """Let those who follow see every event that has come."""
        self.told = len(self.events)
        if self._grown is not None:
            # Those who wait hold this signal; the next ones wait for another.
            self._grown.set()
            self._grown = None

    async def more(self) -> None:
        """Wait until there is one more event to see."""
        if self._grown is None:
            self._grown = asyncio.Event()
        await self._grown.wait()


@dataclass(slots=True)
class StoredRunLog:
    """`keep_writing` has to run all the while: it writes down what `append` took.

    While the database is away runs go on; what they tell is kept in memory and written later.
    """

    database: Database
    clock: Clock
    seconds_together: float = 0.25
    process: str = field(default_factory=fresh_id)
    _live: dict[RunId, _Live] = field(default_factory=dict[RunId, _Live])
    _unwritten: dict[RunId, _Live] = field(default_factory=dict[RunId, _Live])
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _failing: bool = False
    _shown: datetime | None = None  # when this process last said that it is there

    def __len__(self) -> int:
        """Return how many runs are held in memory."""
        return len(self._live)

    @property
    def has_unwritten(self) -> bool:
        return bool(self._unwritten)

    async def begin(self, run: RunId) -> None:
        self._changed(run, self._live_of(run))

    async def append(self, run: RunId, event: Event) -> int:
        live = self._live_of(run)
        position = live.add(event)
        self._changed(run, live)
        try:
            if live.ended and not self._failing:
                await self._written()
        finally:
            live.tell()
        return position

    async def follow(self, run: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, Event]]:
        live = self._live.get(run)
        events = self._from_tables(run, after) if live is None else _from_memory(live, after)
        async for each in events:
            yield each

    async def keep_writing(self) -> None:
        """Write down what has come, and a sign of life while runs go on; until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_BETWEEN_SIGNS.total_seconds() if self._live else None):
                    await self._wanted.wait()
                await asyncio.sleep(self.seconds_together)
            if not await self._written():
                await asyncio.sleep(_SECONDS_AFTER_A_FAILURE)

    async def flush(self) -> None:
        """Write down everything that has come so far.

        Raises:
            StateUnusable: it cannot be written; it stays in memory for the next time.
        """
        async with self._writing:
            self._wanted.clear()
            batch, self._unwritten = self._unwritten, {}
            try:
                parts = list(_parts(batch))
                await self.database.run(self._job(parts))
            except BaseException:
                self._unwritten = {**batch, **self._unwritten}
                raise
            for part in parts:
                self._settle(part)

    def _job(self, parts: Sequence[Part]) -> Callable[[Transaction], None]:
        """Return what writes the parts, and a sign of life where it is time for one."""
        now = self.clock.now()
        due = self._shown is None or now - self._shown > _BETWEEN_SIGNS / 2
        if due:
            self._shown = now

        def job(transaction: Transaction) -> None:
            if due:
                run_tables.show_life(transaction, process=self.process, now=moment(now))
            run_tables.write(transaction, process=self.process, now=moment(now), parts=parts)

        return job

    async def _written(self) -> bool:
        """Flush, and say whether it worked; what did not is tried again later."""
        try:
            await self.flush()
        except StateUnusable as error:
            log.warning("events are not written down: %s", error)
            self._wanted.set()
            self._failing = True
        else:
            self._failing = False
        return not self._failing

    def _changed(self, run: RunId, live: _Live) -> None:
        self._unwritten[run] = live
        self._wanted.set()

    def _settle(self, part: Part) -> None:
        live = self._live[part.run]
        live.written, live.is_known = part.last, True
        if live.ended and live.written == len(live.events):
            del self._live[part.run]

    def _live_of(self, run: RunId) -> _Live:
        if run not in self._live:
            self._make_room()
            self._live[run] = _Live()
        return self._live[run]

    def _make_room(self) -> None:
        """Give up the oldest ended run when the database has been away for very long."""
        if len(self._live) < _MOST_UNWRITTEN:
            return
        oldest = next((run for run, live in self._live.items() if live.ended), None)
        if oldest is not None:
            log.error("the events of run %s are lost: they could not be written down", oldest)
            del self._live[oldest]
            self._unwritten.pop(oldest, None)

    async def _from_tables(self, run: RunId, after: int) -> AsyncIterator[tuple[int, Event]]:
        given = max(after, 0)
        while True:
            found = await self.database.run(partial(run_tables.find, run=run, after=given))
            if found is None:
                raise NotPossible(f"There is no run {run!r}; it may be too long ago.")
            for position, event in _events(found, given):
                given = position
                yield position, event
            if found.ended:
                return
            if self._is_lost(found):
                await self._close(run)
            else:
                await self.clock.sleep(_SECONDS_BETWEEN_LOOKS)

    def _is_lost(self, found: Found) -> bool:
        if found.process == self.process:
            return True  # it is not among the runs of this process any more
        return found.seen_at < moment(self.clock.now() - timedelta(seconds=SECONDS_TO_LIVE))

    async def _close(self, run: RunId) -> None:
        error_id = fresh_id()[:12]
        log.warning("run %s was left by its process", run, extra={"error_id": error_id})
        await self.database.run(partial(run_tables.close, run=run, reason=_LOST, error_id=error_id))


async def _from_memory(live: _Live, after: int) -> AsyncIterator[tuple[int, Event]]:
    given = max(after, 0)
    while True:
        while given < live.told:
            given += 1
            yield given, live.events[given - 1]
        if live.ended and live.told == len(live.events):
            return
        await live.more()


def _parts(batch: dict[RunId, _Live]) -> Iterator[Part]:
    for run, live in batch.items():
        yield Part(
            run=run,
            first=live.written + 1,
            last=len(live.events),
            lines=encode(live.events[live.written :]),
            is_known=live.is_known,
            ended=live.ended,
        )


def _events(found: Found, after: int) -> Iterator[tuple[int, Event]]:
    try:
        for first, lines in found.parts:
            for position, event in enumerate(decode(lines), start=first):
                if position > after:
                    yield position, event
    except ValidationError as error:
        raise NotPossible(
            "That run was kept by another version of this program and cannot be read any more."
        ) from error
