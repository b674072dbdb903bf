"""Whether two figures move together where a statement has to bring them into one row."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import Field

from core.domain.artifact import Sheet
from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.stats.association import correlation_p
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

CLEAR = 0.05
FEWEST_ROWS = 3
_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"


class CorrelateQueryArgs(ToolArgs):
    """The statement, and which two of its columns to compare."""

    sql: str = Field(
        min_length=1,
        max_length=100_000,
        description="One SELECT with a row for each thing compared, as for run_query; no LIMIT.",
    )
    x: str = Field(
        pattern=_NAME, max_length=60, description="One column of the statement: numbers, or 0/1."
    )
    y: str = Field(pattern=_NAME, max_length=60, description="The other column.")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryCorrelation(ToolResult):
    """One row."""

    columns = (
        Column("first", ColumnKind.DIMENSION),
        Column("second", ColumnKind.DIMENSION),
        Column("correlation", ColumnKind.MEASURE),
        Column("n", ColumnKind.MEASURE),
        Column("p_value", ColumnKind.MEASURE),
    )


@tool(family=Family.ANALYZE, artifact=Sheet())
async def correlate_query(args: CorrelateQueryArgs, ctx: ToolContext) -> QueryCorrelation:
    """Correlate two columns of a statement's rows, where they come from different tables.

    Use it when joining and counting has to come first, as tickets and churn by customer: one row
    a customer, churned as 0 or 1. For columns of one table use `compute_correlation`.

    Returns one row:
        first: the column x
        second: the column y
        correlation: Pearson's, from -1 over 0 to 1; with a 0/1 column the point-biserial one
        n: rows in which both have a value; no others count
        p_value: how often unrelated figures would correlate so strongly by chance

    Raises:
        NotPossible: fewer than three such rows, or one of the two does not vary.
    """
    ends = (await ctx.fetch(ends_of(args))).rows[0]
    n = int(number(ends[0]))
    if n < FEWEST_ROWS:
        raise NotPossible(f"Only {n} rows have both {args.x} and {args.y}; choose other rows.")
    if ends[2] == ends[3] or ends[5] == ends[6]:
        raise NotPossible(f"{args.x} or {args.y} is the same in every row; choose other rows.")
    products = (await ctx.fetch(products_of(args, ends))).rows[0]
    xy, xx, yy = (number(cell) for cell in products)
    r = max(-1.0, min(1.0, xy / math.sqrt(xx * yy)))
    row: Row = (args.x, args.y, r, n, correlation_p(r, n))
    return QueryCorrelation(
        finding=describe(row),
        table=Table(columns=QueryCorrelation.columns, rows=(row,)),
        notes=("That two figures move together does not say that one causes the other.",),
    )


def ends_of(args: CorrelateQueryArgs) -> str:
    """Count the rows, and take the mean and both ends of each column, in the warehouse."""
    figures = ", ".join(
        f"AVG({each} * 1.0) AS {at}_mean, MIN({each}) AS {at}_low, MAX({each}) AS {at}_high"
        for at, each in (("x", args.x), ("y", args.y))
    )
    return f"SELECT COUNT(*) AS n, {figures} {_pairs(args)}"


def products_of(args: CorrelateQueryArgs, ends: Row) -> str:
    """Add up products of distances from the means: sums of large values lose what matters."""
    x, y = f"({args.x} - ({number(ends[1])!r}))", f"({args.y} - ({number(ends[4])!r}))"
    return f"SELECT SUM({x} * {y}) AS xy, SUM({x} * {x}) AS xx, SUM({y} * {y}) AS yy {_pairs(args)}"


def _pairs(args: CorrelateQueryArgs) -> str:
    # Whatever stands here is read by the guard as a whole, like any statement of the model.
    sql = args.sql.strip().rstrip(";")
    return f"FROM ({sql}) AS pairs WHERE {args.x} IS NOT NULL AND {args.y} IS NOT NULL"


def describe(row: Row) -> str:
    first, second, r, n, p_value = row
    sure = "p < 0.001" if number(p_value) < 0.001 else f"p = {number(p_value):.3f}"
    figures = f"Pearson {number(r):+.3f}, n = {int(number(n)):,}, {sure}"
    if number(p_value) >= CLEAR:
        return f"{first} and {second} are not clearly related ({figures})."
    return f"{second} {'rises' if number(r) > 0 else 'falls'} with {first} ({figures})."
