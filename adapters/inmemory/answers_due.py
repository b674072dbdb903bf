"""Answers that are due, in memory: nothing of it outlives the process, and nothing is left."""

from collections import OrderedDict
from dataclasses import dataclass, field

from core.domain.conversation import AnswerDue, Turn
from core.domain.ids import MessageId, RunId

_REMEMBERED = 10_000


@dataclass(slots=True)
class InMemoryAnswersDue:
    """Remembers which messages it has seen; whoever owes an answer here is this process."""

    _turns: OrderedDict[MessageId, Turn] = field(default_factory=OrderedDict[MessageId, Turn])

    async def take(self, message: MessageId, turn: Turn, *, reply_to: str = "") -> Turn:
        taken = self._turns.setdefault(message, turn)
        while len(self._turns) > _REMEMBERED:
            self._turns.popitem(last=False)
        return taken

    async def note(self, run: RunId, standing: str) -> None:
        return None

    async def shown(self, run: RunId) -> None:
        return None

    async def left(self, reply_to: str) -> tuple[AnswerDue, ...]:
        return ()
