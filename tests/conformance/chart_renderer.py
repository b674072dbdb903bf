"""What every ChartRenderer does. Subclass it next to the implementation; add nothing to pass."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from core.domain.artifact import (
    BarChart,
    Chart,
    ChartSpec,
    HeatMap,
    Histogram,
    LineChart,
    ScatterChart,
)
from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind, Row, Table
from core.ports.chart_renderer import ChartRenderer

PNG = b"\x89PNG\r\n\x1a\n"

SALES = Table(
    columns=(
        Column("month", ColumnKind.TIME),
        Column("region", ColumnKind.DIMENSION),
        Column("orders", ColumnKind.MEASURE),
        Column("revenue", ColumnKind.MEASURE, unit="EUR"),
    ),
    rows=(
        (date(2025, 1, 1), "North", 10, 1200.5),
        (date(2025, 1, 1), "South", 7, 800.0),
        (date(2025, 2, 1), "North", 12, 1350.25),
        (date(2025, 2, 1), "South", 9, None),
    ),
)
BINS = Table(
    columns=(
        Column("from", ColumnKind.MEASURE),
        Column("to", ColumnKind.MEASURE),
        Column("rows", ColumnKind.MEASURE),
    ),
    rows=((0, 10, 4), (10, 20, 9), (20, 30, 1)),
)
EVERY_KIND = [
    (LineChart(x="month", y="revenue", series="region"), SALES, "Line chart"),
    (LineChart(x="month", y=("revenue", "orders"), series="region"), SALES, "Line chart"),
    (BarChart(x="month", y="revenue", series="region"), SALES, "Bar chart"),
    (BarChart(x="month", y="orders", series="region", stacked=True), SALES, "Stacked bar chart"),
    (BarChart(x="region", y="orders", horizontal=True), SALES, "Bar chart"),
    (ScatterChart(x="orders", y="revenue", label="region"), SALES, "Scatter chart"),
    (Histogram(lower="from", upper="to", count="rows"), BINS, "Histogram"),
    (HeatMap(x="month", y="region", value="revenue"), SALES, "Heat map"),
]


class ChartRendererContract:
    """The subclass gives a `charts` fixture."""

    @pytest.mark.parametrize(("spec", "table", "kind"), EVERY_KIND)
    async def test_draws_every_kind_of_chart(
        self, charts: ChartRenderer, spec: ChartSpec, table: Table, kind: str
    ):
        picture = await charts.render(Chart(spec=spec, title="What was sold", table=table))

        assert picture.png.startswith(PNG)
        assert picture.alt_text.startswith(kind)
        assert all(column in picture.alt_text for column in spec.columns)

    async def test_says_in_words_what_is_highest_and_lowest(self, charts: ChartRenderer):
        spec = LineChart(x="month", y="revenue", series="region")

        picture = await charts.render(Chart(spec=spec, title="Revenue", table=SALES))

        assert "Highest revenue: 1,350.25 (month Feb 2025, region North)" in picture.alt_text
        assert "lowest: 800.00 (month Jan 2025, region South)" in picture.alt_text

    async def test_puts_the_charts_own_words_first(self, charts: ChartRenderer):
        spec = BarChart(x="month", y="orders", series="region")
        chart = Chart(spec=spec, title="Orders", table=SALES, alt_text="Orders rose")

        picture = await charts.render(chart)

        assert picture.alt_text.startswith("Orders rose. Bar chart of orders by month")

    @pytest.mark.parametrize("rows", [(), (("North", None), ("South", None))])
    async def test_refuses_a_table_with_nothing_to_draw(
        self, charts: ChartRenderer, rows: tuple[Row, ...]
    ):
        columns = (Column("region", ColumnKind.DIMENSION), Column("orders", ColumnKind.MEASURE))
        table = Table(columns=columns, rows=rows)
        chart = Chart(spec=BarChart(x="region", y="orders"), title="Orders", table=table)

        with pytest.raises(NotPossible, match="no number"):
            await charts.render(chart)

    async def test_refuses_a_column_that_is_not_there(self, charts: ChartRenderer):
        chart = Chart(spec=BarChart(x="region", y="profit"), title="Profit", table=SALES)

        with pytest.raises(NotPossible, match="profit"):
            await charts.render(chart)

    async def test_several_at_once_do_not_disturb_each_other(self, charts: ChartRenderer):
        kinds = [*EVERY_KIND, *EVERY_KIND]
        wanted = [Chart(spec=spec, title=kind, table=table) for spec, table, kind in kinds]
        one_by_one = [await charts.render(chart) for chart in wanted]

        async with asyncio.TaskGroup() as tasks:
            together = [tasks.create_task(charts.render(chart)) for chart in wanted]

        assert [task.result() for task in together] == one_by_one

    async def test_a_chart_that_is_no_longer_wanted_leaves_the_others_alone(
        self, charts: ChartRenderer
    ):
        spec, table, kind = EVERY_KIND[0]
        wanted = Chart(spec=spec, title=kind, table=table)
        other = Chart(spec=BarChart(x="region", y="orders"), title="Unwanted", table=SALES)
        expected = await charts.render(wanted)
        unwanted = [asyncio.ensure_future(charts.render(other)) for _ in range(4)]
        await asyncio.sleep(0)
        for task in unwanted:
            task.cancel()
        await asyncio.wait(unwanted)

        picture = await charts.render(wanted)

        assert picture == expected
