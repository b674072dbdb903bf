"""What a request tells: the question, what was said before, and what the tools have answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

import orjson

from adapters.models.offline.reading.definitions import definitions_in
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatRequest,
    JsonObject,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)
from core.domain.definitions import Definition

_NOTE = "[A note from the system"
_TODAY = re.compile(r"^Today: (?P<value>\d{4}-\d{2}-\d{2})", re.MULTILINE)
_DIALECT = re.compile(r"^SQL dialect: (?P<value>\w+)", re.MULTILINE)
_CONNECTION = re.compile(r"^Connection: (?P<value>.+)$", re.MULTILINE)
_HINT = re.compile(r"\n\s*(?:hint|evidence|notes?|instructions?)\s*:\s*", re.IGNORECASE)
_SQL_USED = re.compile(r"SQL used:\n```sql\n(?P<sql>.*)\n```", re.DOTALL)
_LED = re.compile(
    r"[,;:]?\s*\b(?:step[- ]by[- ]step|one step at a time)\b(?:,? please)?[,;:]?\s*", re.IGNORECASE
)
_CUT = "…"


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What came back from a call. `complete` says that all its rows are here."""

    name: str
    arguments: Mapping[str, object]
    error: str = ""
    finding: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.error and len(self.rows) == self.row_count

    def text(self, name: str) -> str:
        """Return an argument as text; empty where there is none."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """`earlier` are the questions before this one, oldest first; `answers` the calls of this turn.

    `hint` came with the question. `figures_doubted` says that the text written last held figures
    which no result supports; `notes` are what the system has said in this turn, `system` what it
    said before, `last_sql` the statements of the answer before, `defined` what the data team's
    words mean.
    """

    question: str
    hint: str
    earlier: tuple[str, ...]
    answers: tuple[ToolAnswer, ...]
    tools: frozenset[str]
    may_call: bool
    today: date
    dialect: str
    connection: str
    figures_doubted: bool = False
    notes: tuple[str, ...] = ()
    system: str = ""
    last_sql: str = ""
    defined: tuple[Definition, ...] = ()

    def answers_of(self, tool: str) -> tuple[ToolAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.name == tool)

    def offers(self, tool: str) -> bool:
        return self.may_call and tool in self.tools


def situation_of(request: ChatRequest) -> Situation:
    system = "\n".join(m.text for m in request.messages if isinstance(m, SystemMessage))
    rest = [m for m in request.messages if not isinstance(m, SystemMessage)]
    at = max((n for n, m in enumerate(rest) if _is_question(m)), default=-1)
    asked = rest[at].text if at >= 0 else ""
    question, hint = _without_hint(asked)
    return Situation(
        question=question,
        hint=hint,
        earlier=tuple(_without_hint(m.text)[0] for m in rest[:at] if _is_question(m)),
        answers=tuple(_answers(rest[at + 1 :])),
        tools=frozenset(name for tool in request.tools for name in _names(tool)),
        may_call=request.tool_choice != "none",
        today=_date(_first(_TODAY, system)),
        dialect=_first(_DIALECT, system).lower() or "sqlite",
        connection=_first(_CONNECTION, system).strip(),
        figures_doubted=_is_doubted(rest[at + 1 :]),
        notes=tuple(m.text for m in rest[at + 1 :] if m.text.startswith(_NOTE)),
        system=system,
        last_sql=_last_sql(rest[:at]),
        defined=definitions_in(system),
    )


def _names(tool: ToolSchema) -> Iterator[str]:
    """Return the name of a tool, and those of the tools that it runs."""
    yield tool.name
    properties = cast("Mapping[str, JsonObject]", tool.parameters.get("properties", {}))
    runs = properties.get("tool", {}).get("enum")
    if isinstance(runs, list):
        yield from map(str, runs)


def _last_sql(messages: Sequence[ChatMessage]) -> str:
    """Return what the last answer of the thread has run."""
    answers = [m.text for m in messages if isinstance(m, AssistantMessage) and not m.tool_calls]
    found = _SQL_USED.search(answers[-1]) if answers else None
    return found["sql"].strip() if found is not None else ""


def _is_question(message: ChatMessage) -> bool:
    return isinstance(message, UserMessage) and not message.text.startswith(_NOTE)


def _is_doubted(messages: Sequence[ChatMessage]) -> bool:
    notes = [m for m in messages if isinstance(m, UserMessage) and m.text.startswith(_NOTE)]
    return bool(notes) and "figures" in notes[-1].text and messages[-1] is notes[-1]


def _without_hint(text: str) -> tuple[str, str]:
    # Half a character, which a cut text may end in, cannot be written into a call.
    whole = text.encode(errors="replace").decode()
    question, *hint = _HINT.split(whole, maxsplit=1)
    # Whoever is led is led by the run; here each step is a question like any other.
    return _LED.sub(" ", question).strip(), (hint[0].strip() if hint else "")


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found["value"] if found else ""


def _date(text: str) -> date:
    # Without a date in the prompt there is no today to reckon from; the epoch shows that.
    return date.fromisoformat(text) if text else date(1970, 1, 1)


def _answers(messages: Sequence[ChatMessage]) -> Iterator[ToolAnswer]:
    """Pair each call of this turn with what came back."""
    calls: dict[str, ToolCall] = {}
    for message in messages:
        if isinstance(message, AssistantMessage):
            calls.update({call.id: call for call in message.tool_calls})
        elif isinstance(message, ToolMessage) and message.call_id in calls:
            yield _answer(calls[message.call_id], message.text)


def _answer(call: ToolCall, text: str) -> ToolAnswer:
    arguments = _object(call.arguments)
    body = _object(text)
    if not body:
        return ToolAnswer(call.name, arguments, finding=text.strip())
    columns = tuple(str(name) for name in _list(body.get("columns")))
    rows = _rows(body.get("rows"), width=len(columns))
    count = body.get("row_count")
    return ToolAnswer(
        name=call.name,
        arguments=arguments,
        error=str(body.get("error") or ""),
        finding=str(body.get("finding") or ""),
        columns=columns,
        rows=rows,
        row_count=count if isinstance(count, int) else len(rows),
        truncated=body.get("truncated") is True,
        notes=tuple(str(note) for note in _list(body.get("notes"))),
    )


def _rows(value: object, *, width: int) -> tuple[tuple[object, ...], ...]:
    """Return rows that are all of one width, and leave out what is none."""
    found = [tuple(map(_cell, row)) for row in _lists(value) if row]
    width = max((width, *map(len, found)))
    return tuple((*row, *(None for _ in range(width - len(row)))) for row in found)


def _cell(value: object) -> object:
    """Return a cell as one value: what holds others cannot be compared, or kept."""
    return value if isinstance(value, str | int | float | None) else str(value)


def _object(text: str) -> Mapping[str, object]:
    try:
        body: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return cast("dict[str, object]", body) if isinstance(body, dict) else {}


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _lists(value: object) -> Iterator[list[object]]:
    for each in _list(value):
        if isinstance(each, list):
            yield cast("list[object]", each)


def is_cut(text: str) -> bool:
    return text.endswith(_CUT)
