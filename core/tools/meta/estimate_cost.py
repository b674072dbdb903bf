"""What a statement would read."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from core.domain.artifact import Stats
from core.domain.query import CostEstimate
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool


class EstimateCostArgs(ToolArgs):
    """Which statement."""

    sql: str = Field(min_length=1, max_length=100_000, description="One SELECT; it is not run.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(ToolResult):
    """One row of estimates."""

    columns = (
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("intermediate_rows", ColumnKind.MEASURE, unit="rows"),
        Column("bytes", ColumnKind.MEASURE, unit="bytes"),
        Column("units", ColumnKind.MEASURE),
        Column("seconds", ColumnKind.MEASURE, unit="seconds"),
        Column("usd", ColumnKind.MEASURE, unit="USD"),
        Column("confidence", ColumnKind.DIMENSION),
    )


@tool(family=Family.META, artifact=Stats())
async def estimate_cost(args: EstimateCostArgs, ctx: ToolContext) -> Cost:
    """Ask the database what a statement would read, without running it.

    Use it when the asker wants to know the cost, or to choose between two ways. `run_query` asks
    by itself before it runs anything costly.

    Returns one row; a figure that the engine does not give is None:
        rows: rows read from tables
        intermediate_rows: rows of the largest step in between; far above `rows`, a join multiplies
        bytes: bytes read
        units: the planner's own cost, only good for comparing two statements of one database
        seconds: how long it would take
        usd: what the engine would charge, in US dollars
        confidence: "exact", "upper_bound", "estimate", or "unknown"

    Raises:
        NotPossible: the statement is refused or the database rejected it.
    """
    estimate = await ctx.estimate(args.sql)
    row = (
        estimate.rows,
        estimate.intermediate_rows,
        estimate.bytes,
        estimate.units,
        estimate.seconds,
        estimate.usd,
        estimate.confidence,
    )
    return Cost(finding=describe(estimate), table=Table(columns=Cost.columns, rows=(row,)))


def describe(estimate: CostEstimate) -> str:
    figures = [
        f"{value:,.{digits}f} {unit}"
        for value, unit, digits in (
            (estimate.rows, "rows", 0),
            (estimate.bytes, "bytes", 0),
            (estimate.seconds, "seconds", 1),
            (estimate.usd, "US dollars", 2),
        )
        if value is not None
    ]
    if not figures or estimate.confidence == "unknown":
        return "This database does not say what the statement would read."
    return f"It would read {', '.join(figures)} ({_CONFIDENCE[estimate.confidence]})."


_CONFIDENCE = {
    "exact": "exact",
    "upper_bound": "at most",
    "estimate": "the planner's estimate",
}
