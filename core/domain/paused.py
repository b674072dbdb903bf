"""A run that stopped to ask, with all that is needed to go on."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.answer import NO_STEPS, ExecutedSql, Shown, Steps
from core.domain.budget import Spend
from core.domain.chat import ChatMessage
from core.domain.conversation import Turn
from core.domain.decisions import Answered, Decision
from core.domain.ids import ConnectionName, ToolCallId


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What the run had done when it stopped: intents, spend, statements, results as shown.

    Where the person is led, the first of the `steps` ahead is the one that has stopped; `told` are
    the findings of those that this turn has done. `answered` are the clarifications so far,
    `assumed` what was taken without asking, as a reader is told of it.
    """

    families: tuple[str, ...] = ()
    spend: Spend = field(default_factory=Spend)
    executed: tuple[ExecutedSql, ...] = ()
    shown: tuple[Shown, ...] = ()
    steps: Steps = NO_STEPS
    told: tuple[str, ...] = ()
    answered: tuple[Answered, ...] = ()
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedRun:
    """`call` is the tool call that asked; the messages end before its result.

    Past `expires_at` the decision counts as a no.
    """

    decision: Decision
    turn: Turn
    connection: ConnectionName
    call: ToolCallId
    messages: tuple[ChatMessage, ...]
    expires_at: datetime
    so_far: SoFar = field(default_factory=SoFar)


class Fate(StrEnum):
    """What became of a decision that was asked for."""

    WAITING = "waiting"
    ANSWERED = "answered"
    EXPIRED = "expired"
    UNKNOWN = "unknown"
