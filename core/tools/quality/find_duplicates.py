"""Rows that are there twice, to the letter or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import Sheet
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import BadArguments
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Table, number
from core.sql.builder import (
    as_text,
    column_of,
    condition,
    count_rows,
    equals,
    smallest,
    table_of,
    total,
)
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_COLUMNS = 50
IGNORED = " .,-_/'"


class FindDuplicatesArgs(ToolArgs):
    """What makes two rows the same."""

    table: TableName
    columns: tuple[ColumnName, ...] = Field(
        default=(),
        max_length=MOST_COLUMNS,
        description="Rows equal in these are the same; empty for all columns but the primary key.",
    )
    nearly: bool = Field(
        default=False,
        description="True: letter case, blanks and the signs . , - _ / ' do not count.",
    )
    where: Condition = ""
    limit: int = Field(default=20, ge=1, le=200, description="How many groups to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """How many sets of equal rows there are, and how many rows are in them."""

    count: int
    rows: int

    @property
    def surplus(self) -> int:
        """Return the rows that are over when one of each set stays."""
        return self.rows - self.count


@tool(family=Family.QUALITY, artifact=Sheet())
async def find_duplicates(args: FindDuplicatesArgs, ctx: ToolContext) -> ToolResult:
    """Find rows that are equal in chosen columns, to the letter or nearly.

    Use it to look for rows that were loaded or entered twice; name the columns that should tell
    rows apart. For all kinds of trouble in a table use `check_quality`.

    Returns one row a set of equal rows, the largest first:
        the compared columns, each with the set's own value (with `nearly`, one spelling of it)
        copies: rows in the set, at least 2
    A NULL equals a NULL; rows that are NULL in every compared column do not count.

    Raises:
        BadArguments: there is no such table or column, or nothing to compare is left.
    """
    table = ctx.table(args.table)
    columns = compared(args, table, ctx)
    sizes = await ctx.fetch(build_count(args, table, columns, ctx.dialect))
    sets, rows = (int(number(cell)) for cell in sizes.rows[0])
    groups = Groups(count=sets, rows=rows)
    shown = await ctx.fetch(build_query(args, table, columns, ctx.dialect), max_rows=args.limit)
    return ToolResult(
        finding=describe(args, table, columns, groups),
        table=typed(shown, columns),
        notes=(f"Only the {len(shown.rows)} largest sets are shown.",) if shown.truncated else (),
    )


def compared(
    args: FindDuplicatesArgs, table: CatalogTable, ctx: ToolContext
) -> Sequence[CatalogColumn]:
    if args.columns:
        return [ctx.column(table, name) for name in args.columns]
    columns = [each for each in table.columns if each.name not in table.primary_key]
    if not columns or len(columns) > MOST_COLUMNS:
        raise BadArguments(
            f"{table.qualified_name} has {len(columns)} columns besides its primary key;"
            f" name the ones to compare, at most {MOST_COLUMNS}."
        )
    return columns


def build_query(
    args: FindDuplicatesArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
) -> Query:
    """Group in the warehouse: one row a set leaves it."""
    keys = [key_of(each, dialect, nearly=args.nearly) for each in columns]
    copies = count_rows()
    shown = [
        (smallest(column_of(each)) if args.nearly else column_of(each)).as_(each.name, quoted=True)
        for each in columns
    ]
    return Query(
        _grouped(
            args, table, columns, dialect, exp.select(*shown, copies.as_("copies", quoted=True))
        ).order_by(copies.desc(), *(key.asc(nulls_first=False) for key in keys))
    )


def build_count(
    args: FindDuplicatesArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
) -> Query:
    """Count the sets and the rows in them: one row leaves the warehouse."""
    sizes = _grouped(
        args, table, columns, dialect, exp.select(count_rows().as_("copies", quoted=True))
    )
    return Query(
        exp.select(
            count_rows().as_("sets", quoted=True),
            total(column_of("copies")).as_("rows", quoted=True),
        ).from_(sizes.subquery("sets"))
    )


def _grouped(
    args: FindDuplicatesArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
    selected: exp.Select,
) -> exp.Select:
    keys = [key_of(each, dialect, nearly=args.nearly) for each in columns]
    filled = exp.or_(*(equals(column_of(each), None, dialect).not_() for each in columns))
    return (
        selected.from_(table_of(table))
        .where(filled, condition(args.where, dialect))
        .group_by(*keys)
        .having(exp.GT(this=count_rows(), expression=exp.Literal.number(1)))
    )


def key_of(column: CatalogColumn, dialect: Dialect, *, nearly: bool) -> exp.Expr:
    """Return what has to be equal: the column, or its text without what does not count."""
    value = column_of(column)
    if not nearly or column.kind in {ColumnKind.MEASURE, ColumnKind.TIME}:
        return value
    key: exp.Expr = exp.Lower(this=as_text(value, dialect))
    for sign in IGNORED:
        key = exp.func("REPLACE", key, exp.Literal.string(sign), exp.Literal.string(""))
    return key


def typed(shown: Table, columns: Sequence[CatalogColumn]) -> Table:
    heads = (
        *(Column(column.name, column.kind) for column in columns),
        Column("copies", ColumnKind.MEASURE, unit="rows"),
    )
    return replace(shown, columns=heads)


def describe(
    args: FindDuplicatesArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    groups: Groups,
) -> str:
    names = ", ".join(column.name for column in columns[:5])
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    how = "nearly equal" if args.nearly else "equal"
    if not groups.count:
        return f"No two rows of {table.qualified_name} are {how} in {names}{more}."
    sets = counted(groups.count, "set")
    return (
        f"{table.qualified_name} has {sets} of rows {how} in {names}{more}:"
        f" {groups.rows:,} rows, {groups.surplus:,} more than needed."
    )
