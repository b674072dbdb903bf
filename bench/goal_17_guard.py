"""P17: what the guard costs beside bare parsing, walking and writing of the same statement."""

from __future__ import annotations

import gc

import sqlglot

from bench.frame import Line, interleaved
from core.domain.query import Dialect
from core.sql.guard import Guard

GOALS = ("P17",)
ENGINES = (Dialect.POSTGRES, Dialect.SQLITE, Dialect.DUCKDB, Dialect.SNOWFLAKE)
REPEATS = 10
SHORT = (
    "SELECT country, count(*) AS n FROM customers WHERE signed_up >= '2024-01-01'"
    " GROUP BY country ORDER BY n DESC LIMIT 10"
)
LONG = """
WITH paid AS (
    SELECT
        o.order_id,
        o.customer_id,
        o.ordered_on,
        o.channel,
        SUM(i.quantity * i.unit_price) AS gross,
        SUM(i.quantity * i.unit_price * (1 - COALESCE(i.discount, 0))) AS net
    FROM orders AS o
    JOIN order_items AS i ON i.order_id = o.order_id
    WHERE o.status = 'paid'
      AND o.ordered_on >= '2024-01-01'
      AND o.ordered_on < '2025-01-01'
    GROUP BY o.order_id, o.customer_id, o.ordered_on, o.channel
),
firsts AS (
    SELECT customer_id, MIN(ordered_on) AS first_order
    FROM paid
    GROUP BY customer_id
),
by_segment AS (
    SELECT
        c.segment,
        c.country,
        p.channel,
        COUNT(DISTINCT p.customer_id) AS customers,
        COUNT(*) AS orders,
        SUM(p.net) AS revenue,
        AVG(p.net) AS basket,
        SUM(CASE WHEN p.ordered_on = f.first_order THEN p.net ELSE 0 END) AS new_revenue,
        MAX(p.gross - p.net) AS largest_discount
    FROM paid AS p
    JOIN customers AS c ON c.customer_id = p.customer_id
    JOIN firsts AS f ON f.customer_id = p.customer_id
    LEFT JOIN churned AS x
        ON x.customer_id = c.customer_id
       AND x.churned_on <= p.ordered_on
    WHERE x.customer_id IS NULL
      AND c.country IN ('ES', 'DE', 'FR', 'IT', 'PT')
      AND (c.segment <> 'test' OR c.segment IS NULL)
    GROUP BY c.segment, c.country, p.channel
    HAVING COUNT(*) > 5
)
SELECT
    segment,
    country,
    channel,
    customers,
    orders,
    revenue,
    basket,
    new_revenue / NULLIF(revenue, 0) AS new_share,
    revenue / SUM(revenue) OVER (PARTITION BY country) AS share_of_country,
    RANK() OVER (PARTITION BY country ORDER BY revenue DESC) AS place,
    SUM(revenue) OVER (ORDER BY revenue DESC ROWS UNBOUNDED PRECEDING) AS running
FROM by_segment
WHERE revenue > 1000
ORDER BY country, place
LIMIT 200
""".strip()


async def measure() -> list[Line]:
    """Judge each statement anew, by turns with the bare library."""
    gc.freeze()  # as the server does: what is loaded is not looked through again and again
    return [
        *[await _beside_bare(dialect) for dialect in ENGINES],
        await _short(),
    ]


async def _beside_bare(dialect: Dialect) -> Line:
    async def bare() -> None:
        for _ in range(REPEATS):
            tree = sqlglot.parse_one(LONG, dialect=dialect)
            for _node in tree.walk():
                pass
            tree.sql(dialect=dialect)

    async def guarded() -> None:
        for _ in range(REPEATS):
            _judge(LONG, dialect)

    reference, product = await interleaved((bare, guarded), rounds=9)
    return Line(
        goal="P17",
        what=f"guard of {len(LONG.splitlines())} lines beside parse, walk, write ({dialect})",
        value=product.cpu / reference.cpu,
        bound=1.3,
        unit="x",
        reference=reference.cpu / REPEATS * 1_000,
        product=product.cpu / REPEATS * 1_000,
        note=f"{product.cpu / REPEATS * 1_000:.2f} ms, bare {reference.cpu / REPEATS * 1_000:.2f}",
    )


async def _short() -> Line:
    async def guarded() -> None:
        for _ in range(REPEATS):
            _judge(SHORT, Dialect.POSTGRES)

    (cost,) = await interleaved((guarded,), rounds=15)
    return Line(
        goal="P17",
        what="guard of a short statement",
        value=cost.cpu / REPEATS * 1_000,
        bound=0.5,
        unit="ms",
    )


def _judge(text: str, dialect: Dialect) -> None:
    if not Guard.without_catalog(dialect).judge(text).allowed:
        raise AssertionError("the guard refuses the benchmark's own statement")
