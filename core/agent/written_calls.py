"""Tool calls that a model wrote into its text, as small models behind plain servers do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import cast

import orjson

from core.agent.loose_json import read_object
from core.domain.chat import ToolCall
from core.domain.ids import ToolCallId, fresh_id

_MOST = 16
_LONGEST = 40_000
_TAG = re.compile(
    r"</?(?:tool_call|function_call|function)>|<\|/?(?:python_tag|tool_call|eom_id|eot_id)\|>"
)
_NAMED = re.compile(r"<function=(\w{1,100})>")
_FENCE = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)
_BEGINNING = "[TOOL_CALLS]"


def calls_in(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the calls of known tools that a text holds or is; () where it is an answer."""
    if "{" not in text or len(text) > _LONGEST:
        return ()
    return tuple(_calls(text.strip(), names))[:_MOST]


def _calls(text: str, names: Collection[str]) -> Iterator[ToolCall]:
    pieces = [piece.strip() for piece in _TAG.split(text, maxsplit=2 * _MOST)]
    for written in pieces if len(pieces) > 1 else _alone(text):
        named = _NAMED.match(written)
        if named and named[1] in names:
            yield _call(named[1], written[named.end() :].strip())
        elif written.startswith("{") and (found := _read(written, names)):
            yield found


def _alone(text: str) -> Iterator[str]:
    """Give each object of a text that is nothing but one or a list of them."""
    fenced = _FENCE.match(text)
    bare = (fenced[1] if fenced else text).removeprefix(_BEGINNING).strip()
    if not bare.startswith("["):
        yield bare
    else:
        try:
            listed = cast("object", orjson.loads(bare))
        except ValueError:
            return
        for each in cast("list[object]", listed):
            if isinstance(each, dict):
                yield orjson.dumps(each).decode()


def _read(written: str, names: Collection[str]) -> ToolCall | None:
    said = read_object(written)
    if said is None:
        return None
    inner = said.get("function")
    if isinstance(inner, dict):
        said = cast("dict[str, object]", inner)
    name = said.get("name", said.get("tool"))
    given = said.get("arguments", said.get("parameters"))
    if not isinstance(name, str) or name not in names or given is None:
        return None
    return _call(name, given if isinstance(given, str) else orjson.dumps(given).decode())


def _call(name: str, arguments: str) -> ToolCall:
    return ToolCall(ToolCallId(fresh_id()), name, arguments)
