"""Whether two categories have to do with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.artifact import Sheet
from core.domain.errors import NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Table, json_cell, number
from core.sql import builder
from core.stats.association import Association, association_of
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent

CLEAR = 0.05
MOST_CELLS = 400


class TestAssociationArgs(ToolArgs):
    """Which two columns, of which rows."""

    table: TableName
    first: ColumnName
    second: ColumnName
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedAssociation(ToolResult):
    """One row a combination."""

    columns = (
        Column("first", ColumnKind.DIMENSION),
        Column("second", ColumnKind.DIMENSION),
        Column("rows", ColumnKind.MEASURE),
        Column("expected", ColumnKind.MEASURE),
        Column("share", ColumnKind.MEASURE, unit="share"),
    )


@tool(family=Family.ANALYZE, artifact=Sheet())
async def test_association(args: TestAssociationArgs, ctx: ToolContext) -> TestedAssociation:
    """Test whether two categories have to do with each other (chi-square, Cramér's V).

    Use it for "does the plan depend on the country", of columns with few values. For two measures
    use `compute_correlation`. Every row counts as one independent case.

    Returns one row for each pair of values, also those that never occur:
        first: a value of the first column
        second: a value of the second column
        rows: how many rows have both
        expected: how many would, if the columns had nothing to do with each other
        share: of the rows with this first value, 0.12 is 12 %

    Raises:
        BadArguments: a name or condition that there is not.
        NotPossible: a column has fewer than two values, or there are too many of them.
    """
    source = Source.of(ctx.catalog, args.table)
    first, second = source.column(args.first), source.column(args.second)
    found = await ctx.fetch(build_query(args, source, first, second), max_rows=MOST_CELLS)
    counts = {(row[0], row[1]): int(number(row[2])) for row in found.rows}
    firsts = list(dict.fromkeys(key for key, _ in counts))
    seconds = list(dict.fromkeys(key for _, key in counts))
    if found.truncated or len(firsts) * len(seconds) > MOST_CELLS:
        raise NotPossible("These columns have too many values for a test: choose coarser ones.")
    if len(firsts) < 2 or len(seconds) < 2:
        few = first if len(firsts) < 2 else second
        raise NotPossible(
            f"{few.name} has fewer than two values here, so there is nothing to test."
        )
    cross = [[counts.get((one, other), 0) for other in seconds] for one in firsts]
    tested = association_of(cross)
    return TestedAssociation(
        finding=describe(first, second, tested, sum(map(sum, cross))),
        table=Table(
            columns=TestedAssociation.columns, rows=tuple(rows_of(firsts, seconds, cross, tested))
        ),
        notes=tuple(remarks(tested)),
    )


def build_query(args: TestAssociationArgs, source: Source, first: Picked, second: Picked) -> Query:
    """Count in the warehouse: one row a combination leaves it."""
    known = (
        exp.Is(this=picked.value.copy(), expression=exp.null()).not_() for picked in (first, second)
    )
    query = source.grouped(
        {"first": first.value, "second": second.value},
        {"row_count": builder.count_rows()},
        [*known, source.condition(args.where)],
    )
    return Query(query.order_by(builder.column_of("first"), builder.column_of("second")))


def rows_of(
    firsts: Sequence[Cell],
    seconds: Sequence[Cell],
    cross: Sequence[Sequence[int]],
    tested: Association,
) -> Iterator[tuple[Cell, ...]]:
    for one, counts, expected in zip(firsts, cross, tested.expected, strict=True):
        for other, count, usual in zip(seconds, counts, expected, strict=True):
            yield json_cell(one), json_cell(other), count, usual, count / sum(counts)


def describe(first: Picked, second: Picked, tested: Association, rows: int) -> str:
    sure = "p < 0.001" if tested.p_value < 0.001 else f"p = {tested.p_value:.3f}"
    figures = (
        f"Cramér's V {tested.v:.2f}, chi-square {tested.chi_square:.1f} with {tested.freedom} "
        f"degrees of freedom, {sure}, {counted(rows, 'row')}"
    )
    if tested.p_value >= CLEAR:
        return f"{first.name} and {second.name} are not clearly related ({figures})."
    return f"{first.name} and {second.name} are {_strength(tested.v)} related ({figures})."


def _strength(v: float) -> str:
    if v >= 0.5:
        return "strongly"
    return "moderately" if v >= 0.3 else "weakly"


def remarks(tested: Association) -> Iterator[str]:
    if tested.sparse:
        cells = [cell for row in tested.expected for cell in row]
        few = percent(sum(cell < 5 for cell in cells) / len(cells))
        yield f"{few} of the pairs would have fewer than 5 rows, so the p-value is a rough one."
    yield "That two columns are related does not say that one causes the other."
