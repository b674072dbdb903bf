"""Where an answer comes from: tables, columns, filters and calculations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from core.domain.artifact import Sheet
from core.domain.catalog import CatalogTable
from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Row, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.lineage import (
    Condition,
    Output,
    Stored,
    conditions,
    outputs,
    parsed,
    tables_read,
)
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted


class ShowLineageArgs(ToolArgs):
    """Which statement."""

    sql: str = Field(
        min_length=1, max_length=100_000, description="The SELECT behind the answer; it is not run."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage(ToolResult):
    """One row a part of the answer."""

    columns = (
        Column("part", ColumnKind.DIMENSION),
        Column("name", ColumnKind.DIMENSION),
        Column("comes_from", ColumnKind.TEXT),
        Column("definition", ColumnKind.TEXT),
    )


@tool(family=Family.META, artifact=Sheet())
async def show_lineage(args: ShowLineageArgs, ctx: ToolContext) -> Lineage:
    """Show which tables, columns, filters and calculations an answer used.

    Use it when the asker wants to know where figures come from. For the order of the steps use
    `explain_query`.

    Returns one row a part, tables first, then the result's columns, then filters and joins:
        part: "table", "column", "filter" or "join"
        name: of the table, of the result's column, or of what a join adds; empty for a filter
        comes_from: the stored columns behind it, as table.column, joined by ", "; for a table what
            its makers say of it; empty where nothing is stored behind it
        definition: the SQL that computes or filters; empty for a table and a mere copy

    Raises:
        NotPossible: the text is not one SELECT in the connection's dialect.
    """
    tree = parsed(args.sql, ctx.catalog)
    tables = tables_read(tree, ctx.catalog)
    rows = (
        *(("table", table.qualified_name, table.comment, "") for table in tables),
        *(column_row(each, ctx.dialect) for each in outputs(tree, ctx.catalog)),
        *(condition_row(each, ctx.dialect) for each in conditions(tree, ctx.catalog)),
    )
    return Lineage(finding=describe(tables, rows), table=Table(columns=Lineage.columns, rows=rows))


def column_row(output: Output, dialect: Dialect) -> Row:
    definition = "" if output.copied else output.value.sql(dialect=dialect)
    return "column", output.name, _joined(output.stored), definition


def condition_row(condition: Condition, dialect: Dialect) -> Row:
    part = "join" if condition.joined else "filter"
    return part, condition.joined, _joined(condition.stored), condition.holds.sql(dialect=dialect)


def _joined(stored: Sequence[Stored]) -> str:
    return ", ".join(map(str, stored))


def describe(tables: Sequence[CatalogTable], rows: Sequence[Row]) -> str:
    names = ", ".join(table.qualified_name for table in tables) or "no table"
    columns = sum(row[0] == "column" for row in rows)
    filters = sum(row[0] == "filter" for row in rows)
    filtered = counted(filters, "filter") if filters else "no filter"
    return f"The answer has {counted(columns, 'column')} from {names}, with {filtered}."
