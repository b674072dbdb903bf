"""Questions that take several statements, through the whole product, held to scipy and pandas."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from core.domain.answer import Answer
from core.domain.plan import TaskState
from core.stats.scipy_door import scipy_stats
from tests.kit.offline_product import Product

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHURN = "Analyze our churn rate correlation with support ticket volume for Q3 2025"
QUARTER = ("2025-07-01", "2025-10-01")


def read(path: Path, table: str) -> pd.DataFrame:
    with closing(sqlite3.connect(path)) as database:
        return pd.read_sql_query(f"SELECT * FROM {table}", database)


def within(frame: pd.DataFrame, column: str, start: str, end: str) -> pd.DataFrame:
    return frame[(frame[column] >= start) & (frame[column] < end)]


def said(r: float, n: int, units: str, p: float) -> str:
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    return f"Pearson r = {r:.3f}, n = {n:,} {units}, {chance}"


def plain(answer: Answer) -> str:
    return " ".join(answer.text.split())


async def test_churn_and_tickets_are_planned_and_answered_as_one(
    app: Product, databases: dict[str, Path]
):
    start, end = QUARTER
    bonds = read(databases["demo_data"], "subscriptions")
    there = bonds[(bonds.started_on < start) & ~(bonds.ended_on < start)]
    tickets = within(read(databases["demo_data"], "support_tickets"), "opened_at", start, end)
    counts = there.customer_id.map(tickets.customer_id.value_counts()).fillna(0)
    left = (there.ended_on < end).astype(int)
    wanted = scipy_stats().pearsonr(left, counts)

    thread = app.thread("demo_data")
    answer = await thread.ask(CHURN)

    assert said(wanted.statistic, len(there), "customers", wanted.pvalue) in plain(answer)
    assert f"{left.sum()} of {len(there)} customers churned in Q3 2025" in plain(answer)
    assert f"those who churned had {counts[left == 1].mean():.2f} on average" in plain(answer)
    assert [line.state for line in thread.plan] == [TaskState.DONE] * 3
    assert any("subscriptions.ended_on lies in Q3 2025" in each for each in answer.assumptions)
    assert not answer.warnings


async def test_a_state_tells_who_left_where_no_date_does(app: Product, databases: dict[str, Path]):
    members = read(databases["gym"], "Member")
    visits = read(databases["gym"], "Checkin").MemberId.value_counts()
    left = (members.State == "cancelled").astype(int)
    counts = members.MemberId.map(visits).fillna(0)
    wanted = scipy_stats().pearsonr(left, counts)

    answer = await app.thread("gym").ask("Analyze the correlation of churn with checkins")

    assert said(wanted.statistic, len(members), "members", wanted.pvalue) in plain(answer)
    assert f"{left.sum()} of {len(members)} members churned" in plain(answer)
    assert any("read from the state of member" in each for each in answer.assumptions)


async def test_what_there_is_not_is_named_as_missing(app: Product):
    thread = app.thread("demo_data")
    answer = await thread.ask("Analyze the churn correlation with zebra volume in Q3 2025")

    assert "112 of 776 customers churned" in plain(answer)
    assert "zebra volume" in " ".join(answer.warnings)
    assert "Not found out: Churn against zebra volume" in plain(answer)
    assert {line.state for line in thread.plan} == {TaskState.DONE, TaskState.MISSING}


@pytest.mark.parametrize(
    ("connection", "question", "units", "table", "key", "first", "second"),
    [
        ("demo_data", "correlation between list price and unit cost of products", "products", "products", "", "list_price", "unit_cost"),
        ("gym", "is age correlated with the number of checkins by member?", "members", "Member", "MemberId", "Age", "Checkin"),
        ("demo_data", "Do orders and support tickets go together by customer?", "customers", "customers", "customer_id", "orders", "support_tickets"),
    ],
)  # fmt: skip
async def test_a_correlation_names_its_unit_and_its_figures(
    app: Product,
    databases: dict[str, Path],
    connection: str,
    question: str,
    units: str,
    table: str,
    key: str,
    first: str,
    second: str,
):
    path = databases[connection]
    rows = read(path, table)

    def side(name: str) -> pd.Series:
        if name in rows:
            return rows[name]
        return rows[key].map(read(path, name)[key].value_counts()).fillna(0)

    pairs = pd.DataFrame({"x": side(first), "y": side(second)}).dropna()
    wanted = scipy_stats().pearsonr(pairs.x, pairs.y)

    answer = await app.thread(connection).ask(question)

    assert said(wanted.statistic, len(pairs), units, wanted.pvalue) in plain(answer)
    assert not answer.refused


async def test_why_a_figure_fell_says_by_how_much_and_which_groups_made_it(
    app: Product, databases: dict[str, Path]
):
    payments = read(databases["gym"], "Payment")
    before = within(payments, "PaidOn", "2025-02-01", "2025-03-01").Amount.sum()
    now = within(payments, "PaidOn", "2025-03-01", "2025-04-01").Amount.sum()
    assert now < before

    thread = app.thread("gym")
    answer = await thread.ask("Why did revenue fall in March 2025?")

    assert f"fell from {before:,.0f} in February 2025 to {now:,.0f} in March 2025" in plain(answer)
    assert "by branch," in plain(answer)
    assert "by plan," in plain(answer)
    assert [line.state for line in thread.plan] == [TaskState.DONE] * 2


async def test_a_fall_that_was_none_is_denied_and_what_fell_all_the_same_is_named(app: Product):
    answer = await app.thread("demo_data").ask("why did revenue fall in March 2025?")

    assert "It did not fall: revenue rose" in plain(answer)
    assert "Against that, these fell: by region, Southern Europe" in plain(answer)


async def test_parts_that_do_not_need_each_other_are_tasks_of_their_own(
    app: Product, databases: dict[str, Path]
):
    payments = read(databases["gym"], "Payment")
    thread = app.thread("gym")

    answer = await thread.ask(
        "Analyze payments by plan, checkins by branch and the total amount of payments"
    )

    assert f"{payments.Amount.sum():,.0f}" in plain(answer)
    assert len(thread.plan) == 3
    assert {line.state for line in thread.plan} == {TaskState.DONE}


async def test_figures_are_compared_and_each_related_to_the_last(
    app: Product, databases: dict[str, Path]
):
    path = databases["demo_data"]
    orders = within(read(path, "orders"), "ordered_at", "2025-01-01", "2026-01-01")
    tickets = within(read(path, "support_tickets"), "opened_at", "2025-01-01", "2026-01-01")
    keys = read(path, "customers").customer_id
    counts = [keys.map(each.customer_id.value_counts()).fillna(0) for each in (orders, tickets)]
    wanted = scipy_stats().pearsonr(*counts)

    thread = app.thread("demo_data")
    answer = await thread.ask(
        "compare revenue and number of orders and correlate with support tickets in 2025"
    )

    assert said(wanted.statistic, len(keys), "customers", wanted.pvalue) in plain(answer)
    assert f"{len(orders):,}" in plain(answer)
    assert len(thread.plan) == 5
