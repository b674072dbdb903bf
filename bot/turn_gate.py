"""Who may start a turn now: each event once, one turn a thread at a time, within limits."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.settings import LimitSettings
from core.domain.conversation import InboundMessage, Turn
from core.domain.ids import ActorId, MessageId, ThreadId, TurnId, WorkspaceId
from core.ports.rate_limiter import RateLimiter

_REMEMBERED_MESSAGES = 10_000


class Declined(Exception):
    """The message starts no turn; the text is one sentence for the person who sent it."""


class Limited(Declined):
    """The person asks faster than they may; worth another try after `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(
            f"That is more questions a minute than I may take from one person. "
            f"Please ask again in {max(1, round(retry_after))} s."
        )
        self.retry_after = retry_after


@dataclass(slots=True)
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


@dataclass(slots=True, kw_only=True)
class TurnGate:
    """Remembers in memory what it has seen; one gate a process."""

    limiter: RateLimiter
    limits: LimitSettings
    _by_message: OrderedDict[MessageId, Turn] = field(default_factory=OrderedDict[MessageId, Turn])
    _running: dict[TurnId, Turn] = field(default_factory=dict[TurnId, Turn])
    _queues: dict[ThreadId, _Queue] = field(default_factory=dict[ThreadId, _Queue])

    def known(self, message: InboundMessage) -> Turn | None:
        """Return the turn that this very message started, or that answers the same question now."""
        again = (message.thread, message.actor.id, _same_words(message.text))
        running = (turn for turn in self._running.values() if _identity(turn) == again)
        return self._by_message.get(message.id) or next(running, None)

    async def admit(self, message: InboundMessage) -> None:
        """Let the message start a turn.

        Raises:
            Limited: too many questions in a short time.
            Declined: the question is empty or too long; the sentence says what to do.
        """
        if not message.text.strip():
            raise Declined(
                "Please ask a question, for example: how many orders came in last month?"
            )
        longest = self.limits.question_characters
        if len(message.text) > longest:
            raise Declined(
                f"That question has {len(message.text):,} characters; I read at most {longest:,}. "
                f"Please ask the shortest question that you need answered first."
            )
        wait = await self.limiter.admit(f"{message.actor.workspace}/{message.actor.id}")
        if wait > 0:
            raise Limited(wait)

    def opened(self, message: InboundMessage, turn: Turn) -> None:
        """Remember which turn a message started."""
        self._running[turn.id] = turn
        self._by_message[message.id] = turn
        while len(self._by_message) > _REMEMBERED_MESSAGES:
            self._by_message.popitem(last=False)

    def forget(self, workspace: WorkspaceId) -> None:
        """Forget which messages of a workspace were seen."""
        for id, turn in tuple(self._by_message.items()):
            if turn.actor.workspace == workspace:
                del self._by_message[id]

    @asynccontextmanager
    async def in_order(self, turn: Turn) -> AsyncGenerator[None]:
        """Hold the thread for this turn; turns of one thread go in the order in which they came."""
        queue = self._queues.setdefault(turn.thread, _Queue())
        queue.waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                self._queues.pop(turn.thread, None)
            self._running.pop(turn.id, None)


def _same_words(text: str) -> str:
    return " ".join(text.casefold().split())


def _identity(turn: Turn) -> tuple[ThreadId, ActorId, str]:
    return turn.thread, turn.actor.id, _same_words(turn.question)
