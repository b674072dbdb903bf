from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from adapters.warehouses.duckdb.warehouse import DuckDBWarehouse
from core.domain.errors import NotPossible
from core.toolkit.context import ToolContext
from core.tools.time.detect_change_points import detect_change_points
from tests.kit.dataset import open_tool_context
from tests.kit.tables import pairs

VISITS = {"table": "visits", "time_column": "day", "measure": "visitors", "grain": "day"}


@pytest.fixture
async def moved(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """Give visitors around 100 a day who become 150 on the 20th of March."""
    path = tmp_path / "moved.duckdb"
    days = [date(2025, 3, 1) + timedelta(at) for at in range(45)]
    rows = [
        (day, (150 if day >= date(2025, 3, 20) else 100) + (at * 7919 % 101) / 101 * 6 - 3)
        for at, day in enumerate(days)
    ]
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE visits (day DATE, visitors DOUBLE)")
        connection.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    warehouse = DuckDBWarehouse(path)
    yield await open_tool_context(warehouse)
    await warehouse.close()


async def test_finds_the_day_on_which_the_level_changed(moved: ToolContext):
    result = await detect_change_points.call(VISITS, moved)

    levels = pairs(result.table, "period", "level")
    assert levels[date(2025, 3, 19)] == pytest.approx(100, abs=1.5)
    assert levels[date(2025, 3, 20)] == pytest.approx(150, abs=1.5)
    assert result.finding.startswith("The level of the total visitors changed on 20 Mar 2025 from")
    assert "100% sure" in result.finding


async def test_says_when_nothing_changed(moved: ToolContext):
    result = await detect_change_points.call({**VISITS, "until": "2025-03-19"}, moved)

    assert "did not change its level over 19 complete days" in result.finding


async def test_incomplete_periods_have_no_level(ctx: ToolContext):
    result = await detect_change_points.call({"table": "orders", "time_column": "ordered_at"}, ctx)

    assert result.table.rows[-1][2:] == (None, False)


async def test_needs_eight_periods(ctx: ToolContext):
    with pytest.raises(NotPossible, match="8 are needed"):
        await detect_change_points.call(
            {"table": "orders", "time_column": "ordered_at", "grain": "quarter"}, ctx
        )
