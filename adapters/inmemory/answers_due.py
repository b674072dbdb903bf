"""Answers that are due, in memory: nothing of it outlives the process, and nothing is left."""

from collections import OrderedDict
from dataclasses import dataclass, field

from core.domain.conversation import AnswerDue, Turn
from core.domain.ids import MessageId, RunId, ThreadId

_REMEMBERED = 10_000


@dataclass(slots=True)
class _Due:
    turn: Turn
    reply_to: str
    standing: str = ""
    owed: bool = True


@dataclass(slots=True)
class InMemoryAnswersDue:
    """Remembers which messages it has seen; whoever owes an answer here is this process."""

    _turns: OrderedDict[MessageId, Turn] = field(default_factory=OrderedDict[MessageId, Turn])
    _due: OrderedDict[RunId, _Due] = field(default_factory=OrderedDict[RunId, _Due])

    async def take(
        self, message: MessageId, turn: Turn, *, reply_to: str = "", again: bool = False
    ) -> Turn:
        known = message in self._turns
        taken = self._turns.setdefault(message, turn)
        if not known:
            self._due[turn.run] = _Due(turn, reply_to, owed=bool(reply_to))
            while len(self._due) > _REMEMBERED:
                self._due.popitem(last=False)
        while len(self._turns) > _REMEMBERED:
            self._turns.popitem(last=False)
        return taken

    async def keep(self, turn: Turn) -> None:
        if turn.run in self._due:
            self._due[turn.run].turn = turn

    async def note(self, run: RunId, standing: str) -> None:
        if run in self._due:
            self._due[run].standing = standing

    async def shown(self, run: RunId) -> None:
        if run in self._due:
            self._due[run].owed = False

    async def find(self, run: RunId) -> AnswerDue | None:
        due = self._due.get(run)
        if due is None:
            return None
        return AnswerDue(turn=due.turn, reply_to=due.reply_to, standing=due.standing)

    async def owed_in(self, thread: ThreadId) -> RunId | None:
        owed = (run for run, due in self._due.items() if due.owed and due.turn.thread == thread)
        return next(owed, None)

    async def is_ours(self, run: RunId) -> bool:
        return run in self._due

    async def left(self, reply_to: str) -> tuple[AnswerDue, ...]:
        return ()

    async def begin_again(self, lost: RunId, turn: Turn) -> bool:
        return False
