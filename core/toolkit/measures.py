"""What is measured: a column or arithmetic on columns, and how it is put together."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field
from sqlglot import exp

from core.domain.catalog import CatalogTable
from core.domain.errors import BadArguments
from core.domain.query import Dialect
from core.domain.table import Cell, Column, ColumnKind
from core.sql import builder
from core.toolkit.sources import Source


class How(StrEnum):
    """How the values of many rows become one figure."""

    SUM = "sum"
    AVERAGE = "average"
    COUNT = "count"
    DISTINCT = "distinct"
    MIN = "min"
    MAX = "max"


MeasureText = Annotated[
    str,
    Field(
        max_length=500,
        description="Column of numbers, or arithmetic such as quantity * price; empty counts rows."
        " Columns of a table that this one points at are written table.column.",
    ),
]
HowField = Annotated[
    How,
    Field(description="How its values are put together; count and distinct take any column."),
]

_PREFIXES = {
    How.SUM: "total",
    How.AVERAGE: "average",
    How.COUNT: "count",
    How.DISTINCT: "distinct",
    How.MIN: "lowest",
    How.MAX: "highest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure that a query computes; without a `value` it counts rows."""

    name: str
    how: How
    value: exp.Expr | None

    @property
    def adds_up(self) -> bool:
        """Say whether the figures of groups, added up, are the figure of all of them."""
        return self.how in {How.SUM, How.COUNT}

    @property
    def column(self) -> Column:
        return Column(self.name, ColumnKind.MEASURE)

    @property
    def words(self) -> str:
        """Name it as people would: total amount, number of rows."""
        return "number of rows" if self.value is None else self.name.replace("_", " ")

    def figure(self, dialect: Dialect, *, when: exp.Expr | None = None) -> exp.Expr:
        """Aggregate over the rows of a group, or over those of them for which `when` holds."""
        if self.value is None:
            return builder.count_where(when) if when is not None else builder.count_rows()
        value = exp.case().when(when.copy(), self.value.copy()) if when is not None else self.value
        if self.how is How.AVERAGE:
            return builder.average(value, dialect)
        return _AGGREGATES[self.how](value)


_AGGREGATES: dict[How, Callable[[exp.Expr], exp.Expr]] = {
    How.SUM: builder.total,
    How.COUNT: builder.count_values,
    How.DISTINCT: builder.count_distinct,
    How.MIN: builder.smallest,
    How.MAX: builder.largest,
}


def tidy(cell: Cell) -> Cell:
    """Return a figure without the last digits of a float, which say how it was added up.

    What is whole becomes a whole number: nobody counts 12.0 rows.
    """
    if not isinstance(cell, float) or not math.isfinite(cell):
        return cell
    rounded = float(f"{cell:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _WHOLE else rounded


_WHOLE = 1e15


def measure_of(source: Source, text: str, how: How) -> Measure:
    """Read what is to be measured.

    Raises:
        BadArguments: it is no column and no arithmetic, or nothing that can be computed with.
    """
    text = text.strip()
    if not text or text == "*":
        return Measure(name="rows", how=How.COUNT, value=None)
    if how in {How.COUNT, How.DISTINCT}:
        return Measure(name=_named(how, text), how=how, value=source.column(text).value)
    if _is_column(source, text):
        picked = source.column(text)
        if picked.column.kind is not ColumnKind.MEASURE:
            raise BadArguments(_no_number(source.table, picked.name, how))
        return Measure(name=_named(how, picked.name), how=how, value=picked.value)
    return Measure(name=_named(how, text), how=how, value=source.expression(text))


def _is_column(source: Source, text: str) -> bool:
    return source.table.column(text) is not None or not re.search(r"[-+*/()%]", text)


def _named(how: How, text: str) -> str:
    prefix = _PREFIXES[how]
    plain = text.rpartition(".")[2] if re.fullmatch(r"[\w ]+\.[\w ]+", text) else text
    if plain.casefold().startswith(prefix):
        return plain
    return f"{prefix}_{plain}" if re.fullmatch(r"\w+", plain) else f"{prefix} {plain}"


def _no_number(table: CatalogTable, name: str, how: How) -> str:
    numbers = _names(c.name for c in table.columns if c.kind is ColumnKind.MEASURE)
    return (
        f"{name} is nothing to take the {how} of. {table.qualified_name} has these numbers: "
        f"{numbers}. To count values, choose how=count or how=distinct."
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
