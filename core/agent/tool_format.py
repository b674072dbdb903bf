"""A tool as the model reads it, and a result as the model reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

import orjson

from core.agent.json_rows import json_rows
from core.domain.chat import Json, ToolSchema
from core.domain.table import Cell, Column, ColumnKind, Row, Table
from core.toolkit.tool import AnyTool, ToolResult

WHOLE_UP_TO = 50  # rows of which all are given
ENDS_UP_TO = 500  # rows of which the first and the last are given; above, the first only
FIRST_ROWS, LAST_ROWS, HEAD_ROWS = 30, 5, 15
_HEAVY_CELLS = 5_000
_ROOM_FOR_WHOLE = 3  # times the characters, for results of which half would mislead
LONGEST_NOTE = 1_000

_NOISE = frozenset(
    {
        *("title", "$defs", "additionalProperties", "default", "discriminator"),
        *("minLength", "maxLength"),  # what does not fit is refused with advice
    }
)
_FOR_PROGRAMMERS = re.compile(r"\n\s*Raises:\n.*", re.DOTALL)
_RETURNS = re.compile(r"\n\s*Returns (?P<what>.*)", re.DOTALL)
_COLUMN_LINE = re.compile(r"^\s+\S.*: ", re.MULTILINE)


def schema_of(tool: AnyTool) -> ToolSchema:
    """Return what the model needs to call a tool: its promise, and its arguments without noise."""
    schema = tool.args.model_json_schema()
    parameters = _compact(schema, schema.get("$defs", {}))
    parameters.pop("description", None)  # the docstring of the arguments repeats the tool's own
    return ToolSchema(
        name=tool.name,
        description=_RETURNS.sub("", _FOR_PROGRAMMERS.sub("", tool.doc)).strip(),
        parameters=parameters,
    )


def columns_of(tool: AnyTool) -> str:
    """Return what the columns of a tool's results mean; empty where they explain themselves.

    It is said with the first result, not with every offer of the tool: most offers are not taken.
    """
    return _columns_in(tool.doc)


@lru_cache(maxsize=256)
def _columns_in(doc: str) -> str:
    found = _RETURNS.search(_FOR_PROGRAMMERS.sub("", doc))
    if found is None or not _COLUMN_LINE.search(found["what"]):
        return ""
    return " ".join(found["what"].split())


def _compact(schema: Mapping[str, object], defs: Mapping[str, object]) -> dict[str, Json]:
    """Put definitions where they are used, and leave out what only a validator needs."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = cast("Mapping[str, object]", defs[reference.rsplit("/", 1)[-1]])
        # The place knows better what a thing is for than the thing does.
        return _compact({**target, **{k: v for k, v in schema.items() if k != "$ref"}}, defs)
    alternatives = _without_null(schema)
    if len(alternatives) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return _compact({**alternatives[0], **rest}, defs)
    return {key: _part(key, value, defs) for key, value in schema.items() if key not in _NOISE}


def _without_null(schema: Mapping[str, object]) -> list[Mapping[str, object]]:
    options = cast("Sequence[Mapping[str, object]]", schema.get("anyOf", ()))
    return [option for option in options if option.get("type") != "null"]


def _part(key: str, value: object, defs: Mapping[str, object]) -> Json:
    if key == "properties":
        properties = cast("Mapping[str, Mapping[str, object]]", value)
        return {name: _compact(each, defs) for name, each in properties.items()}
    if isinstance(value, Mapping):
        return _compact(cast("Mapping[str, object]", value), defs)
    if isinstance(value, list):
        return [
            _compact(cast("Mapping[str, object]", each), defs)
            if isinstance(each, Mapping)
            else cast("Json", each)
            for each in cast("list[object]", value)
        ]
    return cast("Json", value)


def result_text(
    result: ToolResult, *, most_chars: int, remarks: Iterable[str] = (), meaning: str = ""
) -> str:
    """Return a result as one compact JSON object of at most `most_chars`, or little more.

    Small results come whole, middle ones with their first and last rows, large ones with their
    head; what is left out is said in a note. `meaning` explains the columns.
    """
    notes = [note[:LONGEST_NOTE] for note in (*result.notes, *remarks)]
    table = result.table
    if not table.columns:
        return _dump({"finding": result.finding, "notes": notes})
    head, tail = (len(table.rows), 0) if result.whole else _tiers(table)
    most_chars *= _ROOM_FOR_WHOLE if result.whole else 1
    while True:
        body = _body(result.finding, table, head=head, tail=tail, notes=notes)
        text = _dump({**body, "meaning": meaning})
        if len(text) <= most_chars or head <= 1:
            return text
        # Half as many rows until it fits; the last rows matter less than the first.
        head, tail = max(head // 2, 1), tail // 2


def _tiers(table: Table) -> tuple[int, int]:
    count = len(table.rows)
    if count <= WHOLE_UP_TO:
        return count, 0
    if count <= ENDS_UP_TO:
        return FIRST_ROWS, LAST_ROWS
    return HEAD_ROWS, 0


def _body(
    finding: str, table: Table, *, head: int, tail: int, notes: list[str]
) -> dict[str, object]:
    count = len(table.rows)
    kept = (*table.rows[:head], *(table.rows[-tail:] if tail else ()))
    if len(kept) < count:
        left_out = f"Rows {head + 1:,} to {count - tail:,} are left out here to save room."
        notes = [*notes, left_out]
    return {
        "finding": finding,
        "columns": table.names,
        "rows": json_rows(kept),
        "row_count": count,
        "truncated": table.truncated,
        "notes": notes,
    }


def error_text(advice: str) -> str:
    """Return advice for the model in the form of a result that did not come."""
    return _dump({"error": advice})


def _dump(body: Mapping[str, object]) -> str:
    said = {key: value for key, value in body.items() if value or key == "row_count"}
    return orjson.dumps(said).decode()


def is_heavy(*tables: Table) -> bool:
    """Say whether looking at every cell would hold up the event loop."""
    return sum(len(table.rows) * len(table.columns) for table in tables) > _HEAVY_CELLS


def read_back(text: str) -> Table | None:
    """Return the rows of a text that `result_text` wrote; None where it holds none."""
    try:
        body: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(body, dict) or "columns" not in body:
        return None
    written = cast("dict[str, list[object]]", body)
    rows = tuple(tuple(cast("Row", row)) for row in written.get("rows", []))
    return Table(
        columns=tuple(
            Column(str(name), _kind_of([row[at] for row in rows]))
            for at, name in enumerate(written["columns"])
        ),
        rows=rows,
    )


def _kind_of(cells: Sequence[Cell]) -> ColumnKind:
    numeric = any(isinstance(cell, int | float) for cell in cells)
    return ColumnKind.MEASURE if numeric else ColumnKind.DIMENSION
