"""Answers that are due, in the state database: a message is taken once among all processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial

from pydantic import TypeAdapter

from adapters.storage import run_tables
from adapters.storage.database import Database, Transaction, Value, moment, only
from adapters.storage.run_log import SECONDS_TO_LIVE
from core.domain.conversation import AnswerDue, Turn
from core.domain.errors import StateUnusable
from core.domain.ids import MessageId, RunId, ThreadId
from core.ports.clock import Clock

_SECONDS_BETWEEN_SIGNS = SECONDS_TO_LIVE / 3
_TAKE = """
    INSERT INTO answers_due
      (message, run, turn, reply_to, standing, process, shown, taken_at, may_begin_again)
    VALUES (:message, :run, :turn, :reply_to, '', :process, :shown, :now, :again)
    ON CONFLICT (message) DO NOTHING RETURNING run
"""
_TAKEN = "SELECT turn FROM answers_due WHERE message = :message"
_KEEP = "UPDATE answers_due SET turn = :turn WHERE run = :run"
_NOTE = "UPDATE answers_due SET standing = :standing WHERE run = :run"
_SHOWN = "UPDATE answers_due SET shown = 1 WHERE run = :run"
_FIND = "SELECT turn, reply_to, standing FROM answers_due WHERE run = :run"
_OWED = "SELECT turn FROM answers_due WHERE shown = 0 ORDER BY taken_at"
_WHOSE = "SELECT process FROM answers_due WHERE run = :run"
_LEFT = """
    SELECT run, turn, reply_to, standing, process FROM answers_due
    WHERE shown = 0 AND process <> :process AND substr(reply_to, 1, :length) = :reply_to
    AND process NOT IN (SELECT process FROM processes WHERE seen_at >= :alive)
"""
# Of two who find it at the same moment, the second finds it owed by the first.
_TAKE_OVER = """
    UPDATE answers_due SET process = :process
    WHERE run = :run AND process = :before AND shown = 0 RETURNING run
"""

_BEGIN_AGAIN = """
    UPDATE answers_due SET run = :run, turn = :turn, may_begin_again = 0
    WHERE run = :lost AND process = :process AND shown = 0 AND may_begin_again = 1
    AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = :lost AND stop_wished = 1)
    RETURNING run
"""


@dataclass(slots=True)
class StoredAnswersDue:
    """`keep_alive` has to run all the while: it says that whoever owes answers is still there."""

    database: Database
    clock: Clock
    process: str
    _owed: set[RunId] = field(default_factory=set[RunId])
    _sign: datetime | None = None  # when this process last said that it is there

    async def take(
        self, message: MessageId, turn: Turn, *, reply_to: str = "", again: bool = False
    ) -> Turn:
        now = self.clock.now()
        row: dict[str, Value] = {
            "message": message,
            "run": turn.run,
            "turn": _shape().dump_json(turn).decode(),
            "reply_to": reply_to,
            "process": self.process,
            "shown": int(not reply_to),
            "now": moment(now),
            "again": int(again),
        }
        job = partial(_take, row=row, sign=bool(reply_to) and self._is_due(now))
        earlier = await self.database.run(job)
        if earlier is not None:
            return _shape().validate_json(earlier)
        if reply_to:
            self._owed.add(turn.run)
        return turn

    async def keep(self, turn: Turn) -> None:
        kept = _shape().dump_json(turn).decode()
        await self.database.run(only(_KEEP, run=turn.run, turn=kept))

    async def note(self, run: RunId, standing: str) -> None:
        await self.database.run(only(_NOTE, run=run, standing=standing))

    async def shown(self, run: RunId) -> None:
        await self.database.run(only(_SHOWN, run=run))
        self._owed.discard(run)

    async def find(self, run: RunId) -> AnswerDue | None:
        for turn, reply_to, standing in await self.database.run(only(_FIND, run=run)):
            read = _shape().validate_json(turn)
            return AnswerDue(turn=read, reply_to=reply_to, standing=standing)
        return None

    async def owed_in(self, thread: ThreadId) -> RunId | None:
        owed = [_shape().validate_json(turn) for (turn,) in await self.database.run(only(_OWED))]
        return next((each.run for each in owed if each.thread == thread), None)

    async def is_ours(self, run: RunId) -> bool:
        if run not in self._owed:
            return True  # it could not be noted when it was taken, so that nobody else knows of it
        found = await self.database.run(only(_WHOSE, run=run))
        return [process for (process,) in found] == [self.process]

    async def left(self, reply_to: str) -> tuple[AnswerDue, ...]:
        now = self.clock.now()
        job = partial(
            _take_over,
            reply_to=reply_to,
            process=self.process,
            now=moment(now),
            alive=moment(now - timedelta(seconds=SECONDS_TO_LIVE)),
        )
        found = await self.database.run(job)
        self._owed.update(due.turn.run for due in found)
        return found

    async def begin_again(self, lost: RunId, turn: Turn) -> bool:
        written = _shape().dump_json(turn).decode()
        job = only(_BEGIN_AGAIN, lost=lost, run=turn.run, turn=written, process=self.process)
        begun = bool(await self.database.run(job))
        if begun:
            self._owed.discard(lost)
            self._owed.add(turn.run)
        return begun

    async def keep_alive(self) -> None:
        """Give a sign of life now and then while answers are owed; until cancelled."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_SIGNS)
            if self._owed:
                with suppress(StateUnusable):
                    now = moment(self.clock.now())
                    await self.database.run(
                        partial(run_tables.show_life, process=self.process, now=now)
                    )

    def _is_due(self, now: datetime) -> bool:
        """Say whether it is time for a sign of life, which then has to be given."""
        between = timedelta(seconds=_SECONDS_BETWEEN_SIGNS)
        due = self._sign is None or now - self._sign >= between
        if due:
            self._sign = now
        return due


def _take(transaction: Transaction, *, row: Mapping[str, Value], sign: bool) -> str | None:
    """Take a message, or return the turn that it has started before."""
    if sign:
        run_tables.show_life(transaction, process=str(row["process"]), now=str(row["now"]))
    if transaction.execute(_TAKE, **row):
        return None
    return str(transaction.execute(_TAKEN, message=row["message"])[0][0])


def _take_over(
    transaction: Transaction, *, reply_to: str, process: str, now: str, alive: str
) -> tuple[AnswerDue, ...]:
    return tuple(_taken_over(transaction, reply_to=reply_to, process=process, now=now, alive=alive))


def _taken_over(
    transaction: Transaction, *, reply_to: str, process: str, now: str, alive: str
) -> Iterator[AnswerDue]:
    found = transaction.execute(
        _LEFT, reply_to=reply_to, length=len(reply_to), process=process, alive=alive
    )
    if found:
        run_tables.show_life(transaction, process=process, now=now)
    for run, turn, place, standing, before in found:
        if transaction.execute(_TAKE_OVER, run=run, process=process, before=before):
            yield AnswerDue(turn=_shape().validate_json(turn), reply_to=place, standing=standing)


@cache
def _shape() -> TypeAdapter[Turn]:
    return TypeAdapter(Turn)
