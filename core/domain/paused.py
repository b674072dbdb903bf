"""A run that stopped to ask, with all that is needed to go on."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.chat import ChatMessage
from core.domain.conversation import Turn
from core.domain.decisions import Decision
from core.domain.ids import ConnectionName, ToolCallId


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
