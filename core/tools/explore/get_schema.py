"""The columns of tables, with keys and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.table import Column, ColumnKind, Row, Table
from core.toolkit.args import TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_ROWS = 300
MOST_NAMES = 100
MOST_VALUES = 30
LONGEST_VALUE = 60


class GetSchemaArgs(ToolArgs):
    """Which tables."""

    tables: tuple[TableName, ...] = Field(
        default=(),
        max_length=50,
        description="Tables as the catalog writes them; empty for all.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema(ToolResult):
    """One row a column."""

    whole = True
    columns = (
        Column("table", ColumnKind.DIMENSION),
        Column("column", ColumnKind.DIMENSION),
        Column("type", ColumnKind.DIMENSION),
        Column("kind", ColumnKind.DIMENSION),
        Column("key", ColumnKind.DIMENSION),
        Column("nullable", ColumnKind.DIMENSION),
        Column("values", ColumnKind.TEXT),
        Column("comment", ColumnKind.TEXT),
    )


@tool(family=Family.EXPLORE, always_on=True)
async def get_schema(args: GetSchemaArgs, ctx: ToolContext) -> Schema:
    """Show the columns of tables: types, keys, comments, and the values of those with few.

    Use it before writing SQL; ask for the tables that the question needs. For a table by topic
    use `search_schema`; for values that are not listed here use `get_distinct_values`.

    Returns one row a column, tables whole and in the order asked for, about 300 rows at most:
        table: as queries write it, with the schema where it is not the default one
        column: as queries write it; quote it where it is no plain lower-case word
        type: the engine's own word
        kind: time, measure, dimension or text
        key: "primary", "-> table.column" for a foreign key, both for both; else empty
        nullable: whether NULLs are allowed
        values: all distinct values joined by " | " where there are at most 30; else empty
        comment: what the makers say of the column; else empty

    Raises:
        BadArguments: there is no table of that name; the advice lists the nearest.
    """
    asked = tuple(
        {ctx.table(name).qualified_name: ctx.table(name) for name in args.tables}.values()
    )
    wanted = asked or ctx.catalog.tables
    shown = within_limit(wanted)
    return Schema(
        finding=describe(shown),
        table=Table(
            columns=Schema.columns,
            rows=tuple(row for table in shown for row in rows_of(table)),
            truncated=len(shown) < len(wanted),
        ),
        notes=(*remarks(shown), *left_out(wanted[len(shown) :])),
    )


def within_limit(
    tables: Sequence[CatalogTable], *, most_rows: int = MOST_ROWS
) -> Sequence[CatalogTable]:
    """Return the first tables that fit, whole ones only and at least one."""
    rows = 0
    for position, table in enumerate(tables):
        rows += len(table.columns)
        if rows > most_rows and position:
            return tables[:position]
    return tables


def rows_of(table: CatalogTable) -> Iterator[Row]:
    for column in table.columns:
        yield (
            table.qualified_name,
            column.name,
            column.type,
            column.kind.value,
            key_of(table, column),
            column.nullable,
            " | ".join(shortened(value) for value in column.values[:MOST_VALUES]),
            column.comment,
        )


def key_of(table: CatalogTable, column: CatalogColumn) -> str:
    primary = ["primary"] if column.name in table.primary_key else []
    targets = [
        f"-> {target_of(key, column.name)}"
        for key in table.foreign_keys
        if column.name in key.columns
    ]
    return " ".join((*primary, *targets[:1]))


def target_of(key: ForeignKey, column: str) -> str:
    table = f"{key.to_schema}.{key.to_table}" if key.to_schema else key.to_table
    return f"{table}.{key.to_columns[key.columns.index(column)]}"


def shortened(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + "..."


def describe(shown: Sequence[CatalogTable]) -> str:
    if not shown:
        return "This connection has no table that may be read."
    names = ", ".join(table.qualified_name for table in shown[:10])
    more = f" and {len(shown) - 10} more" if len(shown) > 10 else ""
    columns = sum(len(table.columns) for table in shown)
    return f"{counted(columns, 'column')} of {names}{more}."


def remarks(shown: Sequence[CatalogTable]) -> Iterator[str]:
    """Say what the rows have no place for: comments of tables, sizes and views."""
    for table in shown[:20]:
        size = [] if table.row_estimate is None else [f"about {table.row_estimate:,} rows"]
        view = ["a view"] if table.is_view else []
        comment = [table.comment] if table.comment else []
        if said := "; ".join((*view, *size, *comment)):
            yield f"{table.qualified_name}: {said}"


def left_out(tables: Sequence[CatalogTable]) -> Iterator[str]:
    if tables:
        names = ", ".join(table.qualified_name for table in tables[:MOST_NAMES])
        more = f" and {len(tables) - MOST_NAMES} more" if len(tables) > MOST_NAMES else ""
        yield f"{len(tables)} more tables are not shown; ask for them by name: {names}{more}."
