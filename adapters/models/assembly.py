"""A reply, put together from the pieces in which the chat-completions protocol sends it.

Servers differ in how they send tool calls: with or without an index, an id or a name repeated,
arguments as text in pieces, as one text, or as an object. All of it comes out as whole calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from adapters.models.thoughts import WithoutThoughts, after_thoughts
from core.domain.answer import Usage
from core.domain.chat import ChatReply, Json, ToolCall
from core.domain.errors import ModelRefused, ModelUnreachable
from core.domain.ids import ToolCallId, fresh_id

Pricing = Callable[[int, int, int], Usage]

# More than any answer has: a server that never stops fills no memory and takes no more time.
MOST_CHARACTERS = 2_000_000
MOST_CALLS = 64
MOST_CHUNKS = 200_000
_LONGEST_NAME = 200


@dataclass(slots=True)
class _OpenCall:
    """A tool call of which more may come."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])

    @property
    def is_whole(self) -> bool:
        last = next((piece for piece in reversed(self.arguments) if piece.strip()), "")
        if not last.rstrip().endswith("}"):
            return False  # to read all of it at every piece would take ever longer
        try:
            orjson.loads("".join(self.arguments))
        except ValueError:
            return False
        return True


class Assembly:
    """Takes chunks in their order and gives the reply at the end.

    Reasoning between tags is no text; the reply may end with what looked like half a tag. One that
    is full takes nothing more, and its reply is cut off.
    """

    def __init__(self, *, host: str, model: str) -> None:
        self._host = host
        self._model = model
        self._named_by_server = False
        self._text: list[str] = []
        self._calls: list[_OpenCall] = []
        self._by_index: dict[int, _OpenCall] = {}
        self._usage: dict[str, Json] = {}
        self._finish = ""
        self._half = ""
        self._thoughts = WithoutThoughts()
        self._spoke = False
        self._characters = 0
        self._chunks = 0

    @property
    def is_finished(self) -> bool:
        """Whether the server has said why it stopped; only the usage may come after that."""
        return bool(self._finish) or self.is_full

    @property
    def is_full(self) -> bool:
        """Whether more has come than any answer has."""
        return (
            self._characters > MOST_CHARACTERS
            or len(self._calls) > MOST_CALLS
            or self._chunks > MOST_CHUNKS
        )

    @property
    def has_spoken(self) -> bool:
        return self._spoke

    def take(self, chunk: dict[str, Json]) -> str:
        """Take a chunk and return the text that it adds.

        Raises:
            ModelUnreachable: it is not of the protocol.
        """
        self._chunks += 1
        choices = chunk.get("choices")
        if not self._named_by_server:
            self._note_model(chunk.get("model"))
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            self._usage = usage
        if not choices:
            return ""
        choice = choices[0] if isinstance(choices, list) else None
        if not isinstance(choice, dict):
            raise self._not_the_protocol("choices are no list of objects")
        return self._take_choice(choice)

    def take_whole(self, answer: dict[str, Json]) -> None:
        """Take an answer that was not streamed."""
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise self._not_the_protocol("there is no message in the answer")
        calls = message.get("tool_calls")
        if isinstance(calls, list):
            calls = [_at(index, call) for index, call in enumerate(calls)]
        delta: Json = {**message, "tool_calls": calls}
        self.take({**answer, "choices": [{**choice, "delta": delta}]})
        self._text = [after_thoughts("".join(self._text))]

    def _note_model(self, name: Json) -> None:
        if isinstance(name, str) and name:
            self._model, self._named_by_server = name, True

    def _take_choice(self, choice: dict[str, Json]) -> str:
        self._spoke = True
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish:
            self._finish = finish
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return ""
        calls = delta.get("tool_calls")
        if calls:
            self._take_calls(calls)
        content = delta.get("content")
        text = content if type(content) is str else plain_text(content)
        refusal = delta.get("refusal")
        if refusal:
            text += plain_text(refusal)
        if self._half or not text.isascii():
            text = self._whole_characters(text)
        text = self._thoughts.take(text)
        if text:
            self._characters += len(text)
            self._text.append(text)
        return text

    def _whole_characters(self, text: str) -> str:
        """Keep back half a character: some servers cut between the two that JSON writes it as."""
        text, self._half = self._half + text, ""
        if _is_encodable(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return _encodable(text)

    def _take_calls(self, calls: Json) -> None:
        if not isinstance(calls, list):
            raise self._not_the_protocol("tool calls are no list")
        for given in calls:
            if not isinstance(given, dict):
                raise self._not_the_protocol("a tool call is no object")
            function = given.get("function")
            function = function if isinstance(function, dict) else {}
            id_, name = _string(given.get("id")), _string(function.get("name"))
            call = self._call_for(given.get("index"), id_, name)
            call.id = call.id or id_
            call.name = call.name or name[:_LONGEST_NAME]
            arguments = _arguments(function.get("arguments"))
            call.arguments.append(arguments)
            self._characters += len(arguments)

    def _call_for(self, index: Json, id_: str, name: str) -> _OpenCall:
        """Find the call that a piece belongs to.

        The index says so, where there is one; some servers give every call the index 0, and then
        a new id with a name begins a new call.
        """
        if isinstance(index, int):
            call = self._by_index.get(index)
            if call is None or (name and id_ and call.id and id_ != call.id):
                call = self._by_index[index] = self._new_call()
            return call
        if id_:
            known = next((call for call in self._calls if call.id == id_), None)
            return known or self._new_call()
        last = self._calls[-1] if self._calls else None
        if last is None or (name and (name != last.name or last.is_whole)):
            return self._new_call()
        return last

    def _new_call(self) -> _OpenCall:
        self._calls.append(_OpenCall())
        return self._calls[-1]

    def reply(self, pricing: Pricing) -> ChatReply:
        """Return the whole reply.

        Raises:
            ModelRefused: a content filter stopped it.
            ModelUnreachable: there is no answer in it.
        """
        if not self._spoke:
            raise self._not_the_protocol("the answer holds no choice")
        if self._finish == "content_filter":
            raise ModelRefused(f"A content filter at {self._host} stopped the answer.")
        if self._finish == "error":
            raise ModelUnreachable(f"{self._host} broke off its answer with an error.")
        return ChatReply(
            text="".join(self._text) + self._thoughts.rest(),
            tool_calls=self._whole_calls(),
            usage=_usage(self._usage, pricing),
            model=self._model,
            cut_off=self._finish in {"length", "max_tokens"} or self.is_full,
        )

    def _whole_calls(self) -> tuple[ToolCall, ...]:
        taken = set[str]()
        calls: list[ToolCall] = []
        for call in self._calls[:MOST_CALLS]:
            if not call.name:
                raise self._not_the_protocol("a tool call has no name")
            # An answer to a call finds it by its id, so each has one, and its own.
            is_own = call.id and len(call.id) <= _LONGEST_NAME and call.id not in taken
            id_ = call.id if is_own else f"call_{fresh_id()}"
            taken.add(id_)
            calls.append(ToolCall(ToolCallId(id_), call.name, _encodable("".join(call.arguments))))
        return tuple(calls)

    def _not_the_protocol(self, why: str) -> ModelUnreachable:
        return ModelUnreachable(f"{self._host} does not speak chat-completions: {why}.")


def _at(index: int, call: Json) -> Json:
    return {**call, "index": index} if isinstance(call, dict) else call


def plain_text(content: Json) -> str:
    """Return the text of content that comes as a list of parts; thinking is none of it."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        _string(part.get("text"))
        for part in content
        if isinstance(part, dict) and part.get("type") in {"text", "output_text"}
    ]
    return "".join(texts)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _encodable(text: str) -> str:
    """Join the halves of characters; a half that stays alone becomes the replacement sign."""
    if _is_encodable(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _arguments(given: Json) -> str:
    if given is None:
        return ""
    return given if isinstance(given, str) else orjson.dumps(given).decode()


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _usage(given: dict[str, Json], pricing: Pricing) -> Usage:
    details = given.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    prompt = _count(given.get("prompt_tokens"))
    return pricing(prompt, _count(given.get("completion_tokens")), min(_count(cached), prompt))


def _count(value: Json) -> int:
    return max(0, int(value)) if isinstance(value, int | float) else 0
