"""What is said to a model and what it says, in no vendor's form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.answer import Usage
from core.domain.ids import ToolCallId

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class SystemMessage:
    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is the JSON text that the model wrote; it may be broken. The loop parses it."""

    id: ToolCallId
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    text: str
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """What came back from the call with this id."""

    call_id: ToolCallId
    text: str


ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model reads it; `parameters` is a JSON schema of one object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """`tool_choice` "none" forces text; `json_only` asks for one JSON object as the text."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    json_only: bool = False
    max_output_tokens: int = 4_096
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A whole answer: text, tool calls, or both. `cut_off` says that a length limit ended it."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    cut_off: bool = False


ChatPiece = TextDelta | ChatReply
