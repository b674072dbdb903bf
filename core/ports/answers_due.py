"""Which messages were taken to be answered, and whether their answers stand."""

from typing import Protocol

from core.domain.conversation import AnswerDue, Turn
from core.domain.ids import MessageId, RunId


class AnswersDue(Protocol):
    """Kept honest by tests/conformance/answers_due.py.

    - `take` keeps that a message started a turn, and returns the turn that it started: the given
      one, or the earlier one where it was taken before, by whatever process. An answer is owed
      only where it has somewhere to go: `reply_to` is the platform's own word for that.
    - `note` keeps what stands there for a run, in the platform's own words.
    - `shown` says that the answer of a run stands.
    - `left` gives the answers that processes which are gone still owed, where `reply_to` begins
      so. Each is given once, however many ask: whoever gets it owes it from then on.
    """

    async def take(self, message: MessageId, turn: Turn, *, reply_to: str = "") -> Turn: ...

    async def note(self, run: RunId, standing: str) -> None: ...

    async def shown(self, run: RunId) -> None: ...

    async def left(self, reply_to: str) -> tuple[AnswerDue, ...]: ...
