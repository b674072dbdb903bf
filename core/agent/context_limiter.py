"""Keeps a conversation within the window, and every tool call together with its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

# The reader's words never begin so, and the model is told who speaks.
NOTE = "[A note from the system, not from the reader] "
_BYTES_A_TOKEN = 4
_TOKENS_A_MESSAGE = 4


def note(text: str) -> UserMessage:
    """Say something to the model that the reader did not say."""
    return UserMessage(NOTE + text)


def is_note(message: ChatMessage) -> bool:
    return isinstance(message, UserMessage) and message.text.startswith(NOTE)


def estimated_tokens(messages: Sequence[ChatMessage], *, tools: int = 0) -> int:
    """Return about how many tokens a request has; `tools` are those of its tool schemas."""
    return tools + sum(_size(message) // _BYTES_A_TOKEN + _TOKENS_A_MESSAGE for message in messages)


def _size(message: ChatMessage) -> int:
    calls = message.tool_calls if isinstance(message, AssistantMessage) else ()
    return _bytes(message.text) + sum(_bytes(call.arguments) + len(call.name) for call in calls)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


@dataclass(frozen=True, slots=True)
class _Parts:
    """A conversation in pieces that may only go as a whole."""

    system: Sequence[ChatMessage]
    exchanges: list[list[ChatMessage]]
    question: Sequence[ChatMessage]
    steps: list[list[ChatMessage]]

    def __len__(self) -> int:
        whole = (*self.exchanges, *self.steps)
        return len(self.system) + len(self.question) + sum(len(part) for part in whole)

    def joined(self) -> list[ChatMessage]:
        pieces = (self.system, *self.exchanges, self.question, *self.steps)
        return [message for piece in pieces for message in piece]


def trim(messages: Sequence[ChatMessage], *, at_most: int) -> list[ChatMessage]:
    """Let go of the oldest exchanges, then of the oldest steps, until `at_most` are left.

    The system's message, the question and the last step always stay; a step is a reply with all
    the results that it asked for.
    """
    if len(messages) <= at_most:
        return list(messages)
    parts = _parts(messages)
    while len(parts) > at_most and parts.exchanges:
        parts.exchanges.pop(0)
    while len(parts) > at_most and len(parts.steps) > 1:
        parts.steps.pop(0)
    return parts.joined()


def _parts(messages: Sequence[ChatMessage]) -> _Parts:
    system = [message for message in messages if isinstance(message, SystemMessage)]
    rest = [message for message in messages if not isinstance(message, SystemMessage)]
    at = max(
        (n for n, each in enumerate(rest) if isinstance(each, UserMessage) and not is_note(each)),
        default=0,
    )
    return _Parts(
        system=system,
        exchanges=list(_grouped(rest[:at], UserMessage)),
        question=rest[at : at + 1],
        steps=list(_grouped(rest[at + 1 :], AssistantMessage)),
    )


def _grouped(
    messages: Sequence[ChatMessage], first: type[UserMessage] | type[AssistantMessage]
) -> Iterator[list[ChatMessage]]:
    group: list[ChatMessage] = []
    for message in messages:
        if isinstance(message, first) and group:
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def answered(messages: Sequence[ChatMessage]) -> bool:
    """Say whether every tool call has exactly one result and every result its call."""
    calls = [
        call.id
        for message in messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls
    ]
    results = [message.call_id for message in messages if isinstance(message, ToolMessage)]
    return sorted(calls) == sorted(results)
