import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.query import Dialect
from core.domain.table import Table
from core.toolkit.context import ToolContext
from core.toolkit.joins import join_graph
from core.toolkit.table_checks import Look, looks_at
from core.tools.quality.check_quality import (
    Check,
    CheckQualityArgs,
    build_counts,
    build_orphans,
    build_repeated,
    check_quality,
    remarks,
    score,
)
from tests.kit.dataset import open_tool_context
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS, EVENTS, ORDERS, shop_catalog


def found(table: Table, check: str) -> dict[object, tuple[object, ...]]:
    return {row[1]: row[2:4] for row in table.rows if row[0] == check}


async def test_counts_missing_values(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await check_quality.call({"table": "orders"}, ctx)

    gaps = shop["orders"].isna()
    assert found(result.table, "missing values") == {
        name: (count, pytest.approx(count / len(gaps)))
        for name, count in gaps.sum().items()
        if count
    }


async def test_finds_orphans_of_a_key_that_nobody_declared(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await check_quality.call({"table": "events"}, ctx)

    lost = ~shop["events"]["customer_id"].isin(shop["customers"]["customer_id"])
    assert found(result.table, "orphans") == {
        "customer_id": (lost.sum(), pytest.approx(lost.mean()))
    }


async def test_finds_repeated_rows(ctx: ToolContext):
    result = await check_quality.call({"table": "Odd Names"}, ctx)

    assert found(result.table, "repeated rows") == {"every column": (10, 0.05)}
    assert result.table.values("check")[0] == "repeated rows"


async def test_finds_dates_in_the_future(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    early = ToolContext(
        queries=ctx.queries,
        catalog=ctx.catalog,
        today=date(2026, 1, 31),
        web=ctx.web,
        note=ctx.note,
    )

    result = await check_quality.call({"table": "orders"}, early)

    later = int((shop["orders"]["ordered_at"] >= "2026-02-01").sum())
    future = found(result.table, "dates in the future")
    assert future["ordered_at"][0] == later
    assert future["order_day"][0] == later


async def test_keeps_to_the_condition(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await check_quality.call({"table": "orders", "where": "status = 'open'"}, ctx)

    orders = shop["orders"]
    gaps = orders[orders["status"] == "open"]["amount"].isna()
    assert found(result.table, "missing values")["amount"][0] == gaps.sum()


async def test_says_that_dates_are_kept_as_text(ctx: ToolContext):
    result = await check_quality.call({"table": "orders"}, ctx)

    assert result.notes == ("order_day keeps dates as text.",)


async def test_a_sound_table_passes(ctx: ToolContext):
    result = await check_quality.call({"table": "experiment"}, ctx)

    assert result.finding.startswith("experiment passes all ")
    assert result.table.rows == ()


async def test_an_empty_table_has_nothing_to_check(ctx: ToolContext):
    result = await check_quality.call({"table": "nothing_yet"}, ctx)

    assert result.finding == "nothing_yet has no rows to check."


async def test_finds_what_a_loose_database_lets_in(tmp_path: Path):
    path = tmp_path / "loose.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE invoices (invoice_id INTEGER, total REAL, town TEXT);
            INSERT INTO invoices VALUES
                (1, 10.5, 'Bonn'), (1, 20.0, 'bonn '), (2, 'n/a', ''), (3, 30.0, '  ');
            """
        )
    warehouse = SqliteWarehouse(path)
    ctx = await open_tool_context(warehouse)

    result = await check_quality.call({"table": "invoices"}, ctx)
    await warehouse.close()

    assert found(result.table, "text among numbers") == {"total": (1, 0.25)}
    assert found(result.table, "repeated key") == {"invoice_id": (1, 0.25)}
    assert found(result.table, "blank text") == {"town": (2, 0.5)}
    assert "town: 'Bonn', 'bonn ' are spelled differently and counted apart." in result.notes


def check(weight: int, affected: float) -> Check:
    return Check(name="x", column="y", affected=affected, rows=100, weight=weight, meaning="")


@pytest.mark.parametrize(
    ("checks", "points"),
    [
        ([], 100),
        ([check(1, 0), check(3, 0)], 100),
        ([check(1, 100), check(3, 0)], 75),
        ([check(1, 0), check(3, 100)], 25),
        ([check(1, 50), check(1, 0)], 75),
    ],
)
def test_the_score_weighs_shares(checks: list[Check], points: float):
    assert score(checks) == pytest.approx(points)


def test_dates_kept_as_text_are_remarked_on():
    assert list(remarks(ORDERS)) == ["order_day keeps dates as text."]


def test_counts_in_every_engine(snapshot: SnapshotAssertion):
    args = CheckQualityArgs(table="orders", where="status = 'paid'")

    assert snapshot(name="counts") == in_each_dialect(
        lambda dialect: build_counts(args, ORDERS, _looks(dialect), dialect)
    )
    assert snapshot(name="repeated") == in_each_dialect(
        lambda dialect: build_repeated(args, ORDERS, ORDERS.columns[1:], dialect)
    )
    [[link]] = join_graph(shop_catalog()).paths("events", "customers")
    assert snapshot(name="orphans") == in_each_dialect(
        lambda dialect: build_orphans(args, EVENTS, CUSTOMERS, link, dialect)
    )


def _looks(dialect: Dialect) -> Sequence[Look]:
    return looks_at(ORDERS.columns[3:], ORDERS, today=date(2026, 6, 30), dialect=dialect)
