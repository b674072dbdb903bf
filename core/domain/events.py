"""What a run tells the world, in order.

    TurnStarted  (Progress | PlanChanged | TextWritten | TextWithdrawn | ToolCallStarted
                  | ToolCallFinished | ArtifactMade)*  end
    end = TurnFinished | TurnPaused | TurnFailed

Events carry ids, names and values; they never carry a class, a client or a callback. Their JSON
form is one object with its `kind`; `dump` and `load` are its only writer and reader, and a
server-sent event is `id: <position>`, `event: <kind>`, `data: <that object>`.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from core.domain.answer import Answer, Shown
from core.domain.decisions import Approval, Clarification
from core.domain.ids import RunId, ThreadId, ToolCallId, TurnId
from core.domain.plan import TaskLine

STOPPED = "Stopped, as you asked."


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    turn_id: TurnId


class TurnStarted(_Event):
    """Comes first, once."""

    kind: Literal["turn_started"] = "turn_started"
    run_id: RunId
    thread_id: ThreadId
    question: str


class Progress(_Event):
    """What is going on, in a few words for the reader; replaces the words before."""

    kind: Literal["progress"] = "progress"
    text: str


class PlanChanged(_Event):
    """The whole plan as it stands now; a task that was shown stays, and one that ended stays so."""

    kind: Literal["plan_changed"] = "plan_changed"
    tasks: tuple[TaskLine, ...]


class TextWritten(_Event):
    """The next piece of the answer's text."""

    kind: Literal["text_written"] = "text_written"
    text: str


class TextWithdrawn(_Event):
    """All text so far is void: it was a thought before a tool call, or it did not hold."""

    kind: Literal["text_withdrawn"] = "text_withdrawn"


class ToolCallStarted(_Event):
    """Exactly one ToolCallFinished with the same call_id follows."""

    kind: Literal["tool_call_started"] = "tool_call_started"
    call_id: ToolCallId
    tool: str
    title: str


class ToolCallFinished(_Event):
    """`summary` is the finding, or what went wrong in words for the reader."""

    kind: Literal["tool_call_finished"] = "tool_call_finished"
    call_id: ToolCallId
    tool: str
    ok: bool
    summary: str
    sql: tuple[str, ...] = ()
    rows: int | None = None
    seconds: float = 0.0


class ArtifactMade(_Event):
    """A table, a chart or a file that the reader may keep."""

    kind: Literal["artifact_made"] = "artifact_made"
    shown: Shown


class TurnFinished(_Event):
    """The one final answer."""

    kind: Literal["turn_finished"] = "turn_finished"
    answer: Answer


class TurnPaused(_Event):
    """The run waits for a person; `resume` goes on in a new run of the same turn."""

    kind: Literal["turn_paused"] = "turn_paused"
    decision: Clarification | Approval


class TurnFailed(_Event):
    """Nobody expected this; `error_id` finds it in the log.

    `stopped` says the reader wished it, `lost` that the process ended before the run did.
    """

    kind: Literal["turn_failed"] = "turn_failed"
    reason: str
    error_id: str
    stopped: bool = False
    lost: bool = False


Event = (
    TurnStarted
    | Progress
    | PlanChanged
    | TextWritten
    | TextWithdrawn
    | ToolCallStarted
    | ToolCallFinished
    | ArtifactMade
    | TurnFinished
    | TurnPaused
    | TurnFailed
)
End = TurnFinished | TurnPaused | TurnFailed

_adapter: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def dump(event: Event) -> bytes:
    """Return the event as one line of JSON."""
    return event.model_dump_json().encode()


def load(line: bytes | str) -> Event:
    """Read what `dump` wrote.

    Raises:
        pydantic.ValidationError: it is no event of this grammar.
    """
    return _adapter.validate_json(line)
