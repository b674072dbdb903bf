import pytest
from sqlglot import exp

from core.domain.query import Query
from core.domain.table import json_cell
from core.sql.builder import Grain, bucket, table_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import dated_by
from core.toolkit.sources import Source
from core.toolkit.time_columns import is_text
from tests.kit.shop_catalog import TIME, column


async def first_periods(ctx: ToolContext, table: str, name: str) -> list[str]:
    found = ctx.table(table)
    dated = await dated_by(Source.of(ctx.catalog, table), name, ctx)
    period = bucket(dated.value, Grain.QUARTER, ctx.dialect)
    query = exp.select(period.as_("p")).distinct().from_(table_of(found)).order_by("p").limit(2)
    rows = (await ctx.fetch(Query(query))).rows
    return [str(json_cell(row[0]))[:10] for row in rows]


@pytest.mark.parametrize(
    ("table", "name"),
    [("orders", "ordered_at"), ("orders", "order_day"), ("monthly_targets", "month")],
)
async def test_times_dates_and_months_as_text_all_make_periods(
    ctx: ToolContext, table: str, name: str
):
    assert await first_periods(ctx, table, name) == ["2025-01-01", "2025-04-01"]


@pytest.mark.parametrize(
    ("type_", "text"),
    [("VARCHAR(7)", True), ("TEXT", True), ("STRING", True), ("DATE", False), ("TIMESTAMP", False)],
)
def test_tells_text_from_times(type_: str, *, text: bool):
    assert is_text(column("day", type_, TIME)) is text
