"""What is wrong with the data of a table, with a score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.artifact import Stats
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import (
    column_of,
    condition,
    count_rows,
    count_where,
    equals,
    table_of,
    total,
    total_where,
)
from core.toolkit.args import Condition, TableName, ToolArgs
from core.toolkit.column_kinds import is_comparable, same_words
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.joins import Link, join_graph
from core.toolkit.table_checks import GRAVE, Look, looks_at
from core.toolkit.time_columns import is_text
from core.toolkit.tool import ToolResult, tool

MOST_COLUMNS = 80
MOST_LINKS = 8
OFTEN = 0.1


class CheckQualityArgs(ToolArgs):
    """Which rows."""

    table: TableName
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality(ToolResult):
    """One row a kind of trouble in a column."""

    columns = (
        Column("check", ColumnKind.DIMENSION),
        Column("column", ColumnKind.DIMENSION),
        Column("affected", ColumnKind.MEASURE, unit="rows"),
        Column("share", ColumnKind.MEASURE, unit="share"),
        Column("meaning", ColumnKind.TEXT),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: how many of how many rows are affected, and how much that counts."""

    name: str
    column: str
    affected: float
    rows: float
    weight: int
    meaning: str

    @property
    def share(self) -> float:
        return self.affected / self.rows if self.rows else 0.0


@tool(family=Family.QUALITY, artifact=Stats())
async def check_quality(args: CheckQualityArgs, ctx: ToolContext) -> Quality:
    """Check one table for missing, repeated, misplaced and orphaned values, and score it.

    Use it before trusting a table, or when asked how good the data is. It finds what rules can
    find; whether figures are true it cannot know. For one kind of trouble in depth use
    `profile_nulls`, `find_duplicates`, `detect_outliers` or `compute_cardinality`.

    Returns one row a kind of trouble in a column, the gravest first; none where all is well:
        check: "missing values", "blank text", "text among numbers", "dates in the future",
            "repeated key", "repeated rows" or "orphans"
        column: its name; "every column" (but the primary key) for repeated rows
        affected: rows concerned
        share: `affected` as a share of the rows that could be, 0.12 is 12 %
        meaning: what it does to figures
    The score in the finding is 100 less the weighted mean share of all checks made, in percent;
    repeated keys and rows, orphans and text among numbers count three times.

    Raises:
        BadArguments: there is no such table, or `where` is no condition.
    """
    table = ctx.table(args.table)
    columns = table.columns[:MOST_COLUMNS]
    looked_at = looks_at(columns, table, today=ctx.today, dialect=ctx.dialect)
    counted = await ctx.fetch(build_counts(args, table, looked_at, ctx.dialect))
    rows = number(counted.rows[0][0])
    checks = [
        *read(looked_at, counted.rows[0]),
        *await _repeated(args, table, columns, ctx),
        *await _orphans(args, table, ctx),
    ]
    found = sorted(
        (check for check in checks if check.affected), key=lambda each: -each.weight * each.share
    )
    return Quality(
        finding=describe(table, rows, checks, found),
        table=Table(columns=Quality.columns, rows=tuple(map(as_row, found))),
        notes=tuple(remarks(table)),
    )


def build_counts(
    args: CheckQualityArgs, table: CatalogTable, looks: Sequence[Look], dialect: Dialect
) -> Query:
    """Count everything in one pass: one row leaves the warehouse."""
    figures = [count_rows().as_("rows", quoted=True)]
    for at, look in enumerate(looks):
        figures += [
            look.affected.as_(f"affected_{at}", quoted=True),
            look.rows.as_(f"rows_{at}", quoted=True),
        ]
    source = exp.select(*figures).from_(table_of(table))
    return Query(source.where(condition(args.where, dialect)))


def read(looks: Sequence[Look], counted: Row) -> Iterator[Check]:
    _, *figures = map(number, counted)
    for at, look in enumerate(looks):
        yield Check(
            name=look.name,
            column=look.column,
            affected=figures[2 * at],
            rows=figures[2 * at + 1],
            weight=look.weight,
            meaning=look.meaning,
        )


# What takes a query of its own


async def _repeated(
    args: CheckQualityArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    ctx: ToolContext,
) -> Sequence[Check]:
    others = [
        each for each in columns if each.name not in table.primary_key and is_comparable(each)
    ]
    if not others or len(columns) < len(table.columns):
        return []
    found = await ctx.fetch(build_repeated(args, table, others, ctx.dialect))
    groups, rows, counted = map(number, found.rows[0])
    check = Check(
        name="repeated rows",
        column="every column",
        affected=rows - groups,
        rows=counted,
        weight=GRAVE,
        meaning="are counted and added up more than once",
    )
    # Where a key tells rows apart and the rest repeats often, the rest was never meant to.
    return [] if table.primary_key and check.share > OFTEN else [check]


def build_repeated(
    args: CheckQualityArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
) -> Query:
    """Count the sets of equal rows, the rows in them, and all rows; one row leaves."""
    copies = column_of("copies")
    twice = exp.GT(this=copies, expression=exp.Literal.number(1))
    sizes = (
        exp.select(count_rows().as_("copies", quoted=True))
        .from_(table_of(table))
        .where(condition(args.where, dialect))
        .group_by(*map(column_of, columns))
    )
    return Query(
        exp.select(
            count_where(twice).as_("sets", quoted=True),
            total_where(copies, twice).as_("rows", quoted=True),
            total(copies).as_("all", quoted=True),
        ).from_(sizes.subquery("sizes"))
    )


async def _orphans(
    args: CheckQualityArgs, table: CatalogTable, ctx: ToolContext
) -> Sequence[Check]:
    links = join_graph(ctx.catalog).links.get(table.qualified_name, ())
    outward = [link for link in links if link.many_right is False and link.right != link.left]
    checks: list[Check] = []
    for link in outward[:MOST_LINKS]:
        target = ctx.table(link.right)
        found = await ctx.fetch(build_orphans(args, table, target, link, ctx.dialect))
        filled, alone = map(number, found.rows[0])
        checks.append(
            Check(
                name="orphans",
                column=", ".join(link.left_columns),
                affected=alone,
                rows=filled,
                weight=GRAVE,
                meaning=f"have no row in {link.right}; a join with it drops them",
            )
        )
    return checks


def build_orphans(
    args: CheckQualityArgs,
    table: CatalogTable,
    target: CatalogTable,
    link: Link,
    dialect: Dialect,
) -> Query:
    """Count the filled keys, and those that lead nowhere; one row leaves the warehouse."""
    kept = exp.select(exp.Star()).from_(table_of(table)).where(condition(args.where, dialect))
    pairs = list(zip(link.left_columns, link.right_columns, strict=True))
    filled = [equals(column_of(left, of="l"), None, dialect).not_() for left, _ in pairs]
    partners = (
        exp.select(*(column_of(right) for _, right in pairs)).distinct().from_(table_of(target))
    )
    on = [
        exp.EQ(this=column_of(left, of="l"), expression=column_of(right, of="r"))
        for left, right in pairs
    ]
    alone = equals(column_of(pairs[0][1], of="r"), None, dialect)
    return Query(
        exp.select(
            count_rows().as_("filled", quoted=True), count_where(alone).as_("alone", quoted=True)
        )
        .from_(kept.subquery(exp.to_identifier("l", quoted=True)))
        .join(
            partners.subquery(exp.to_identifier("r", quoted=True)),
            on=exp.and_(*on),
            join_type="left",
        )
        .where(*filled)
    )


# What is said of it


def as_row(check: Check) -> Row:
    return check.name, check.column, int(check.affected), check.share, check.meaning


def score(checks: Sequence[Check]) -> float:
    """Return 100 less the weighted mean share of what is affected, in percent."""
    weight = sum(check.weight for check in checks)
    bad = sum(check.weight * check.share for check in checks)
    return 100 * (1 - bad / weight) if weight else 100.0


def describe(
    table: CatalogTable, rows: float, checks: Sequence[Check], found: Sequence[Check]
) -> str:
    name = table.qualified_name
    if not rows:
        return f"{name} has no rows to check."
    if not found:
        return f"{name} passes all {len(checks)} checks in {rows:,.0f} rows."
    worst, points = found[0], math.floor(score(checks))
    return (
        f"{name} scores {points} of 100: {len(found)} of {len(checks)} checks found something in"
        f" {rows:,.0f} rows. Gravest: {worst.name} in {worst.column}, {worst.affected:,.0f} rows"
        f" ({worst.share:.1%})."
    )


def remarks(table: CatalogTable) -> Iterator[str]:
    """Say what the catalog alone gives away."""
    if len(table.columns) > MOST_COLUMNS:
        yield f"Only the first {MOST_COLUMNS} of {len(table.columns)} columns were checked."
    for column in table.columns:
        if column.kind is ColumnKind.TIME and is_text(column):
            yield f"{column.name} keeps dates as text."
        for variants in same_words(column.values):
            shown = ", ".join(map(repr, variants))
            yield f"{column.name}: {shown} are spelled differently and counted apart."
