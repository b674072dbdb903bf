"""Who left and what they did, asked in many words of the demo as it ships, definitions included."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.plan import TaskState
from core.stats.scipy_door import scipy_stats
from tests.kit.demo import made_demo, place_demo
from tests.kit.offline_product import Product, product

JOINED = """
    SELECT CASE WHEN ended_on < :end THEN 1 ELSE 0 END, (SELECT COUNT(*) FROM support_tickets AS t
    WHERE t.customer_id = s.customer_id AND opened_at >= :start AND opened_at < :end)
    FROM subscriptions AS s WHERE started_on < :start AND (ended_on IS NULL OR ended_on >= :start)
"""
Q3 = ("2025-07-01", "2025-10-01")


@pytest.fixture
async def shipped(tmp_path: Path) -> AsyncIterator[Product]:
    place_demo(tmp_path)
    async with product(tmp_path, {}) as opened:
        yield opened


def reckoned(start: str, end: str) -> tuple[str, str]:
    with closing(sqlite3.connect(made_demo())) as demo:
        rows = demo.execute(JOINED, {"start": start, "end": end}).fetchall()
    left = [int(gone) for gone, _ in rows]
    found = scipy_stats().pearsonr(left, [count for _, count in rows])
    chance = "p < 0.001" if found.pvalue < 0.001 else f"p = {found.pvalue:.3f}"
    return (
        f"Pearson r = {found.statistic:.3f}, n = {len(rows):,} customers, {chance}",
        f"{sum(left):,} of {len(rows):,} customers churned",
    )


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("Analyze our churn rate correlation with support ticket volume for Q3 2025", Q3),
        ("How does churn rate correlate with the number of support tickets in Q3 2025?", Q3),
        ("Look into whether churn rate is related to support tickets, July to September 2025", Q3),
        ("Do customers with more support tickets churn more often in Q3 2025?", Q3),
        ("Churn rate vs support tickets for Q3 2025", Q3),
        ("Analyze the churn rate correlation with support tickets, 2025", ("2025-01-01", "2026-01-01")),
        ("Analyze churn rate correlation with support tickets Q3 2024", ("2024-07-01", "2024-10-01")),
    ],
)  # fmt: skip
async def test_churn_is_related_to_tickets_in_the_period_that_is_named(
    question: str, period: tuple[str, str], shipped: Product
):
    correlation, left = reckoned(*period)

    thread = shipped.thread("demo")
    answer = await thread.ask(question)

    assert correlation in " ".join(answer.text.split())
    assert left in " ".join(answer.text.split())
    assert [line.state for line in thread.plan] == [TaskState.DONE] * 3
    assert not answer.warnings


async def test_a_period_without_movement_is_told_in_plain_words(shipped: Product):
    answer = await shipped.thread("demo").ask("Analyze churn correlation with tickets in Q3 2019")

    assert "is the same for every customer (Q3 2019)" in " ".join(answer.warnings)
    assert "choose other rows" not in " ".join((answer.text, *answer.warnings))


@pytest.mark.parametrize(
    "question", ["churn since July 2025", "churned customers before July 2025"]
)
async def test_a_period_that_is_open_is_not_read_as_a_closed_one(question: str, shipped: Product):
    answer = await shipped.thread("demo").ask(question)

    assert "a beginning and an end" in answer.text
