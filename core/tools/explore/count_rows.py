"""How many rows a table has."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Table, number
from core.sql import builder
from core.toolkit.args import Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted


class CountRowsArgs(ToolArgs):
    """Which rows, and whether an estimate will do."""

    table: TableName
    where: Condition = ""
    estimate: bool = Field(
        default=False,
        description="True: the engine's own estimate where it has one, without reading the table.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount(ToolResult):
    """One row with one figure."""

    columns = (
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("basis", ColumnKind.DIMENSION),
    )


@tool(family=Family.EXPLORE)
async def count_rows(args: CountRowsArgs, ctx: ToolContext) -> RowCount:
    """Count the rows of a table, all of them or those that fit a condition.

    Use it for one count. For counts by something use `compute_aggregation`.

    Returns one row:
        rows: how many there are; 0 for an empty table
        basis: "exact", or "estimate" where one was asked for and the engine has it

    Raises:
        BadArguments: there is no such table, or `where` is no condition.
    """
    table = ctx.table(args.table)
    if args.estimate and not args.where.strip() and table.row_estimate is not None:
        return result(args, table, rows=table.row_estimate, basis="estimate")
    fetched = await ctx.fetch(build_query(args, table, ctx.dialect))
    return result(args, table, rows=int(number(fetched.rows[0][0])), basis="exact")


def build_query(args: CountRowsArgs, table: CatalogTable, dialect: Dialect) -> Query:
    return Query(
        exp.select(builder.count_rows().as_("rows", quoted=True))
        .from_(builder.table_of(table))
        .where(builder.condition(args.where, dialect))
    )


def result(args: CountRowsArgs, table: CatalogTable, *, rows: int, basis: str) -> RowCount:
    about = "about " if basis == "estimate" else ""
    which = f" where {args.where.strip()}" if args.where.strip() else ""
    found = counted(rows, "row") if rows else "no rows"
    return RowCount(
        finding=f"{table.qualified_name} has {about}{found}{which}.",
        table=Table(columns=RowCount.columns, rows=((rows, basis),)),
    )
