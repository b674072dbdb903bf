"""A cross table of two dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import HeatMap, Sheet
from core.domain.errors import NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.sql.builder import Grain
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.dates import dated_by
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.periods import name_of, read_period
from core.toolkit.sources import Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, written

MOST_CELLS = 5_000
NO_VALUE = "no value"


class ComputePivotArgs(ToolArgs):
    """Which measure, down which column, across which other one."""

    table: TableName
    rows: ColumnName = Field(description="Column whose values become the rows.")
    columns: ColumnName = Field(description="Column whose values become the columns.")
    grain: Grain | None = Field(
        default=None, description="Where `columns` is a date: the length of a period."
    )
    measure: MeasureText = ""
    how: HowField = How.SUM
    where: Condition = ""
    most_rows: int = Field(default=30, ge=1, le=200, description="How many rows to show.")
    most_columns: int = Field(default=12, ge=1, le=36, description="How many columns to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivot(ToolResult):
    """One row for each value of the one column, one column for each value of the other."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_pivot(args: ComputePivotArgs, ctx: ToolContext) -> Pivot:
    """Cross two columns: a measure for each pair of their values.

    Use it for tables such as "revenue by region and year". For a long table, or more than two
    columns, use `compute_aggregation`.

    Returns one row a value of `rows`, the largest first; columns:
        the column of `rows`
        one for each value of `columns`: periods and numbers in their order, else the largest
            first; None where no row has both values
        other: what the columns that are not shown add up to, where there are any
        total: of the row over all columns; only of sums and counts, as is "other"

    Raises:
        BadArguments: a name or condition that there is not, or a grain for a column without dates.
        NotPossible: no row fits, or the two columns have more than 5,000 pairs of values.
    """
    source = Source.of(ctx.catalog, args.table)
    measure, down = measure_of(source, args.measure, args.how), source.column(args.rows)
    across = source.column(args.columns).value
    if args.grain:
        across = builder.bucket(
            (await dated_by(source, args.columns, ctx)).value, args.grain, ctx.dialect
        )
    found = await ctx.fetch(
        build_query(args, source, measure, (down.value, across)), max_rows=MOST_CELLS
    )
    if found.truncated:
        raise NotPossible(
            f"{args.rows} and {args.columns} have more than {MOST_CELLS:,} pairs of values: narrow "
            "them with `where`, or choose a coarser column or grain."
        )
    if not found.rows:
        raise NotPossible(f"No row of {args.table} fits these conditions.")
    cross = crossed(found.rows, args, measure)
    return Pivot(
        finding=describe(cross, measure, down.name),
        table=as_table(cross, down.name),
        chart=HeatMap(x="", y=down.name, value=cross.columns),
        notes=tuple(remarks(cross, measure)),
    )


def build_query(
    args: ComputePivotArgs, source: Source, measure: Measure, keys: tuple[exp.Expr, exp.Expr]
) -> Query:
    """Aggregate in the warehouse: one row a pair of values leaves it."""
    query = source.grouped(
        {"row": keys[0], "column": keys[1]},
        {"value": measure.figure(source.dialect)},
        [source.condition(args.where)],
    )
    order = (builder.column_of(name).asc(nulls_first=False) for name in ("row", "column"))
    return Query(query.order_by(*order))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cross:
    """The shown names and all values; `totals` only where the measure adds up."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: dict[tuple[str, str], float]
    all_rows: int
    all_columns: int
    adds_up: bool

    def total_of(self, row: str) -> float:
        return sum(value for (each, _), value in self.values.items() if each == row)

    def total_under(self, column: str) -> float:
        return sum(value for (_, each), value in self.values.items() if each == column)


def crossed(found: Sequence[Row], args: ComputePivotArgs, measure: Measure) -> Cross:
    keys = list(dict.fromkeys(row[1] for row in found))
    named = {key: _name(key, args.grain) for key in keys}
    values = {
        (_name(row[0], None), named[row[1]]): number(row[2]) for row in found if row[2] is not None
    }
    rows = _by_size([_name(row[0], None) for row in found], values, at=0)
    in_order = args.grain is not None or all(_is_ordered(key) for key in keys)
    columns = list(named.values()) if in_order else _by_size(list(named.values()), values, at=1)
    return Cross(
        rows=tuple(rows[: args.most_rows]),
        columns=tuple(columns[: args.most_columns]),
        values=values,
        all_rows=len(rows),
        all_columns=len(columns),
        adds_up=measure.adds_up,
    )


def _name(key: Cell, grain: Grain | None) -> str:
    period = read_period(key, grain) if grain else None
    if grain and period is not None:
        return name_of(period, grain)
    return NO_VALUE if key is None else str(json_cell(key))


def _is_ordered(key: Cell) -> bool:
    return key is None or not isinstance(key, str) or key[:1].isdigit()


def _by_size(names: Sequence[str], values: dict[tuple[str, str], float], *, at: int) -> list[str]:
    sizes = dict.fromkeys(names, 0.0)
    for pair, value in values.items():
        sizes[pair[at]] += value
    return sorted(sizes, key=lambda name: -sizes[name])


def as_table(cross: Cross, down: str) -> Table:
    has_rest = cross.adds_up and cross.all_columns > len(cross.columns)
    columns = (
        Column(down, ColumnKind.DIMENSION),
        *(Column(name, ColumnKind.MEASURE) for name in cross.columns),
        *((Column("other", ColumnKind.MEASURE),) if has_rest else ()),
        *((Column("total", ColumnKind.MEASURE),) if cross.adds_up else ()),
    )
    return Table(
        columns=columns,
        rows=tuple(tuple(_cells(cross, row, has_rest=has_rest)) for row in cross.rows),
        truncated=cross.all_rows > len(cross.rows),
    )


def _cells(cross: Cross, row: str, *, has_rest: bool) -> Iterator[Cell]:
    shown = [cross.values.get((row, column)) for column in cross.columns]
    yield row
    yield from (None if value is None else tidy(value) for value in shown)
    total = cross.total_of(row)
    if has_rest:
        yield tidy(total - sum(value for value in shown if value is not None))
    if cross.adds_up:
        yield tidy(total)


def describe(cross: Cross, measure: Measure, down: str) -> str:
    (row, column), high = max(cross.values.items(), key=lambda each: each[1])
    size = (
        f"{counted(cross.all_rows, f'value of {down}', f'values of {down}')} by "
        f"{counted(cross.all_columns, 'column')}"
    )
    sentence = f"The highest {measure.words} is {written(high)}, for {row} and {column}, of {size}."
    if not cross.adds_up:
        return sentence
    return f"{sentence} All in all it is {written(sum(cross.values.values()))}."


def remarks(cross: Cross, measure: Measure) -> Iterator[str]:
    if cross.adds_up:
        totals = "; ".join(f"{name} {written(cross.total_under(name))}" for name in cross.columns)
        yield f"Totals of the columns: {totals}."
    else:
        yield f"There are no totals: the {measure.words} of parts does not add up."
    if cross.all_rows > len(cross.rows):
        yield f"Only the first {len(cross.rows)} of {cross.all_rows} rows are shown."
    if not cross.adds_up and cross.all_columns > len(cross.columns):
        yield f"Only the first {len(cross.columns)} of {cross.all_columns} columns are shown."
