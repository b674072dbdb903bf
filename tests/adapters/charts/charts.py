"""Charts that tests draw: what results of queries look like, also the difficult ones."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.artifact import Chart, ChartSpec
from core.domain.table import Cell, Column, ColumnKind, Table

_KINDS = {
    "t": ColumnKind.TIME,
    "m": ColumnKind.MEASURE,
    "d": ColumnKind.DIMENSION,
    "x": ColumnKind.TEXT,
}


def table(heads: str, *rows: Sequence[Cell]) -> Table:
    """Make a table of heads such as "month:t revenue:m:EUR"."""
    columns = tuple(_column(*head.split(":")) for head in heads.split())
    return Table(columns=columns, rows=tuple(tuple(row) for row in rows))


def _column(name: str, kind: str, unit: str = "") -> Column:
    return Column(name, _KINDS[kind], unit)


def chart(spec: ChartSpec, heads: str, *rows: Sequence[Cell], title: str = "A finding") -> Chart:
    return Chart(spec=spec, title=title, table=table(heads, *rows))
