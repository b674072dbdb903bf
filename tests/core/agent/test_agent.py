from core.domain.answer import Conditions
from tests.core.agent.stage import Stage, call, calls, query

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


async def test_says_what_the_result_holds_for_and_tells_look_ups_apart(stage: Stage):
    spain = (
        "SELECT SUM(amount) AS revenue FROM orders JOIN customers ON customers.id = customer_id"
        " WHERE country = 'Spain' AND day >= '2026-02-01' AND day < '2026-03-01'"
    )
    stage.script(
        calls(call("get_distinct_values", {"table": "customers", "column": "country"})),
        calls(query(spain)),
        "It was 236.",
    )

    answer = await stage.answer("Revenue in Spain in February")

    assert answer.result is not None
    assert answer.result.table is not None
    assert answer.conditions == Conditions(period="Feb 2026", filters=("country = Spain",))
    assert [each.purpose for each in answer.sql] == ["look_up", "answer"]
    assert [each.sql for each in answer.main_sql] == [answer.sql[-1].sql]


async def test_a_no_holds_for_nothing(stage: Stage):
    stage.script(
        calls(query("SELECT COUNT(*) AS n FROM orders WHERE day < '2026-03-01'")),
        calls(call("report_unanswerable", {"reason": "Only reading is allowed here."})),
    )

    answer = await stage.answer("Delete them")

    assert answer.refused
    assert answer.conditions == Conditions()


async def test_warns_of_a_join_that_counts_rows_twice(stage: Stage):
    doubled = "SELECT SUM(c.id) AS ids FROM customers c JOIN orders o ON o.customer_id = c.id"
    stage.script(calls(query(doubled)), "The ids add up to 240.")

    answer = await stage.answer()

    assert answer.warnings == (
        "SUM(c.id) may count rows of customers more than once, because the join with orders"
        " repeats them.",
    )
    assert "more than once" in stage.read()[0]
