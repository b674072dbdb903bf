import pytest

from core.domain.errors import NotPossible
from core.toolkit.context import ToolContext
from core.tools.meta.explain_query import explain_query


async def explained(ctx: ToolContext, sql: str) -> list[tuple[object, object]]:
    result = await explain_query.call({"sql": sql}, ctx)
    return list(zip(result.table.values("part"), result.table.values("what"), strict=True))


async def test_says_the_steps_in_the_order_in_which_they_take_effect(ctx: ToolContext):
    sql = """
        WITH monthly AS (
            SELECT c.segment, SUM(o.amount) AS revenue
            FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id
            WHERE o.status = 'paid' AND o.amount > 0
            GROUP BY c.segment HAVING COUNT(*) > 10
        )
        SELECT DISTINCT segment, RANK() OVER (ORDER BY revenue DESC) AS place
        FROM monthly ORDER BY place LIMIT 3
    """

    assert await explained(ctx, sql) == [
        ("monthly", "Read orders"),
        ("monthly", "Add customers, keeping rows without a partner in it"),
        ("monthly", "Keep rows where this holds"),
        ("monthly", "Keep rows where this holds"),
        ("monthly", "Group, one row for each different combination"),
        ("monthly", "Compute over each group or all rows"),
        ("monthly", "Keep groups where this holds"),
        ("result", "Read monthly"),
        ("result", "Compute across rows, keeping each"),
        ("result", "Drop repeated rows"),
        ("result", "Sort"),
        ("result", "Keep the first rows only"),
    ]


async def test_names_the_tables_in_one_sentence(ctx: ToolContext):
    result = await explain_query.call(
        {"sql": "WITH a AS (SELECT * FROM orders) SELECT * FROM a, customers"}, ctx
    )

    assert result.finding == "The statement reads customers, orders, in 3 steps in 2 parts."


@pytest.mark.parametrize(
    ("join", "what"),
    [
        (
            "JOIN customers c USING (customer_id)",
            "Add customers, dropping rows without a partner in it",
        ),
        ("CROSS JOIN customers c", "Pair every row with every row of customers"),
        (
            "FULL JOIN customers c USING (customer_id)",
            "Add customers, keeping its rows without a partner (full join)",
        ),
    ],
)
async def test_tells_joins_apart(ctx: ToolContext, join: str, what: str):
    steps = await explained(ctx, f"SELECT 1 FROM orders {join}")

    assert ("result", what) in steps


async def test_explains_set_operations_and_subqueries(ctx: ToolContext):
    sql = """
        SELECT a FROM (SELECT amount AS a FROM orders) t
        UNION ALL SELECT target FROM monthly_targets ORDER BY 1
    """

    assert await explained(ctx, sql) == [
        ("t", "Read orders"),
        ("result", "Read subquery t"),
        ("result", "Read monthly_targets"),
        ("result", "Put both results under each other and keep repeated rows"),
        ("result", "Sort"),
    ]


async def test_reads_nothing_from_the_database(ctx: ToolContext):
    before = len(ctx.queries.executed)

    await explain_query.call({"sql": "SELECT * FROM orders"}, ctx)

    assert len(ctx.queries.executed) == before


async def test_refuses_what_is_not_one_select(ctx: ToolContext):
    with pytest.raises(NotPossible):
        await explain_query.call({"sql": "DROP TABLE orders"}, ctx)
