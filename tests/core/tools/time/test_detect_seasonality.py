from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from adapters.warehouses.duckdb.warehouse import DuckDBWarehouse
from core.domain.errors import BadArguments, NotPossible
from core.domain.table import number
from core.toolkit.context import ToolContext
from core.tools.time.detect_seasonality import (
    MONTHS,
    WEEKDAYS,
    detect_seasonality,
    filled,
    place_of,
)
from tests.kit.dataset import open_tool_context
from tests.kit.tables import pairs

EFFECTS = [0.0, 5.0, 10.0, 0.0, 20.0, -15.0, -20.0]  # Monday to Sunday
FIRST = date(2024, 1, 3)  # a Wednesday


@pytest.fixture
async def weekly(tmp_path: Path) -> AsyncIterator[ToolContext]:
    """Give a steady rise with a known effect of each weekday, and a hole of a few days."""
    path = tmp_path / "weekly.duckdb"
    days = [FIRST + timedelta(at) for at in range(26 * 7)]
    rows = [
        (day, 200 + at * 0.5 + EFFECTS[day.weekday()] + (at * 7919 % 101) / 101 * 4 - 2)
        for at, day in enumerate(days)
        if at not in {40, 41, 100}
    ]
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE visits (day DATE, visitors DOUBLE)")
        connection.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    warehouse = DuckDBWarehouse(path)
    yield await open_tool_context(warehouse)
    await warehouse.close()


VISITS = {"table": "visits", "time_column": "day", "measure": "visitors", "grain": "day"}


async def test_finds_the_effect_that_each_weekday_was_made_with(weekly: ToolContext):
    result = await detect_seasonality.call(VISITS, weekly)

    effects = pairs(result.table, "position", "effect")
    assert list(effects) == list(WEEKDAYS)
    for name, expected in zip(WEEKDAYS, EFFECTS, strict=True):
        assert number(effects[name]) == pytest.approx(expected, abs=2.5)
    assert "has a strong weekly season" in result.finding
    assert "highest for Friday (+" in result.finding
    assert "lowest for Sunday (-" in result.finding


async def test_owns_up_to_the_gaps_that_it_bridged(weekly: ToolContext):
    result = await detect_seasonality.call(VISITS, weekly)

    assert "3 periods without a value lie on a straight line between others." in result.notes


async def test_finds_no_season_where_there_is_none(ctx: ToolContext):
    result = await detect_seasonality.call(
        {"table": "orders", "time_column": "ordered_at", "grain": "day"}, ctx
    )

    assert result.finding.startswith("The number of rows has no clear weekly season (strength 0.")


async def test_a_season_needs_two_of_its_length(ctx: ToolContext):
    with pytest.raises(NotPossible, match="needs 24 complete months"):
        await detect_seasonality.call({"table": "orders", "time_column": "ordered_at"}, ctx)


async def test_weeks_have_no_season(ctx: ToolContext):
    with pytest.raises(BadArguments, match="Choose grain day"):
        await detect_seasonality.call(
            {"table": "orders", "time_column": "ordered_at", "grain": "week"}, ctx
        )


@pytest.mark.parametrize(
    ("day", "length", "place"),
    [
        (date(2026, 6, 28), len(WEEKDAYS), 6),
        (date(2026, 6, 1), len(MONTHS), 5),
        (date(2026, 7, 1), 4, 2),
    ],
)
def test_knows_the_place_of_a_period_in_its_season(day: date, length: int, place: int):
    assert place_of(day, length) == place


def test_gaps_are_bridged_in_a_straight_line():
    assert filled([1.0, None, None, 4.0, 2.0]) == [1.0, 2.0, 3.0, 4.0, 2.0]
