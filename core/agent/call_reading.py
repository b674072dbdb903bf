"""From a call as the model wrote it to a tool with its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from core.agent.loose_json import read_object
from core.agent.on_demand import HOW, USE_TOOL, unwrapped
from core.agent.outcome import Failed
from core.agent.tool_format import error_text
from core.domain.chat import ToolCall
from core.domain.names import unknown_name
from core.toolkit.catalogue import Catalogue
from core.toolkit.tool import AnyTool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCall:
    """A call that can be run; `call` bears the name of the tool itself."""

    call: ToolCall
    tool: AnyTool
    arguments: Mapping[str, object]

    @property
    def key(self) -> bytes:
        """Return what calls for the same have in common."""
        canonical = orjson.dumps(
            dict(self.arguments), option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS, default=str
        )
        return self.tool.name.encode() + b" " + canonical


def read_call(call: ToolCall, catalogue: Catalogue, *, most_chars: int) -> ReadCall | Failed:
    """Read a call; where it cannot be run, say what the model should do instead."""
    if len(call.arguments) > most_chars:
        return _failed(call, "The arguments are far too long; shorten them.")
    inner = meant(call)
    if inner is None:
        return _failed(call, HOW)
    tool = catalogue.get(inner.name)
    if tool is None:
        return _failed(call, unknown_name("tool", inner.name, catalogue.names))
    arguments = read_object(inner.arguments)
    if arguments is None:
        return _failed(
            call, f"The arguments of {tool.name} are not one JSON object; write them again."
        )
    return ReadCall(call=inner, tool=tool, arguments=arguments)


def meant(call: ToolCall) -> ToolCall | None:
    """Return the call that is to be run; None where a call of `use_tool` names none."""
    return unwrapped(call) if call.name == USE_TOOL else call


def _failed(call: ToolCall, advice: str) -> Failed:
    return Failed(call=call, text=error_text(advice))
