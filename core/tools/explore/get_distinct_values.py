"""The values of a column with how often each occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import Field
from sqlglot import exp

from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.names import nearest
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Table
from core.sql.builder import column_of, condition, contains, count_rows, table_of
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.column_kinds import same_words
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_COMPARED = 5_000


class GetDistinctValuesArgs(ToolArgs):
    """Which column, and which of its values."""

    table: TableName
    column: ColumnName
    contains: str = Field(
        default="",
        max_length=200,
        description="Part of the value, whatever the letter case; empty for all values.",
    )
    where: Condition = ""
    limit: int = Field(default=30, ge=1, le=500, description="How many values at most.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DistinctValues(ToolResult):
    """One row a value."""

    columns = (
        Column("value", ColumnKind.DIMENSION),
        Column("count", ColumnKind.MEASURE, unit="rows"),
    )


@tool(family=Family.EXPLORE, always_on=True)
async def get_distinct_values(args: GetDistinctValuesArgs, ctx: ToolContext) -> DistinctValues:
    """List the values of a column with how often each occurs.

    Use it before filtering by a word of the question, to find how the data spells it: give the
    word as `contains`. `get_schema` already lists the values of columns with few.

    Returns one row a value, the commonest first:
        value: as it is stored, so that a filter can use it; None stands for NULL
        count: rows that have it

    Raises:
        BadArguments: there is no such table or column, or `where` is no condition.
    """
    table = ctx.table(args.table)
    column = ctx.column(table, args.column)
    found = await _found(args, table, column, ctx)
    return DistinctValues(
        finding=describe(args, column, found),
        table=found,
        notes=(*spellings(found), *await _meant(args, table, column, ctx, found)),
    )


async def _found(
    args: GetDistinctValuesArgs, table: CatalogTable, column: CatalogColumn, ctx: ToolContext
) -> Table:
    if ctx.dialect is Dialect.SQLITE and not args.contains.isascii():
        # Its LOWER knows A to Z only, so the letter case of other letters is folded here.
        every = await ctx.fetch(build_query(args, table, column, ctx.dialect, part=""))
        return _typed(first_that_hold(every, args.contains, limit=args.limit), column)
    query = build_query(args, table, column, ctx.dialect, part=args.contains)
    return _typed(await ctx.fetch(query, max_rows=args.limit), column)


def build_query(
    args: GetDistinctValuesArgs,
    table: CatalogTable,
    column: CatalogColumn,
    dialect: Dialect,
    *,
    part: str,
) -> Query:
    """Group in the warehouse: one row a value leaves it."""
    value = column_of(column)
    holds = contains(value, part.strip(), dialect) if part.strip() else None
    return Query(
        exp.select(value.as_("value", quoted=True), count_rows().as_("count", quoted=True))
        .from_(table_of(table))
        .where(holds, condition(args.where, dialect))
        .group_by(value)
        .order_by(count_rows().desc(), value.asc(nulls_first=False))
    )


def first_that_hold(every: Table, part: str, *, limit: int) -> Table:
    folded = part.strip().casefold()
    rows = [row for row in every.rows if row[0] is not None and folded in str(row[0]).casefold()]
    return replace(every, rows=tuple(rows[:limit]), truncated=every.truncated or len(rows) > limit)


def _typed(found: Table, column: CatalogColumn) -> Table:
    kind = ColumnKind.TIME if column.kind is ColumnKind.TIME else ColumnKind.DIMENSION
    value, count = DistinctValues.columns
    return replace(found, columns=(replace(value, kind=kind), count))


def describe(args: GetDistinctValuesArgs, column: CatalogColumn, found: Table) -> str:
    which = f" with {args.contains.strip()!r} in them" if args.contains.strip() else ""
    values = found.values("value")
    count = sum(value is not None for value in values)
    if not values:
        return f"{column.name} has no values{which}."
    if found.truncated:
        return f"{column.name} has more than {count} values{which}; these are the commonest."
    null = ", and NULL" if len(values) > count else ""
    return f"{column.name} has {counted(count, 'value')}{which}{null}."


def spellings(found: Table) -> Iterator[str]:
    """Say which values are the same word but for letter case and blanks."""
    texts = (value for value in found.values("value") if isinstance(value, str))
    for variants in same_words(texts):
        shown = ", ".join(map(repr, variants))
        yield f"{shown} differ only in letter case or blanks."


async def _meant(
    args: GetDistinctValuesArgs,
    table: CatalogTable,
    column: CatalogColumn,
    ctx: ToolContext,
    found: Table,
) -> tuple[str, ...]:
    """Name the nearest values when none holds the part that was asked for."""
    if found.rows or not args.contains.strip():
        return ()
    query = build_query(args, table, column, ctx.dialect, part="")
    every = await ctx.fetch(query, max_rows=MOST_COMPARED)
    close = nearest(args.contains.strip(), (str(row[0]) for row in every.rows if row[0]))
    return (f"The nearest values: {', '.join(map(repr, close))}.",) if close else ()
