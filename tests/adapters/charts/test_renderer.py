import asyncio
import os
import signal
import struct
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.charts.renderer import MatplotlibCharts
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.errors import NotPossible, TemporarilyUnavailable
from core.domain.table import Column, ColumnKind, Table
from tests.conformance.chart_renderer import SALES, ChartRendererContract
from tests.kit.patience import PATIENCE

ORDERS = Chart(
    spec=LineChart(x="month", y="orders", series="region"), title="Orders rose", table=SALES
)


ON_ONE_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running() -> AsyncIterator[MatplotlibCharts]:
    charts = MatplotlibCharts(workers=1, seconds=PATIENCE)
    await charts.warm()
    yield charts
    await charts.close()


@ON_ONE_LOOP
class TestMatplotlibCharts(ChartRendererContract):
    @pytest.fixture
    def charts(self, running: MatplotlibCharts) -> MatplotlibCharts:
        return running


@pytest_asyncio.fixture
async def charts() -> AsyncIterator[MatplotlibCharts]:
    charts = MatplotlibCharts(workers=1, seconds=PATIENCE)
    yield charts
    await charts.close()


@ON_ONE_LOOP
async def test_draws_sharply_for_screens_of_today(running: MatplotlibCharts):
    picture = await running.render(ORDERS)

    width, height = struct.unpack(">II", picture.png[16:24])
    assert width == 1440
    assert 600 < height < 1200


@ON_ONE_LOOP
async def test_draws_the_same_picture_of_the_same_chart(running: MatplotlibCharts):
    first, second = await running.render(ORDERS), await running.render(ORDERS)

    assert first == second


async def test_survives_the_end_of_its_process(charts: MatplotlibCharts):
    before = await charts.render(ORDERS)
    [pid] = charts.pids
    os.kill(pid, signal.SIGKILL)

    after = await charts.render(ORDERS)

    assert after == before


async def test_draws_again_when_the_process_ends_on_the_way(charts: MatplotlibCharts):
    before = await charts.render(ORDERS)
    [pid] = charts.pids
    os.kill(pid, signal.SIGSTOP)
    drawing = asyncio.ensure_future(charts.render(ORDERS))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)

    assert await drawing == before


async def test_gives_up_on_a_process_that_does_not_answer():
    charts = MatplotlibCharts(workers=1, seconds=0.001)

    with pytest.raises(TemporarilyUnavailable, match="the same figures"):
        await charts.render(ORDERS)

    await charts.close()


@ON_ONE_LOOP
async def test_a_chart_that_cannot_be_drawn_says_why(running: MatplotlibCharts):
    columns = (Column("region", ColumnKind.DIMENSION), Column("avg_price", ColumnKind.MEASURE))
    table = Table(columns=columns, rows=(("North", 3.0), ("North", 5.0)))
    chart = Chart(spec=BarChart(x="region", y="avg_price"), title="Prices", table=table)

    with pytest.raises(NotPossible, match="several rows"):
        await running.render(chart)


@ON_ONE_LOOP
async def test_draws_thousands_of_points(running: MatplotlibCharts):
    columns = (Column("day", ColumnKind.TIME), Column("orders", ColumnKind.MEASURE))
    rows = tuple((date(2020, 1, 1) + timedelta(at), at % 97) for at in range(2_000))
    chart = Chart(
        spec=LineChart(x="day", y="orders"),
        title="Orders a day",
        table=Table(columns=columns, rows=rows),
    )

    picture = await running.render(chart)

    assert "Highest orders: 96" in picture.alt_text


async def test_ends_its_processes(charts: MatplotlibCharts):
    await charts.render(ORDERS)
    [pid] = charts.pids

    await charts.close()

    assert charts.pids == ()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_the_server_never_loads_matplotlib():
    script = (
        "import asyncio, sys\n"
        "from adapters.charts.renderer import MatplotlibCharts\n"
        "from tests.adapters.charts.test_renderer import ORDERS\n"
        "async def main():\n"
        f"    charts = MatplotlibCharts(seconds={PATIENCE})\n"
        "    await charts.render(ORDERS)\n"
        "    await charts.close()\n"
        "asyncio.run(main())\n"
        "print([name for name in sys.modules if name.startswith('matplotlib')])\n"
    )

    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, stdout=PIPE, stderr=PIPE, cwd=Path(__file__).parents[3]
    )
    printed, complaints = await server.communicate()

    assert printed == b"[]\n", complaints.decode()
