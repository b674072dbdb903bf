"""A paused run as JSON, with the number of the form that it was written in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from core.domain.conversation import Turn
from core.domain.decisions import Approval, Clarification
from core.domain.errors import StateUnusable
from core.domain.ids import ConnectionName, ToolCallId
from core.domain.paused import PausedRun, SoFar

FORM = 1
_OF_ANOTHER_VERSION = (
    "That question was kept by another version of this program, which alone can go on with it. "
    "Please ask again."
)


class _Shape(BaseModel):
    # Made with the first use: a start need not wait for it.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class _System(_Shape):
    role: Literal["system"] = "system"
    text: str


class _User(_Shape):
    role: Literal["user"] = "user"
    text: str


class _Assistant(_Shape):
    role: Literal["assistant"] = "assistant"
    text: str
    tool_calls: tuple[ToolCall, ...]


class _Tool(_Shape):
    role: Literal["tool"] = "tool"
    call_id: ToolCallId
    text: str


_Message = Annotated[_System | _User | _Assistant | _Tool, Field(discriminator="role")]


class _Paused(_Shape):
    decision: Clarification | Approval
    turn: Turn
    connection: ConnectionName
    call: ToolCallId
    messages: tuple[_Message, ...]
    expires_at: datetime
    so_far: SoFar


def dump(paused: PausedRun) -> str:
    """Return a paused run as JSON of the form FORM."""
    shape = _Paused(
        decision=paused.decision,
        turn=paused.turn,
        connection=paused.connection,
        call=paused.call,
        messages=tuple(_shaped(each) for each in paused.messages),
        expires_at=paused.expires_at,
        so_far=paused.so_far,
    )
    return shape.model_dump_json()


def load(body: str, *, form: int) -> PausedRun:
    """Read what `dump` wrote.

    Raises:
        StateUnusable: it was written in a form that this program does not know.
    """
    if form != FORM:
        raise StateUnusable(_OF_ANOTHER_VERSION)
    try:
        shape = _Paused.model_validate_json(body)
    except ValidationError as error:
        raise StateUnusable(_OF_ANOTHER_VERSION) from error
    return PausedRun(
        decision=shape.decision,
        turn=shape.turn,
        connection=shape.connection,
        call=shape.call,
        messages=tuple(_said(each) for each in shape.messages),
        expires_at=shape.expires_at,
        so_far=shape.so_far,
    )


def _shaped(message: ChatMessage) -> _System | _User | _Assistant | _Tool:
    match message:
        case SystemMessage(text=text):
            return _System(text=text)
        case UserMessage(text=text):
            return _User(text=text)
        case AssistantMessage(text=text, tool_calls=calls):
            return _Assistant(text=text, tool_calls=calls)
        case ToolMessage(call_id=call, text=text):
            return _Tool(call_id=call, text=text)


def _said(shape: _System | _User | _Assistant | _Tool) -> ChatMessage:
    match shape:
        case _System(text=text):
            return SystemMessage(text)
        case _User(text=text):
            return UserMessage(text)
        case _Assistant(text=text, tool_calls=calls):
            return AssistantMessage(text, calls)
        case _Tool(call_id=call, text=text):
            return ToolMessage(call, text)
