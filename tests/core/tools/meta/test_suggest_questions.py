from core.domain.catalog import Catalog
from core.domain.query import Dialect
from core.toolkit.context import ToolContext
from core.tools.meta.suggest_questions import questions_about, said, subjects, suggest_questions
from tests.kit.shop_catalog import CUSTOMERS, ORDERS, TOTALS, shop_catalog


async def test_suggests_different_questions_on_filled_tables(ctx: ToolContext):
    result = await suggest_questions.call({"count": 8}, ctx)

    questions = result.table.values("question")
    assert len(set(questions)) == 8
    assert "nothing_yet" not in result.table.values("table")
    assert all(ctx.catalog.table(str(name)) for name in result.table.values("table"))


async def test_keeps_to_a_topic(ctx: ToolContext):
    result = await suggest_questions.call({"about": "countries of customers", "count": 3}, ctx)

    assert "customers" in result.table.values("table")
    assert result.finding == "3 questions that this data can answer about 'countries of customers'."


def test_asks_for_measures_over_time_by_groups_and_by_groups_of_parents():
    questions = [question for question, _ in questions_about(ORDERS, shop_catalog())]

    assert questions[:3] == [
        "How did the total amount of orders develop by month?",
        "Which status has the highest total amount of orders?",
        "What is the total amount of orders by country name of customers?",
    ]
    assert "How many orders are there by status?" in questions


def test_never_adds_up_a_key():
    questions = [question for question, _ in questions_about(CUSTOMERS, shop_catalog())]

    assert not [question for question in questions if "total" in question]
    assert "How many customers are there by month?" in questions


def test_tables_with_time_and_measures_come_first():
    assert subjects(shop_catalog(), "")[:2] == [ORDERS, TOTALS]


def test_an_empty_catalog_has_nothing_to_ask():
    assert subjects(Catalog(dialect=Dialect.SQLITE), "") == []


def test_names_are_said_as_words():
    assert said("orderItems") == "order items"
    assert said("Country_Name") == "country name"
    assert said("売上") == "売上"
