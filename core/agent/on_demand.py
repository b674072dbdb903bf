"""Tools that are not declared with every request: a line tells of each, and one tool runs them all.

The declarations of a family are several times what a question can bear, and changing them in the
middle of a conversation costs a provider's cache its beginning. So the same few tools are declared
with every request; the others are written down in the instructions, a line each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import orjson

from core.agent.loose_json import read_object
from core.domain.chat import Json, JsonObject, ToolCall, ToolSchema

USE_TOOL = "use_tool"
_SHARED_BY = 3  # tools that take an argument with the very same words
_DOES = (
    "Run a special tool. The instructions list those for this kind of question with their"
    " arguments (? marks what may be left out). With no arguments it says how a tool is called."
)
HOW = (
    "use_tool takes one object: tool, the name of a tool, and arguments, an object with what that"
    " tool takes."
)


def runner_of(schemas: Sequence[ToolSchema]) -> ToolSchema:
    """Return the tool that runs these: it knows their names, and what arguments they share."""
    shared: dict[str, Json] = {name: dict(schema) for name, schema in _shared(schemas).items()}
    return ToolSchema(
        name=USE_TOOL,
        description=_DOES,
        parameters={
            "type": "object",
            "properties": {
                "tool": {"type": "string", "enum": [schema.name for schema in schemas]},
                "arguments": {
                    "type": "object",
                    "description": "What the tool takes; beside its own, these are common.",
                    "properties": shared,
                },
            },
            "required": ["tool", "arguments"],
        },
    )


def lines_of(schemas: Sequence[ToolSchema]) -> dict[str, str]:
    """Return a line on each tool: its name, its arguments, what it does."""
    shared = _shared(schemas)
    return {schema.name: _line(schema, shared) for schema in schemas}


def manual_of(schema: ToolSchema) -> str:
    """Return all that there is to know about calling a tool."""
    return f"{schema.name}: {schema.description}\n{orjson.dumps(schema.parameters).decode()}"


def unwrapped(call: ToolCall) -> ToolCall | None:
    """Return the call that a call of `use_tool` stands for; None where it stands for none."""
    given = read_object(call.arguments)
    if given is None or not isinstance(given.get("tool"), str):
        return None
    inner = given.pop("tool")
    # Some models write the arguments beside the name, or as a text of JSON.
    arguments = given.get("arguments", given)
    if isinstance(arguments, str):
        arguments = read_object(arguments)
    if not isinstance(arguments, Mapping):
        return None
    return replace(call, name=str(inner), arguments=orjson.dumps(arguments).decode())


def _properties(schema: ToolSchema) -> Mapping[str, JsonObject]:
    return cast("Mapping[str, JsonObject]", schema.parameters.get("properties", {}))


def _shared(schemas: Iterable[ToolSchema]) -> dict[str, JsonObject]:
    """Return the arguments that several tools take in the same sense."""
    seen = Counter[tuple[str, bytes]]()
    for schema in schemas:
        seen.update((name, orjson.dumps(each)) for name, each in _properties(schema).items())
    found: dict[str, JsonObject] = {}
    for (name, written), times in seen.most_common():
        if times >= _SHARED_BY:
            found.setdefault(name, orjson.loads(written))
    return found


def _line(schema: ToolSchema, shared: Mapping[str, JsonObject]) -> str:
    takes = ", ".join(_arguments(schema, shared))
    return f"- {schema.name}({takes}): {schema.description.partition(chr(10))[0]}"


def _arguments(schema: ToolSchema, shared: Mapping[str, JsonObject]) -> Iterator[str]:
    needed = cast("Sequence[str]", schema.parameters.get("required", ()))
    for name, each in _properties(schema).items():
        may = "" if name in needed else "?"
        form = "" if shared.get(name) == each else _form(each)
        yield f"{name}{may}{form}"


def _form(argument: JsonObject) -> str:
    """Say what values an argument takes where its name does not."""
    choices = argument.get("enum")
    if isinstance(choices, list):
        return "=" + "|".join(map(str, choices))
    kind = argument.get("type")
    if kind == "array":
        inner = cast("JsonObject", argument.get("items", {}))
        return f"=[{_form(inner).lstrip('=') or 'text'}]"
    if kind == "object":
        return f"={{{', '.join(cast('JsonObject', argument.get('properties', {})))}}}"
    return f"={kind}" if kind in {"integer", "number", "boolean"} else ""
