"""A question of several parts: planned, carried out and checked on the demo data."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.chat import ChatReply, ChatRequest, ToolMessage, UserMessage
from core.domain.events import PlanChanged
from core.domain.plan import TaskState
from core.stats.scipy_door import scipy_stats
from tests.core.agent.stage import Stage, call, calls, finished, query
from tests.kit.demo import made_demo

QUESTION = "Analyze our churn rate correlation with support ticket volume for Q3 2025"
COMPLEX = '{"primary_intent": "analyze", "confidence": 0.95, "complexity": "complex"}'
CHURNED = (
    "SELECT COUNT(*) AS active, SUM(CASE WHEN ended_on < '2025-10-01' THEN 1 ELSE 0 END) AS churned"
    " FROM subscriptions WHERE started_on < '2025-07-01'"
    " AND (ended_on IS NULL OR ended_on >= '2025-07-01')"
)
TICKETS = (
    "SELECT COUNT(*) AS tickets, COUNT(DISTINCT customer_id) AS customers FROM support_tickets"
    " WHERE opened_at >= '2025-07-01' AND opened_at < '2025-10-01'"
)
PAIRS = (
    "SELECT s.customer_id, CASE WHEN s.ended_on < '2025-10-01' THEN 1 ELSE 0 END AS churned,"
    " COUNT(t.ticket_id) AS tickets FROM subscriptions AS s LEFT JOIN support_tickets AS t"
    " ON t.customer_id = s.customer_id AND t.opened_at >= '2025-07-01'"
    " AND t.opened_at < '2025-10-01' WHERE s.started_on < '2025-07-01'"
    " AND (s.ended_on IS NULL OR s.ended_on >= '2025-07-01') GROUP BY s.customer_id, s.ended_on"
)
PLAN = json.dumps(
    {
        "tasks": [
            {
                "id": "churned",
                "title": "Who churned in Q3 2025",
                "question": "How many of the subscriptions active on 1 July 2025 churned in Q3?",
                "families": ["segment"],
            },
            {
                "id": "tickets",
                "title": "Their tickets",
                "question": "How many support tickets were opened in Q3 2025, by how many?",
                "families": ["analyze"],
            },
            {
                "id": "related",
                "title": "Churn against tickets",
                "question": "Do churn and tickets by customer go together in Q3 2025?",
                "families": ["analyze"],
                "tools": ["correlate_query"],
                "needs": ["churned", "tickets"],
            },
        ]
    }
)


def analyst(request: ChatRequest) -> ChatReply | str:
    """Plan, look each task's figures up, and write what the results say."""
    if request.json_only:
        return PLAN
    if request.tool_choice == "none":
        return _in_words(_results(request))
    asked = [m.text for m in request.messages if isinstance(m, UserMessage)]
    if _results(request):
        return "See the result."
    if any("go together" in text for text in asked):
        return calls(call("correlate_query", {"sql": PAIRS, "x": "churned", "y": "tickets"}))
    return calls(query(TICKETS if any("tickets were" in text for text in asked) else CHURNED))


def _results(request: ChatRequest) -> dict[str, float]:
    found: dict[str, float] = {}
    for message in request.messages:
        if isinstance(message, ToolMessage):
            body = json.loads(message.text)
            found |= dict(zip(body["columns"], body["rows"][0], strict=True))
    return found


def _in_words(found: dict[str, float]) -> str:
    return (
        f"{found['churned']} of {found['active']} customers churned; {found['tickets']} tickets"
        f" came in. The correlation is {found['correlation']:.3f} (n = {found['n']},"
        f" p = {found['p_value']:.3f})."
    )


@pytest.fixture(scope="module")
def demo() -> Path:
    return made_demo()


async def test_churn_and_tickets_are_correlated_over_the_customers_of_the_quarter(demo: Path):
    warehouse = await open_warehouse(str(demo))
    stage = Stage(warehouse=warehouse, catalog=await warehouse.inspect())
    stage.script(*[analyst] * 12, intent=COMPLEX)

    answer = finished(await stage.ask(QUESTION))
    await warehouse.close()

    pairs = await asyncio.to_thread(_read, demo)
    expected = scipy_stats().pearsonr([row[1] for row in pairs], [row[2] for row in pairs])
    assert f"The correlation is {expected.statistic:.3f} (n = {len(pairs)}" in answer.text
    assert f"p = {expected.pvalue:.3f}" in answer.text
    assert f"{sum(row[1] for row in pairs)} of {len(pairs)} customers" in answer.text
    last = [event for event in stage.events if isinstance(event, PlanChanged)][-1]
    assert {task.state for task in last.tasks} == {TaskState.DONE}
    assert not answer.warnings


def _read(demo: Path) -> list[tuple[int, int, int]]:
    with closing(sqlite3.connect(demo)) as database:
        return database.execute(PAIRS).fetchall()
