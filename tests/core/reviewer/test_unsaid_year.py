import pytest

from core.domain.query import Dialect
from core.reviewer.unsaid_year import unsaid_years

IN_MARCH = "SELECT COUNT(*) FROM orders WHERE day >= '2024-03-01' AND day < '2024-04-01'"
MARCH_2024 = ("March is taken as March 2024, as no year was named",)
EVERY_MARCH = ("March of every year, as no year was named",)


def told(question: str, sql: str = IN_MARCH, *before: str) -> tuple[str, ...]:
    return unsaid_years(question, before, [sql], Dialect.SQLITE)


@pytest.mark.parametrize(
    "question",
    [
        "how many orders in March",
        "how many orders were there in march?",
        "March orders by channel",
        "orders on March 5",
        "orders since Mar",
        "what did we sell in early March",
        "the last 5 orders of all channels in March",
    ],
)
def test_the_year_that_a_statement_took_is_told(question: str):
    assert told(question) == MARCH_2024


@pytest.mark.parametrize(
    "question",
    [
        "how many orders in March 2024",
        "how many orders in March '24",
        "how many orders last March",
        "how many orders in March of this year",
        "orders in March of every year",
        "orders in March by year",
        "which orders may be late",
        "May we see the orders",
        "how many orders",
        "",
    ],
)
def test_nothing_is_told_where_the_question_says_which_year_or_names_no_month(question: str):
    assert told(question) == ()


@pytest.mark.parametrize(
    ("question", "sql", "sentences"),
    [
        # months of a year in other forms
        ("orders in March", "SELECT 1 FROM o WHERE day BETWEEN '2024-03-01' AND '2024-03-31'",
         MARCH_2024),
        ("orders in March", "SELECT 1 FROM o WHERE STRFTIME('%Y-%m', day) = '2024-03'", MARCH_2024),
        ("orders in March", "SELECT 1 FROM o WHERE STRFTIME('%Y', day) = '2024'"
         " AND STRFTIME('%m', day) = '03'", MARCH_2024),
        ("orders in March", "SELECT 1 FROM o WHERE EXTRACT(YEAR FROM day) = 2024"
         " AND EXTRACT(MONTH FROM day) = 3", MARCH_2024),
        ("orders in March", "WITH m AS (SELECT * FROM o WHERE day >= '2024-03-01')"
         " SELECT SUM(CASE WHEN day < '2024-04-01' THEN 1 END) FROM m", MARCH_2024),
        ("orders in Q3", "SELECT 1 FROM o WHERE day >= '2023-07-01' AND day < '2023-10-01'",
         ("Q3 is taken as Q3 2023, as no year was named",)),
        ("orders in the third quarter", "SELECT 1 FROM o WHERE EXTRACT(QUARTER FROM day) = 3"
         " AND EXTRACT(YEAR FROM day) = 2023", ("Q3 is taken as Q3 2023, as no year was named",)),
        # of every year
        ("orders in March", "SELECT 1 FROM o WHERE STRFTIME('%m', day) = '03'", EVERY_MARCH),
        ("orders in March", "SELECT 1 FROM o WHERE EXTRACT(MONTH FROM day) IN (3)", EVERY_MARCH),
        # two months, of which each has its year
        ("compare January and March", "SELECT 1 FROM o WHERE day >= '2024-01-01' AND"
         " day < '2024-02-01' OR day >= '2024-03-01' AND day < '2024-04-01'",
         ("January is taken as January 2024, as no year was named", *MARCH_2024)),
        # several years beside each other show themselves; other periods say nothing of March
        ("orders in March", "SELECT 1 FROM o WHERE day LIKE 'x' OR day = '2023-03-01' OR"
         " day = '2024-03-01'", ()),
        ("orders in March", "SELECT 1 FROM o WHERE day >= '2024-01-01' AND day < '2025-01-01'", ()),
        ("orders in March", "no sql at all (", ()),
    ],
)  # fmt: skip
def test_the_year_is_read_from_whatever_a_statement_compares(
    question: str, sql: str, sentences: tuple[str, ...]
):
    assert told(question, sql) == sentences


def test_a_year_that_the_thread_has_named_is_no_assumption():
    assert told("and in March?", IN_MARCH, "orders in January 2024", "By channel?") == ()
    assert told("and in March?", IN_MARCH, "orders in January 2023") == MARCH_2024


def test_without_a_statement_nothing_is_told():
    assert unsaid_years("orders in March", (), [], Dialect.SQLITE) == ()
