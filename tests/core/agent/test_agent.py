from tests.core.agent.stage import Stage, calls, query

TOTALS = (
    "SELECT country, SUM(amount) AS revenue FROM orders"
    " JOIN customers ON customers.id = customer_id GROUP BY country ORDER BY revenue DESC"
)


async def test_answers_with_the_result_that_the_text_speaks_of(stage: Stage):
    stage.script(
        calls(query(TOTALS, title="Revenue by country")),
        "Spain leads with 5,560 of 8,340 in revenue.\n\nAssumption: all orders count.\n"
        "Suggestion: And by month?",
    )

    answer = await stage.answer("Revenue by country")

    assert answer.text == "Spain leads with 5,560 of 8,340 in revenue."
    assert answer.assumptions == ("all orders count.",)
    assert answer.suggestions == ("And by month?",)
    assert answer.result is not None
    assert answer.result.title == "Revenue by country"
    assert answer.result.table is not None
    assert answer.result.table.rows[0] == ("Spain", 5560)
    assert answer.result.charts
    assert [each.rows for each in answer.sql] == [2]
    assert answer.warnings == ()


async def test_warns_of_a_join_that_counts_rows_twice(stage: Stage):
    doubled = "SELECT SUM(c.id) AS ids FROM customers c JOIN orders o ON o.customer_id = c.id"
    stage.script(calls(query(doubled)), "The ids add up to 240.")

    answer = await stage.answer()

    assert answer.warnings == (
        "SUM(c.id) may count rows of customers more than once, because the join with orders"
        " repeats them.",
    )
    assert "more than once" in stage.read()[0]
