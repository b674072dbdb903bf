"""Percentiles of a measure, by group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import written

Percentile = Annotated[float, Field(ge=0, le=100)]


class ComputePercentilesArgs(ToolArgs):
    """Which measure, which percentiles, by which columns."""

    table: TableName
    measure: ColumnName = Field(description="Column of numbers.")
    percentiles: tuple[Percentile, ...] = Field(
        default=(10, 25, 50, 75, 90),
        min_length=1,
        max_length=10,
        description="From 0 to 100; 50 is the median.",
    )
    by: tuple[ColumnName, ...] = Field(
        default=(), max_length=2, description="Columns to group by; none for all rows."
    )
    where: Condition = ""
    limit: int = Field(default=100, ge=1, le=1_000, description="How many groups to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentiles(ToolResult):
    """One row a group, one column a percentile."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_percentiles(args: ComputePercentilesArgs, ctx: ToolContext) -> Percentiles:
    """Compute percentiles of a measure, in all or by group, exactly on every engine.

    Use it for medians by group, typical and extreme values, service levels ("95 % are faster
    than"). For means and spread use `compute_statistics`, for the shape `compute_distribution`.

    Returns one row a group that has values, in the order of the groups (one row without `by`);
    columns:
        the columns of `by`, by their own names
        p50 and so on: that share of the values lies at or below it; between two values it
            interpolates, NULLs do not count

    Raises:
        BadArguments: a name or condition that there is not, or a column that is no number.
        NotPossible: no row has a value.
    """
    source = Source.of(ctx.catalog, args.table)
    measure = source.column(args.measure)
    if measure.column.kind is not ColumnKind.MEASURE:
        raise BadArguments(f"{measure.name} is no measure; choose a column of numbers.")
    groups = {picked.name: picked for picked in map(source.column, args.by)}
    found = await ctx.fetch(build_query(args, source, measure, groups), max_rows=args.limit)
    if not found.rows or found.rows[0][len(groups)] is None:
        raise NotPossible(f"No row of {args.table} has any {measure.name} with these conditions.")
    names = tuple(names_of(args.percentiles))
    columns = (
        *(Column(name, ColumnKind.DIMENSION) for name in groups),
        *(Column(name, ColumnKind.MEASURE) for name in names),
    )
    return Percentiles(
        finding=describe(measure, names, found.rows, groups),
        table=Table(columns=columns, rows=found.rows, truncated=found.truncated),
        chart=_bars(tuple(groups), names) if len(found.rows) > 1 else None,
        notes=tuple(remarks(found, len(groups))),
    )


def names_of(percentiles: tuple[float, ...]) -> Iterator[str]:
    for each in sorted(set(percentiles)):
        yield f"p{each:g}"


def build_query(
    args: ComputePercentilesArgs, source: Source, measure: Picked, groups: Mapping[str, Picked]
) -> Query:
    """Take quantiles in the warehouse: one row a group leaves it."""
    value = builder.as_number(measure.value, source.dialect)
    rows = source.rows(
        {f"group_{at}": picked.value for at, picked in enumerate(groups.values())}
        | {"value": value},
        [source.condition(args.where)],
    )
    wanted = sorted(set(args.percentiles))
    return builder.quantiles_query(
        rows.subquery("measured"),
        builder.column_of("value"),
        dict(zip(names_of(args.percentiles), (each / 100 for each in wanted), strict=True)),
        source.dialect,
        by=_groups(len(groups)),
    )


def _groups(count: int) -> dict[str, exp.Expr]:
    return {f"group_{at}": builder.column_of(f"group_{at}") for at in range(count)}


def _bars(groups: tuple[str, ...], names: tuple[str, ...]) -> BarChart | None:
    if len(groups) != 1 or len(names) > 5:
        return None
    return BarChart(x=groups[0], y=names)


def describe(
    measure: Picked, names: tuple[str, ...], rows: tuple[Row, ...], groups: Mapping[str, Picked]
) -> str:
    if not groups:
        figures = zip(names, rows[0], strict=True)
        return f"{measure.name}: {', '.join(f'{n} {_written(cell)}' for n, cell in figures)}."
    middle = names[len(names) // 2]
    at = len(groups) + len(names) // 2
    ranked = sorted(rows, key=lambda row: number(row[at]))
    low, high = ranked[0], ranked[-1]
    return (
        f"The {middle} of {measure.name} lies between {_written(low[at])} "
        f"({_words(low, len(groups))}) and {_written(high[at])} ({_words(high, len(groups))}), "
        f"in {len(rows)} groups."
    )


def _words(row: Row, groups: int) -> str:
    return ", ".join("no value" if c is None else str(json_cell(c)) for c in row[:groups])


def _written(cell: Cell) -> str:
    return "no value" if cell is None else written(number(cell))


def remarks(found: Table, groups: int) -> Iterator[str]:
    if found.truncated:
        yield f"Only the first {len(found.rows)} groups are shown; there are more."
    if any(None in row[:groups] for row in found.rows):
        yield "A group without a name holds the rows in which the column is NULL."
