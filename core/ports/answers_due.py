"""Which messages were taken to be answered, and whether their answers stand."""

from typing import Protocol

from core.domain.conversation import AnswerDue, Turn
from core.domain.ids import MessageId, RunId, ThreadId


class AnswersDue(Protocol):
    """Kept honest by tests/conformance/answers_due.py.

    - `take` keeps that a message started a turn, and returns the turn that it started: the given
      one, or the earlier one where it was taken before, by whatever process. An answer is owed
      only where it has somewhere to go: `reply_to` is the platform's own word for that. `again`
      says that the turn may be begun again when its process is lost.
    - `keep` keeps what has become known of a turn that was taken.
    - `note` keeps what stands there for a run, in the platform's own words.
    - `shown` says that the answer of a run stands.
    - `find` gives what is kept of a run, whether its answer stands or not; None where nothing is.
    - `owed_in` gives the run that a thread has waited for the longest, whoever owes it.
    - `is_ours` says whether this process is the one that answers for a run that was taken. One
      that was slow to give a sign of life may find that another process took it over.
    - `left` gives the answers that processes which are gone still owed, where `reply_to` begins
      so. Each is given once, however many ask: whoever gets it owes it from then on.
    - `begin_again` puts a turn with a new run in the place of one that was lost; False where that
      must not be: it was done before, the run was not to be begun again, or somebody wished that
      it should stop.
    """

    async def take(
        self, message: MessageId, turn: Turn, *, reply_to: str = "", again: bool = False
    ) -> Turn: ...

    async def keep(self, turn: Turn) -> None: ...

    async def note(self, run: RunId, standing: str) -> None: ...

    async def shown(self, run: RunId) -> None: ...

    async def find(self, run: RunId) -> AnswerDue | None: ...

    async def owed_in(self, thread: ThreadId) -> RunId | None: ...

    async def is_ours(self, run: RunId) -> bool: ...

    async def left(self, reply_to: str) -> tuple[AnswerDue, ...]: ...

    async def begin_again(self, lost: RunId, turn: Turn) -> bool: ...
