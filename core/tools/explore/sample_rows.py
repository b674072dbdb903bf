"""A few rows of a table, as they are."""

from __future__ import annotations

from pydantic import Field
from sqlglot import exp

from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect, Query
from core.sql.builder import column_of, condition, table_of
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.column_kinds import with_kinds
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted


class SampleRowsArgs(ToolArgs):
    """Which rows, and which of their columns."""

    table: TableName
    columns: tuple[ColumnName, ...] = Field(
        default=(), max_length=100, description="Which columns; empty for all."
    )
    where: Condition = ""
    limit: int = Field(default=5, ge=1, le=50, description="How many rows.")


@tool(family=Family.EXPLORE)
async def sample_rows(args: SampleRowsArgs, ctx: ToolContext) -> ToolResult:
    """Show a few rows of a table as they are stored.

    Use it to see what a row looks like. The rows are the first that the engine gives: they stand
    for nothing, so never count or average them.

    Returns at most `limit` rows with the columns asked for, or all of the table, in the catalog's
    order and spelling. NULLs stay empty.

    Raises:
        BadArguments: there is no such table or column, or `where` is no condition.
    """
    table = ctx.table(args.table)
    columns = tuple(ctx.column(table, name) for name in args.columns) or table.columns
    query = build_query(table, columns, where=args.where, dialect=ctx.dialect)
    rows = await ctx.fetch(query, max_rows=args.limit)
    shown = with_kinds(rows, {column.name: column for column in columns})
    return ToolResult(
        finding=describe(table, shown=len(rows.rows), filtered=bool(args.where.strip())),
        table=shown,
        notes=("These are any rows, in no order; there are more.",) if rows.truncated else (),
    )


def build_query(
    table: CatalogTable, columns: tuple[CatalogColumn, ...], *, where: str, dialect: Dialect
) -> Query:
    query = exp.select(*map(column_of, columns)).from_(table_of(table))
    return Query(query.where(condition(where, dialect)))


def describe(table: CatalogTable, *, shown: int, filtered: bool) -> str:
    which = " that fit the condition" if filtered else ""
    if not shown:
        return f"{table.qualified_name} has no rows{which}."
    return f"{counted(shown, 'row')} of {table.qualified_name}{which}."
