import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.kit.demo import made_demo

ORDERS_BY_REGION = """
    SELECT regions.name AS region, orders.*, substr(ordered_at, 1, 7) AS month,
           substr(ordered_at, 1, 10) AS day
    FROM orders JOIN customers USING (customer_id) JOIN regions USING (region_id)
"""


@pytest.fixture(scope="module")
def demo() -> Path:
    return made_demo()


@pytest.fixture(scope="module")
def orders(demo: Path) -> pd.DataFrame:
    return read(demo, ORDERS_BY_REGION)


def read(demo: Path, sql: str) -> pd.DataFrame:
    with closing(sqlite3.connect(demo)) as database:
        return pd.read_sql(sql, database)


def test_southern_europe_loses_more_than_a_third_of_its_orders_in_march_2025(
    orders: pd.DataFrame,
):
    counts = orders.groupby(["month", "region"]).size().unstack()
    months = [str(month) for month in counts.index]
    rest = counts.drop(columns="Southern Europe").sum(axis=1)
    odds = np.log((counts["Southern Europe"] / rest).to_numpy(dtype=float))

    left_over = [
        odds[:at].var() * at + odds[at:].var() * (len(odds) - at) for at in range(3, len(odds) - 2)
    ]
    broke = 3 + int(np.argmin(left_over))

    assert months[broke] == "2025-03"
    assert np.exp(odds[broke:].mean() - odds[:broke].mean()) == pytest.approx(0.65, abs=0.01)


def test_the_other_regions_do_not_break_there(orders: pd.DataFrame):
    counts = orders[orders.region != "Southern Europe"].groupby(["month", "region"]).size()
    shares = counts.unstack().pipe(lambda table: table.div(table.sum(axis=1), axis=0))

    kept = shares["2025-03":].mean() / shares[:"2025-02"].mean()

    assert kept.between(0.9, 1.1).all()


def test_one_line_has_a_quantity_that_nobody_meant(demo: Path):
    lines = read(
        demo,
        "SELECT order_line_id, quantity, revenue, products.name, date(ordered_at) AS day"
        " FROM order_lines JOIN orders USING (order_id) JOIN products USING (product_id)",
    ).sort_values("quantity", ascending=False)

    odd, next_one = lines.iloc[0], lines.iloc[1]

    assert (odd["quantity"], odd["name"], odd["day"]) == (4_800, "Label Roll", "2024-10-17")
    assert odd["revenue"] == pytest.approx(36_312)
    assert next_one["quantity"] < 100


def test_one_day_has_no_order_and_one_has_far_more_than_any_other(orders: pd.DataFrame):
    every_day = pd.date_range("2023-01-01", "2025-12-31").strftime("%Y-%m-%d")
    counts = orders.groupby("day").size().reindex(every_day, fill_value=0)

    assert list(counts[counts == 0].index) == ["2024-02-13"]
    assert counts.idxmax() == "2025-11-28"
    assert counts.max() > 2 * counts.drop("2025-11-28").max()


def test_orders_grow_by_a_sixth_a_year_and_peak_in_december(orders: pd.DataFrame):
    years = orders.groupby(orders.month.str[:4]).size()
    months = orders.groupby(orders.month.str[5:]).size()

    assert (years.pct_change().dropna().between(0.12, 0.20)).all()
    assert months.idxmax() == "12"
    assert months.idxmin() == "08"


def test_hardware_costs_eight_percent_more_from_2025_on_and_nothing_else_does(demo: Path):
    prices = read(
        demo,
        "SELECT category, products.name, unit_price, ordered_at >= '2025-01-01' AS later"
        " FROM order_lines JOIN orders USING (order_id) JOIN products USING (product_id)",
    )
    by_product = prices.groupby(["category", "name", "later"])["unit_price"].agg(["min", "max"])

    assert (by_product["min"] == by_product["max"]).all()
    change = by_product["min"].unstack("later").pipe(lambda table: table[1] / table[0]).dropna()
    assert change["Hardware"].between(1.079, 1.081).all()
    assert (change.drop("Hardware", level="category") == 1.0).all()


@pytest.mark.parametrize(
    ("first", "after", "lowest", "highest"),
    [
        ("2025-07-01", "2025-10-01", 0.45, 0.50),
        ("2025-04-01", "2025-07-01", -0.1, 0.1),
        ("2024-07-01", "2024-10-01", -0.1, 0.1),
    ],
)
def test_tickets_and_churn_go_together_in_the_third_quarter_of_2025_only(
    demo: Path, first: str, after: str, lowest: float, highest: float
):
    tickets, churned = tickets_and_churn(demo, first, after)

    assert lowest < np.corrcoef(tickets, churned)[0, 1] < highest


def test_in_that_quarter_half_of_those_with_five_tickets_left(demo: Path):
    tickets, churned = tickets_and_churn(demo, "2025-07-01", "2025-10-01")

    assert churned.mean() == pytest.approx(0.144, abs=0.001)
    assert churned[tickets == 0].mean() == pytest.approx(0.013, abs=0.001)
    assert churned[tickets >= 5].mean() == pytest.approx(0.521, abs=0.001)


def tickets_and_churn(demo: Path, first: str, after: str) -> tuple[pd.Series, pd.Series]:
    every = read(demo, "SELECT customer_id, started_on, ended_on FROM subscriptions")
    running = every[(every.started_on < first) & ~(every.ended_on < first)]
    opened = read(demo, "SELECT customer_id, date(opened_at) AS day FROM support_tickets")
    counts = opened[(opened.day >= first) & (opened.day < after)].groupby("customer_id").size()
    return running.customer_id.map(counts).fillna(0), running.ended_on < after


def test_nine_refunds_are_booked_twice(demo: Path):
    refunds = read(demo, "SELECT * FROM refunds")
    twice = refunds.duplicated(["order_id", "requested_on", "amount", "reason"])

    assert twice.sum() == 9
    assert refunds.loc[twice, "amount"].sum() == pytest.approx(5_627.92)


def test_request_days_are_text_that_does_not_sort(demo: Path):
    refunds = read(demo, "SELECT requested_on, refunded_on FROM refunds")

    assert refunds.requested_on.str.fullmatch(r"\d{2}/\d{2}/\d{4}").all()
    paid = refunds.dropna()
    assert (
        pd.to_datetime(paid.requested_on, dayfirst=True) < pd.to_datetime(paid.refunded_on)
    ).all()


def test_an_order_total_is_the_sum_of_its_lines_and_a_join_multiplies_it(demo: Path):
    totals = read(
        demo,
        "SELECT order_id, order_total, sum(revenue) AS lines, count(*) AS n"
        " FROM orders JOIN order_lines USING (order_id) GROUP BY 1, 2",
    )

    assert np.allclose(totals.order_total, totals.lines)
    assert (totals.order_total * totals.n).sum() > 1.5 * totals.lines.sum()


def test_cancelled_orders_bring_nothing_and_do_not_ship(orders: pd.DataFrame):
    cancelled = orders[orders.status == "cancelled"]

    assert (cancelled.order_total == 0).all()
    assert cancelled.shipped_on.isna().all()
    assert orders[orders.status != "cancelled"].shipped_on.notna().all()


def test_southern_europe_misses_its_targets_since_the_break(demo: Path, orders: pd.DataFrame):
    targets = read(
        demo,
        "SELECT name AS region, substr(month, 1, 7) AS month, target"
        " FROM sales_targets JOIN regions USING (region_id)",
    ).set_index(["region", "month"])
    reached = orders.groupby(["region", "month"]).order_total.sum() / targets.target

    late = reached[reached.index.get_level_values("month") >= "2025-03"].groupby("region").mean()
    assert late["Southern Europe"] == pytest.approx(0.60, abs=0.05)
    assert late.drop("Southern Europe").between(0.93, 1.07).all()


def test_some_industries_and_most_satisfactions_are_unknown(demo: Path):
    customers = read(demo, 'SELECT industry, "accountTier" FROM customers')
    tickets = read(demo, "SELECT satisfaction, priority FROM support_tickets")

    assert customers.industry.isna().mean() == pytest.approx(0.08, abs=0.01)
    assert tickets.satisfaction.isna().mean() == pytest.approx(0.41, abs=0.01)
    assert set(tickets.priority) == {"low", "normal", "high", "LOW", "NORMAL", "HIGH"}
    assert set(customers.accountTier) == {"Basic", "Plus", "Enterprise"}
