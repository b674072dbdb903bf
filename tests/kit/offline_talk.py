"""A conversation with the offline analyst over a SQLite database, tools included."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import orjson

from adapters.models.offline.analyst import OfflineAnalyst
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatReply,
    ChatRequest,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)

TODAY = date(2026, 11, 30)
TOOLS = (
    "get_schema", "get_distinct_values", "run_query", "ask_clarification", "report_unanswerable",
)  # fmt: skip
_COLUMNS = ("table", "column", "type", "kind", "key", "nullable", "values", "comment")
_MOST_STEPS = 12
_FEW = 30


@dataclass(slots=True)
class Told:
    """How a question ended: the text, the statements that ran, and the last one's rows."""

    text: str = ""
    sql: list[str] = field(default_factory=list[str])
    columns: tuple[str, ...] = ()
    rows: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    asked: str = ""
    options: tuple[str, ...] = ()
    refused: bool = False
    calls: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Talk:
    """One thread: what was said before is told to the analyst with the next question.

    `comments` are those of columns by their names, `known` what is remembered across threads.
    """

    connection: sqlite3.Connection
    tools: Sequence[str] = TOOLS
    few: int = _FEW
    analyst: OfflineAnalyst = field(default_factory=OfflineAnalyst)
    thread: list[ChatMessage] = field(default_factory=list[ChatMessage])
    comments: Mapping[str, str] = field(default_factory=dict[str, str])
    known: str = ""

    async def ask(self, question: str, *, answer: str = "") -> Told:
        """Run a whole turn; `answer` is what the person says when asked back."""
        told = Told()
        messages: list[ChatMessage] = [
            system(known=self.known),
            *self.thread,
            UserMessage(question),
        ]
        for _ in range(_MOST_STEPS):
            reply = await self.analyst.complete(request(messages, self.tools))
            if not reply.tool_calls:
                told.text = reply.text
                break
            messages.append(AssistantMessage(reply.text, reply.tool_calls))
            messages.extend(self._results(reply, told, answer))
            if told.refused or (told.options and not answer):
                break
        self._remember(question, told)
        return told

    def _results(self, reply: ChatReply, told: Told, answer: str) -> Iterable[ToolMessage]:
        for call in reply.tool_calls:
            told.calls.append(call.name)
            yield ToolMessage(call.id, self._result(call, told, answer))

    def _result(self, call: ToolCall, told: Told, answer: str) -> str:
        arguments = orjson.loads(call.arguments)
        match call.name:
            case "get_schema":
                return schema_text(self.connection, few=self.few, comments=self.comments)
            case "get_distinct_values":
                return values_text(self.connection, arguments)
            case "run_query":
                return self._run(arguments["sql"], told)
            case "ask_clarification":
                told.asked, told.options = arguments["question"], tuple(arguments["options"])
                return answer
            case _:
                told.text, told.refused = arguments["reason"], True
                return ""

    def _run(self, sql: str, told: Told) -> str:
        told.sql.append(sql)
        try:
            cursor = self.connection.execute(sql)
        except sqlite3.Error as error:
            return orjson.dumps({"error": str(error)}).decode()
        told.rows = cursor.fetchall()
        told.columns = tuple(each[0] for each in cursor.description)
        return result_text(told.columns, told.rows)

    def _remember(self, question: str, told: Told) -> None:
        sql = f"\n\nSQL used:\n```sql\n{told.sql[-1]}\n```" if told.sql else ""
        self.thread += [UserMessage(question), AssistantMessage(told.text + sql)]


def system(*, dialect: str = "sqlite", known: str = "") -> SystemMessage:
    lines = (
        "You are an analyst.",
        "Connection: shop",
        f"SQL dialect: {dialect}",
        f"Today: {TODAY.isoformat()}",
        *((f"# What is known from before\nRules.\n<data>\n{known}\n</data>",) if known else ()),
    )
    return SystemMessage("\n".join(lines))


def request(messages: Sequence[ChatMessage], tools: Sequence[str] = TOOLS) -> ChatRequest:
    schemas = tuple(ToolSchema(name, f"Does {name}.", {"type": "object"}) for name in tools)
    return ChatRequest(messages=tuple(messages), tools=schemas)


def result_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    body = {"finding": f"{len(rows)} rows.", "columns": columns, "rows": rows}
    return orjson.dumps({**body, "row_count": len(rows)}).decode()


def schema_text(
    connection: sqlite3.Connection, *, few: int = _FEW, comments: Mapping[str, str] | None = None
) -> str:
    """Return the schema as the tool shows it, with the values of columns that have few."""
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    ).fetchall()
    said = comments or {}
    rows = [
        (*row, said.get(str(row[1]), ""))
        for (table,) in tables
        for row in _rows_of(connection, str(table), few)
    ]
    return result_text(_COLUMNS, rows)


def _rows_of(connection: sqlite3.Connection, table: str, few: int) -> Iterable[tuple[object, ...]]:
    targets = {
        row[3]: f"-> {row[2]}.{row[4]}"
        for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(table)})")
    }
    for _, name, type_, required, _, key in connection.execute(
        f"PRAGMA table_info({_quoted(table)})"
    ):
        parts = (["primary"] if key else []) + ([targets[name]] if name in targets else [])
        kind = _kind(str(type_), is_key=bool(parts))
        values = _values(connection, table, name, few) if kind in {"dimension", "text"} else ""
        yield table, name, type_, kind, " ".join(parts), not required, values


def _kind(type_: str, *, is_key: bool) -> str:
    if re.search(r"date|time", type_, re.IGNORECASE):
        return "time"
    number = re.search(r"int|real|dec|num|doub|float", type_, re.IGNORECASE)
    return "measure" if number and not is_key else "dimension"


def _values(connection: sqlite3.Connection, table: str, column: str, few: int) -> str:
    query = f"SELECT DISTINCT {_quoted(column)} FROM {_quoted(table)} WHERE {_quoted(column)}"
    found = connection.execute(f"{query} IS NOT NULL ORDER BY 1 LIMIT {few + 1}").fetchall()
    return " | ".join(str(value) for (value,) in found) if len(found) <= few else ""


def values_text(connection: sqlite3.Connection, arguments: dict[str, str]) -> str:
    """Return the values that hold a word, whatever the letter case."""
    column, table = _quoted(arguments["column"]), _quoted(arguments["table"])
    query = f"SELECT {column}, COUNT(*) FROM {table} WHERE LOWER({column}) LIKE ? GROUP BY 1"
    found = connection.execute(query, (f"%{arguments['contains'].lower()}%",)).fetchall()
    return result_text(("value", "count"), found)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
