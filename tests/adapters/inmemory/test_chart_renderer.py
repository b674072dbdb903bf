import pytest

from adapters.inmemory.chart_renderer import InMemoryCharts
from core.domain.artifact import BarChart, Chart
from tests.conformance.chart_renderer import SALES, ChartRendererContract


class TestInMemoryCharts(ChartRendererContract):
    @pytest.fixture
    def charts(self) -> InMemoryCharts:
        return InMemoryCharts()


async def test_remembers_what_it_drew():
    charts = InMemoryCharts()
    chart = Chart(spec=BarChart(x="region", y="orders"), title="Orders", table=SALES)

    await charts.render(chart)

    assert charts.drawn == [chart]
