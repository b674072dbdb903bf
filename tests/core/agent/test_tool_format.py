import json
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from pydantic import BaseModel, Field

from core.agent.tool_format import columns_of, error_text, read_back, result_text, schema_of
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.core.agent.stage import EVERY_TOOL

COLUMNS = (Column("label", ColumnKind.DIMENSION), Column("value", ColumnKind.MEASURE))


def result(rows: int, *, label: str = "row", notes: tuple[str, ...] = ()) -> ToolResult:
    made = tuple((f"{label} {n}", n) for n in range(rows))
    return ToolResult(finding="Found.", table=Table(columns=COLUMNS, rows=made), notes=notes)


def read(made: ToolResult, *, most_chars: int = 100_000) -> dict[str, Any]:
    return json.loads(result_text(made, most_chars=most_chars))


def test_a_small_result_comes_whole():
    body = read(result(3, notes=("A note.",)))

    assert body == {
        "finding": "Found.",
        "columns": ["label", "value"],
        "rows": [["row 0", 0], ["row 1", 1], ["row 2", 2]],
        "row_count": 3,
        "notes": ["A note."],
    }


@pytest.mark.parametrize(
    ("rows", "first", "last"), [(50, 50, 0), (51, 30, 5), (500, 30, 5), (501, 15, 0)]
)
def test_larger_results_come_in_part_and_say_so(rows: int, first: int, last: int):
    body = read(result(rows))

    given = [row[1] for row in body["rows"]]
    assert given == [*range(first), *range(rows - last, rows)]
    assert body["row_count"] == rows
    assert ("notes" in body) is (rows > 50)


def test_no_result_is_longer_than_it_may_be():
    wide = result(50, label="x" * 500)

    assert len(result_text(wide, most_chars=4_000)) <= 4_000


def test_long_cells_are_cut():
    body = read(result(1, label="x" * 1_000))

    assert len(body["rows"][0][0]) == 301


def test_every_kind_of_cell_is_written_as_json_can_hold_it():
    row = (None, True, Decimal("1.5"), date(2026, 1, 1), float("nan"), b"\x01", 2**60)
    columns = tuple(Column(f"c{n}", ColumnKind.TEXT) for n in range(len(row)))
    made = ToolResult(finding="F", table=Table(columns=columns, rows=(row,), truncated=True))

    body = read(made)

    assert body["rows"] == [[None, True, 1.5, "2026-01-01", "NaN", "0x01", str(2**60)]]
    assert body["truncated"] is True


def test_a_finding_alone_has_no_rows():
    assert read(ToolResult(finding="Done.")) == {"finding": "Done."}


def test_an_empty_result_counts_no_rows():
    assert read(result(0))["row_count"] == 0


def test_an_error_is_advice():
    assert json.loads(error_text("Try another.")) == {"error": "Try another."}


def test_what_was_written_can_be_read_back():
    table = read_back(result_text(result(2), most_chars=1_000))

    assert table is not None
    assert table.rows == (("row 0", 0), ("row 1", 1))
    assert [column.kind for column in table.columns] == [
        ColumnKind.DIMENSION,
        ColumnKind.MEASURE,
    ]
    assert read_back(error_text("No.")) is None
    assert read_back("no json") is None


def test_a_schema_holds_what_the_model_needs_and_nothing_else():
    class Grain(StrEnum):
        DAY = "day"
        MONTH = "month"

    class Part(BaseModel):
        name: str = Field(description="Name of the part.")

    class PartsArgs(ToolArgs):
        """For programmers."""

        table: TableName
        grain: Grain = Field(default=Grain.DAY, description="Length of a period.")
        parts: tuple[Part, ...] = Field(default=(), description="Parts.")
        limit: int | None = Field(default=None, ge=1, description="At most so many.")

    # The tool is declared in a function, so its types are handed over as they are.
    async def list_parts(_args: PartsArgs, _ctx: ToolContext) -> ToolResult:
        """List the parts.

        Use it for parts.

        Returns one row a part:
            name: what it is called

        Raises:
            NotPossible: never mind.
        """
        raise AssertionError

    list_parts.__annotations__ = {"_args": PartsArgs, "_ctx": ToolContext, "return": ToolResult}
    declared = tool(family=Family.EXPLORE)(list_parts)
    schema = schema_of(declared)

    assert schema.description == "List the parts.\n\nUse it for parts."
    assert columns_of(declared) == "one row a part: name: what it is called"
    assert schema.parameters == {
        "type": "object",
        "required": ["table"],
        "properties": {
            "table": {
                "type": "string",
                "description": "Table as the catalog writes it, with its schema where it has one.",
            },
            "grain": {
                "type": "string",
                "enum": ["day", "month"],
                "description": "Length of a period.",
            },
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {"name": {"type": "string", "description": "Name of the part."}},
                },
                "description": "Parts.",
            },
            "limit": {"type": "integer", "minimum": 1, "description": "At most so many."},
        },
    }


def test_no_schema_of_the_project_has_noise_in_it():
    for each in EVERY_TOOL:
        written = json.dumps(schema_of(each).parameters)

        assert "$ref" not in written
        assert "$defs" not in written
        assert '"title": "' not in written
