"""How tables can be joined, and what that does to the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field
from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.domain.errors import BadArguments
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import (
    column_of,
    count_distinct,
    count_rows,
    count_values,
    table_of,
)
from core.toolkit.args import TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.joins import Link, Path, join_graph
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_PATHS = 5


class FindJoinsArgs(ToolArgs):
    """Which tables."""

    tables: tuple[TableName, ...] = Field(
        min_length=2, max_length=6, description="Tables to join; the first is where paths begin."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins(ToolResult):
    """One row a step of a path."""

    columns = (
        Column("path", ColumnKind.DIMENSION),
        Column("step", ColumnKind.DIMENSION),
        Column("from_table", ColumnKind.DIMENSION),
        Column("to_table", ColumnKind.DIMENSION),
        Column("condition", ColumnKind.TEXT),
        Column("multiplicity", ColumnKind.DIMENSION),
        Column("basis", ColumnKind.DIMENSION),
        Column("unmatched", ColumnKind.MEASURE, unit="share"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A link as the data has it; `unmatched` and `left_over` are None for declared keys.

    They are the shares of the values on the left, and on the right, that have no partner.
    """

    link: Link
    unmatched: float | None = None
    left_over: float | None = None


@tool(family=Family.EXPLORE)
async def find_joins(args: FindJoinsArgs, ctx: ToolContext) -> Joins:
    """Find how tables can be joined, and whether a join repeats rows.

    Use it before joining tables that `get_schema` does not connect directly, or when a sum over a
    join looks too big. Links come from foreign keys, else from names of keys; the latter are
    checked against the data.

    Returns one row a step, path after path, from the first table to each of the others:
        path: number of the path, from 1; several are alternatives or lead to different tables
        step: number of the step within the path, from 1
        from_table: table that is joined from
        to_table: table that is joined to
        condition: SQL for ON, with whole table names
        multiplicity: "many to one" and "one to one" keep the rows of `from_table`; "one to many"
            and "many to many" repeat them: aggregate before such a step
        basis: "foreign key", or "names" where nobody declared one
        unmatched: share of `from_table`'s values without a partner; None for a foreign key

    Raises:
        BadArguments: there is no such table, or only one was given.
    """
    start, *ends = dict.fromkeys(ctx.table(name) for name in args.tables)
    if not ends:
        raise BadArguments("Give two different tables; one alone needs no path.")
    graph = join_graph(ctx.catalog)
    found = [
        path
        for end in ends
        for path in graph.paths(start.qualified_name, end.qualified_name)[:MOST_PATHS]
    ]
    links = dict.fromkeys(link for path in found for link in path)
    steps = {link: await _looked_at(link, ctx) for link in links}
    paths = [[steps[link] for link in path] for path in found]
    tables = {table.qualified_name: table for table in ctx.catalog.tables}
    return Joins(
        finding=describe(start, ends, found),
        table=Table(columns=Joins.columns, rows=tuple(as_rows(paths, tables, ctx.dialect))),
        notes=tuple(remarks(paths, tables)),
    )


async def _looked_at(link: Link, ctx: ToolContext) -> Step:
    if link.declared:
        return Step(link=link)
    figures = await ctx.fetch(build_query(link, ctx.table(link.left), ctx.table(link.right)))
    return as_step(link, figures.rows[0])


def build_query(link: Link, left: CatalogTable, right: CatalogTable) -> Query:
    """Count on both sides the values, the different ones, and those without a partner."""
    [left_name], [right_name] = link.left_columns, link.right_columns
    own, other = column_of(left_name, of="l"), column_of(right_name, of="r")
    here, there = table_of(left, alias="l"), table_of(right, alias="r")
    figures = {
        "left_values": exp.select(count_values(own)).from_(here),
        "left_distinct": exp.select(count_distinct(own)).from_(here),
        "left_alone": _alone(here, own, there, other),
        "right_values": exp.select(count_values(other)).from_(there),
        "right_distinct": exp.select(count_distinct(other)).from_(there),
        "right_alone": _alone(there, other, here, own),
    }
    return Query(
        exp.select(*(each.subquery().as_(name, quoted=True) for name, each in figures.items()))
    )


def _alone(here: exp.Table, own: exp.Column, there: exp.Table, other: exp.Column) -> exp.Select:
    equal = exp.EQ(this=other.copy(), expression=own.copy())
    partner = exp.select(exp.Literal.number(1)).from_(there.copy()).where(equal)
    known = exp.Is(this=own.copy(), expression=exp.null()).not_()
    return exp.select(count_rows()).from_(here.copy()).where(known, exp.Exists(this=partner).not_())


def as_step(link: Link, figures: Row) -> Step:
    left, left_distinct, left_alone, right, right_distinct, right_alone = map(number, figures)
    return Step(
        link=replace(link, many_left=left > left_distinct, many_right=right > right_distinct),
        unmatched=left_alone / left if left else None,
        left_over=right_alone / right if right else None,
    )


def multiplicity(link: Link) -> str:
    return f"{'many' if link.many_left else 'one'} to {'many' if link.many_right else 'one'}"


def as_rows(
    paths: Sequence[Sequence[Step]], tables: Mapping[str, CatalogTable], dialect: Dialect
) -> Iterator[Row]:
    for path, steps in enumerate(paths, start=1):
        for position, step in enumerate(steps, start=1):
            yield (
                path,
                position,
                step.link.left,
                step.link.right,
                condition_of(step.link, tables, dialect),
                multiplicity(step.link),
                "foreign key" if step.link.declared else "names",
                step.unmatched,
            )


def condition_of(link: Link, tables: Mapping[str, CatalogTable], dialect: Dialect) -> str:
    pairs = (
        exp.EQ(
            this=_whole_name(tables[link.left], left),
            expression=_whole_name(tables[link.right], right),
        )
        for left, right in zip(link.left_columns, link.right_columns, strict=True)
    )
    return exp.and_(*pairs).sql(dialect=dialect)


def _whole_name(table: CatalogTable, column: str) -> exp.Column:
    return column_of(column, of=table.name)


def describe(start: CatalogTable, ends: Sequence[CatalogTable], paths: Sequence[Path]) -> str:
    reached = {path[-1].right: len(path) for path in reversed(paths)}
    sentences: list[str] = []
    for end in ends:
        name = end.qualified_name
        if name in reached:
            steps = counted(reached[name], "step")
            sentences.append(f"{start.qualified_name} joins {name} in {steps}.")
        else:
            sentences.append(f"Nothing connects {start.qualified_name} and {name}.")
    return " ".join(sentences)


def remarks(paths: Sequence[Sequence[Step]], tables: Mapping[str, CatalogTable]) -> Iterator[str]:
    """Say what a join of these steps does to the rows."""
    for path, steps in enumerate(paths, start=1):
        for step in steps:
            yield from (f"Path {path}: {said}" for said in _effects(step, tables))


def _effects(step: Step, tables: Mapping[str, CatalogTable]) -> Iterator[str]:
    left, right = step.link.left, step.link.right
    if step.link.many_right:
        yield (
            f"{right} has several rows for one of {left}; add up before joining it, or figures"
            " repeat."
        )
    if step.unmatched:
        yield f"{step.unmatched:.1%} of {left} have no partner in {right}."
    if step.left_over:
        yield f"{step.left_over:.1%} of {right} have no partner in {left}."
    for name in step.link.left_columns:
        column = tables[left].column(name)
        if step.link.declared and column and column.nullable:
            yield f"{left}.{name} may be NULL; an inner join loses those rows."
