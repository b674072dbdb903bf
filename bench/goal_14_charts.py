"""P14: what a chart costs beside the bare drawing of it, and whether the server feels it."""

from __future__ import annotations

import asyncio
import importlib
import io
import time
from typing import Any

from adapters.charts.renderer import MatplotlibCharts
from bench.frame import Line, interleaved
from bench.lateness import latest_of
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.table import Column, ColumnKind, Table

GOALS = ("P14",)
MONTHS, REGIONS = 12, 3

Drawn = Any  # matplotlib is loaded late and knows no types that could be named here


def _table() -> Table:
    return Table(
        columns=(
            Column("month", ColumnKind.TIME),
            Column("region", ColumnKind.DIMENSION),
            Column("revenue", ColumnKind.MEASURE),
        ),
        rows=tuple(
            (f"2025-{month:02}-01", f"Region {region}", 1_000.0 * (month + 3 * region))
            for month in range(1, MONTHS + 1)
            for region in range(REGIONS)
        ),
    )


BARS = Chart(
    spec=BarChart(x="month", y="revenue", series="region"), title="Revenue", table=_table()
)
LINES = Chart(
    spec=LineChart(x="month", y="revenue", series="region"), title="Revenue", table=_table()
)


class _Bare:
    """matplotlib's Figure and Agg by hand: twelve times three bars, or three lines."""

    def __init__(self) -> None:
        self._figure: Any = importlib.import_module("matplotlib.figure").Figure
        importlib.import_module("matplotlib.backends.backend_agg")

    def bars(self) -> bytes:
        figure = self._figure(figsize=(8, 5), dpi=100)
        axes = figure.subplots()
        for region in range(REGIONS):
            heights = [1_000.0 * (month + 3 * region) for month in range(1, MONTHS + 1)]
            places = [month + 0.25 * region for month in range(MONTHS)]
            axes.bar(places, heights, width=0.25, label=f"Region {region}")
        return self._png(figure, axes)

    def lines(self) -> bytes:
        figure = self._figure(figsize=(8, 5), dpi=100)
        axes = figure.subplots()
        for region in range(REGIONS):
            axes.plot(
                range(MONTHS),
                [1_000.0 * (month + 3 * region) for month in range(1, MONTHS + 1)],
                label=f"Region {region}",
            )
        return self._png(figure, axes)

    def _png(self, figure: Drawn, axes: Drawn) -> bytes:
        axes.set_title("Revenue")
        axes.legend()
        picture = io.BytesIO()
        figure.savefig(picture, format="png", pil_kwargs={"compress_level": 1})
        return picture.getvalue()


async def measure() -> list[Line]:
    """Compare warm charts with bare ones; then eight at once while the loop is watched."""
    bare = _Bare()
    charts = MatplotlibCharts()
    started = time.perf_counter()
    await charts.render(BARS)
    cold = time.perf_counter() - started
    bare_bars, bars, bare_lines, lines = await interleaved(
        (
            lambda: asyncio.to_thread(bare.bars),
            lambda: charts.render(BARS),
            lambda: asyncio.to_thread(bare.lines),
            lambda: charts.render(LINES),
        ),
        rounds=9,
    )
    late = await latest_of(_eight(charts))
    await charts.close()
    warmed = MatplotlibCharts()
    await warmed.warm()
    started = time.perf_counter()
    await warmed.render(BARS)
    first = time.perf_counter() - started
    await warmed.close()
    return [
        _ratio("warm bars beside bare Figure + Agg", bars.wall, bare_bars.wall, bound=1.1),
        _ratio("warm lines beside bare Figure + Agg", lines.wall, bare_lines.wall, bound=1.1),
        _ratio(
            "first chart after start beside a warm one",
            first,
            bars.wall,
            bound=2.0,
            note=f"without warming {cold * 1_000:.0f} ms",
        ),
        Line(
            goal="P14", what="loop late while 8 charts are drawn", value=late, bound=25, unit="ms"
        ),
    ]


async def _eight(charts: MatplotlibCharts) -> None:
    async with asyncio.TaskGroup() as tasks:
        for chart in (BARS, LINES) * 4:
            tasks.create_task(charts.render(chart))


def _ratio(what: str, product: float, reference: float, *, bound: float, note: str = "") -> Line:
    return Line(
        goal="P14",
        what=what,
        value=product / reference,
        bound=bound,
        unit="x",
        reference=reference * 1_000,
        product=product * 1_000,
        note=note or f"{product * 1_000:.0f} ms, bare {reference * 1_000:.0f} ms",
    )
