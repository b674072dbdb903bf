"""P18: a result as the JSON that a model reads, beside the JSON that most people write first."""

from __future__ import annotations

import json
from datetime import date, timedelta

from bench.frame import Line, interleaved
from core.agent.tool_format import result_text
from core.domain.table import Column, ColumnKind, Row, Table
from core.toolkit.tool import ToolResult

GOALS = ("P18",)
ROWS, EACH = 1_000, 5
_FIRST = date(2024, 1, 1)


class _Whole(ToolResult):
    """A result of which the model needs every row."""

    whole = True


async def measure() -> list[Line]:
    """Write 1,000 rows of 20 columns whole, and then as much of them as a model is given."""
    table = Table(
        columns=tuple(Column(f"column_{n}", ColumnKind.MEASURE) for n in range(4 * EACH)),
        rows=tuple(_row(n) for n in range(ROWS)),
    )
    whole = _Whole(finding="All of it.", table=table)
    part = ToolResult(finding="All of it.", table=table)

    async def dicts() -> None:
        json.dumps([dict(zip(table.names, row, strict=True)) for row in table.rows], default=str)

    async def ours() -> None:
        result_text(whole, most_chars=10**9)

    async def given() -> None:
        result_text(part, most_chars=12_000)

    reference, product, shown = await interleaved((dicts, ours, given), rounds=15)
    return [
        Line(
            goal="P18",
            what=f"{what} to JSON beside json of dicts",
            value=reference.cpu / cpu,
            bound=5,
            unit="x",
            at_least=True,
            reference=reference.cpu * 1_000,
            product=cpu * 1_000,
            note=f"{cpu * 1_000:.2f} ms, dicts {reference.cpu * 1_000:.2f} ms",
        )
        for what, cpu in (
            (f"{ROWS:,} rows of {4 * EACH} columns", product.cpu),
            ("what a model is given of them", shown.cpu),
        )
    ]


def _row(n: int) -> Row:
    day = _FIRST + timedelta(days=n)
    return (n, n * 1.25, f"customer {n}", day) * EACH
