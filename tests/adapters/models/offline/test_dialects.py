from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import duckdb
import orjson
import pytest
import sqlglot

from adapters.models.offline.analyst import OfflineAnalyst
from core.domain.chat import AssistantMessage, ChatMessage, ToolCall, ToolMessage, UserMessage
from tests.kit.offline_shop import SCRIPT, shop
from tests.kit.offline_talk import request, schema_text, system, values_text

MOST_STEPS = 6
# Questions, and how one would ask DuckDB by hand.
COUNTS = {
    "How many orders are there?": "SELECT COUNT(*) FROM orders",
    "How many orders in 2025?": "SELECT COUNT(*) FROM orders WHERE YEAR(ordered_at) = 2025",
    "How many orders per month?": """
        SELECT MAKE_DATE(YEAR(ordered_at), MONTH(ordered_at), 1), COUNT(*)
        FROM orders GROUP BY 1 ORDER BY 1""",
    "orders per year": "SELECT YEAR(ordered_at), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
    "How many orders per quarter?": """
        SELECT MAKE_DATE(YEAR(ordered_at), QUARTER(ordered_at) * 3 - 2, 1), COUNT(*)
        FROM orders GROUP BY 1 ORDER BY 1""",
}
CHANGES = {
    f"growth of orders by {grain}": f"""
        WITH each (start, n) AS (
            SELECT CAST(DATE_TRUNC('{grain}', ordered_at) AS DATE), COUNT(*) FROM orders GROUP BY 1)
        SELECT a.start, a.n, a.n - b.n, 100.0 * (a.n - b.n) / b.n
        FROM each AS a LEFT JOIN each AS b ON b.start = a.start - INTERVAL 1 {grain} ORDER BY 1"""
    for grain in ("week", "month", "quarter")
} | {
    "growth of orders by year": """
        WITH each (start, n) AS (SELECT YEAR(ordered_at), COUNT(*) FROM orders GROUP BY 1)
        SELECT a.start, a.n, a.n - b.n, 100.0 * (a.n - b.n) / b.n
        FROM each AS a LEFT JOIN each AS b ON b.start = a.start - 1 ORDER BY 1""",
}
SUMS = {
    "Total quantity by month": """
        SELECT MAKE_DATE(YEAR(ordered_at), MONTH(ordered_at), 1), SUM(quantity)
        FROM orders JOIN order_lines USING (order_id)
        GROUP BY 1 ORDER BY 1""",
    "total revenue by month": """
        SELECT MAKE_DATE(YEAR(ordered_at), MONTH(ordered_at), 1), SUM(quantity * unit_price)
        FROM orders JOIN order_lines USING (order_id)
        GROUP BY 1 ORDER BY 1""",
    "average age by region": """
        SELECT regions.name, AVG(age) FROM customers JOIN regions USING (region_id)
        GROUP BY 1 ORDER BY 2 DESC""",
    "average days between ordered at and shipped on": """
        SELECT AVG(shipped_on - ordered_at) FROM orders""",
}
TOPS = {
    "top 3 products by quantity": """
        SELECT title, SUM(quantity) FROM products JOIN order_lines USING (product_id)
        GROUP BY 1 ORDER BY 2 DESC LIMIT 3""",
    "Top 2 customers by number of orders": """
        SELECT name, COUNT(*) FROM customers JOIN orders USING (customer_id)
        GROUP BY 1 ORDER BY 2 DESC LIMIT 2""",
    "most expensive product in each category": """
        SELECT category, title, list_price FROM products
        QUALIFY RANK() OVER (PARTITION BY category ORDER BY list_price DESC) = 1 ORDER BY 1""",
}
MEDIANS = {
    "median list price of products": "SELECT QUANTILE_CONT(list_price, 0.5) FROM products",
    "median age of customers": "SELECT QUANTILE_CONT(age, 0.5) FROM customers",
    "median age by country": """
        SELECT country, QUANTILE_CONT(age, 0.5) FROM customers GROUP BY 1 ORDER BY 2 DESC""",
}
ALL = COUNTS | CHANGES | SUMS | TOPS | MEDIANS
OF_SQLITE = re.compile(r"\b(strftime|julianday|unixepoch|date\s*\(\s*\w[\w.]*\s*,|start of)", re.I)
OF_MYSQL = re.compile(r"\b(date_format|makedate|datediff|year\s*\()|`", re.I)
OF_POSTGRES = re.compile(r"\b(date_trunc|percentile_cont|within group|nulls last)|::", re.I)


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as opened:
        opened.execute(SCRIPT)
        yield opened


@pytest.fixture
def described() -> Iterator[sqlite3.Connection]:
    with closing(shop()) as opened:
        yield opened


async def statement(described: sqlite3.Connection, question: str, dialect: str) -> str:
    """Return the statement that the analyst would run on an engine of the dialect."""
    analyst = OfflineAnalyst()
    messages: list[ChatMessage] = [system(dialect=dialect), UserMessage(question)]
    for _ in range(MOST_STEPS):
        reply = await analyst.complete(request(messages))
        assert reply.tool_calls, reply.text
        for call in reply.tool_calls:
            if call.name == "run_query":
                return orjson.loads(call.arguments)["sql"]
        messages.append(AssistantMessage("", reply.tool_calls))
        messages += [ToolMessage(each.id, looked_up(described, each)) for each in reply.tool_calls]
    pytest.fail(f"no statement for: {question}")


def looked_up(described: sqlite3.Connection, call: ToolCall) -> str:
    if call.name == "get_schema":
        return schema_text(described)
    assert call.name == "get_distinct_values", call
    return values_text(described, orjson.loads(call.arguments))


@pytest.mark.parametrize(("question", "by_hand"), ALL.items(), ids=ALL)
async def test_gives_duckdb_the_rows_of_a_statement_by_hand(
    engine: duckdb.DuckDBPyConnection,
    described: sqlite3.Connection,
    question: str,
    by_hand: str,
):
    sql = await statement(described, question, "duckdb")

    assert engine.execute(sql).fetchall() == engine.execute(by_hand).fetchall()


@pytest.mark.parametrize("question", ALL)
async def test_writes_postgres_in_its_own_words(described: sqlite3.Connection, question: str):
    sql = await statement(described, question, "postgres")

    assert not OF_SQLITE.search(sql)
    assert not OF_MYSQL.search(sql)
    assert len(sqlglot.parse(sql, read="postgres")) == 1


@pytest.mark.parametrize("question", ALL)
async def test_writes_mysql_in_its_own_words(described: sqlite3.Connection, question: str):
    sql = await statement(described, question, "mysql")

    assert not OF_SQLITE.search(sql)
    assert not OF_POSTGRES.search(sql)
    assert len(sqlglot.parse(sql, read="mysql")) == 1


@pytest.mark.parametrize(
    ("dialect", "month"),
    [
        ("sqlite", "DATE(orders.ordered_at, 'start of month')"),
        ("duckdb", "DATE_TRUNC('MONTH', orders.ordered_at)"),
        ("postgres", "DATE_TRUNC('MONTH', orders.ordered_at)"),
        ("mysql", "DATE_FORMAT(orders.ordered_at, '%Y-%m-01')"),
    ],
)
async def test_cuts_days_to_months_as_each_engine_does(
    described: sqlite3.Connection, dialect: str, month: str
):
    assert month in await statement(described, "How many orders per month?", dialect)


@pytest.mark.parametrize(
    ("dialect", "middle"),
    [
        ("sqlite", "ROW_NUMBER()"),
        ("duckdb", "MEDIAN(customers.age)"),
        ("postgres", "PERCENTILE_CONT(0.5)"),
        ("mysql", "ROW_NUMBER()"),
    ],
)
async def test_finds_the_middle_as_each_engine_can(
    described: sqlite3.Connection, dialect: str, middle: str
):
    assert middle in await statement(described, "median age of customers", dialect)


async def test_puts_what_is_missing_last_on_every_engine(described: sqlite3.Connection):
    # Postgres alone holds NULL to be the largest value of all.
    sql = await statement(described, "top 3 products by quantity", "postgres")

    assert "DESC NULLS LAST" in sql
