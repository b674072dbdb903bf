"""Statements that run and give a wrong number, each beside the one that gives the right one."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from typing import Any, Protocol

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import Catalog
from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Table
from core.reviewer import pitfalls
from core.reviewer.checks import review
from core.reviewer.ran import Ran
from core.reviewer.registry import checks
from core.sql.reading import tree_of
from tests.kit.dataset import TODAY, open_tool_context
from tests.kit.servers import postgres_database
from tests.kit.statements import GOLDS, HONEST, MORE_HONEST

ON_ONE_LOOP = pytest.mark.asyncio(loop_scope="session")


class Asked(Protocol):
    @property
    def table(self) -> Table: ...

    @property
    def said(self) -> tuple[str, ...]: ...


class Desk(Protocol):
    @property
    def dialect(self) -> Dialect: ...

    async def ask(self, sql: str) -> Asked: ...


def figures(asked: Asked) -> list[Any]:
    return [float(str(row[-1])) for row in asked.table.rows]


WRONG_AND_RIGHT = {
    "a join repeats the rows of a total": (
        "SELECT SUM(o.amount) AS total FROM orders o JOIN lines l ON l.order_id = o.id",
        [180.0],
        "more than once",
        "SELECT SUM(amount) AS total FROM orders",
        [170.0],
    ),
    "averages are averaged": (
        "SELECT AVG(m) AS mean FROM (SELECT status, AVG(amount) AS m FROM orders GROUP BY status)"
        " AS g",
        [(130 / 3 + 40) / 2],
        "averages averages",
        "SELECT AVG(amount) AS mean FROM orders",
        [42.5],
    ),
    "averages are averaged after rounding in a named subquery": (
        "WITH g AS (SELECT status, ROUND(AVG(amount), 0) AS m FROM orders GROUP BY 1),"
        " h AS (SELECT m FROM g) SELECT AVG(h.m) AS mean FROM h",
        [41.5],
        "averages averages",
        "SELECT AVG(amount) AS mean FROM orders",
        [42.5],
    ),
    "NOT IN meets a NULL": (
        "SELECT COUNT(*) AS n FROM customers WHERE id NOT IN (SELECT referred_by FROM customers)",
        [0.0],
        "NOT IN holds for no row",
        "SELECT COUNT(*) AS n FROM customers WHERE id NOT IN"
        " (SELECT referred_by FROM customers WHERE referred_by IS NOT NULL)",
        [42.0],
    ),
    "NOT IN lists a NULL": (
        "SELECT COUNT(*) AS n FROM customers WHERE country NOT IN ('Chad', NULL)",
        [0.0],
        "NOT IN holds for no row",
        "SELECT COUNT(*) AS n FROM customers WHERE country NOT IN ('Chad')",
        [3.0],
    ),
    "a filter makes an outer join an inner one": (
        "SELECT c.name, COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id ="
        " c.id WHERE c.id < 4 AND o.status = 'open' GROUP BY c.name ORDER BY c.name",
        [1.0],
        "as if the LEFT JOIN were an inner one",
        "SELECT c.name, COUNT(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id ="
        " c.id AND o.status = 'open' WHERE c.id < 4 GROUP BY c.name ORDER BY c.name",
        [0.0, 1.0, 0.0],
    ),
    "the last day of a range is lost": (
        "SELECT SUM(amount) AS total FROM orders"
        " WHERE placed_at BETWEEN '2026-01-01' AND '2026-01-31'",
        [30.0],
        "placed_at < '2026-02-01'",
        "SELECT SUM(amount) AS total FROM orders"
        " WHERE placed_at >= '2026-01-01' AND placed_at < '2026-02-01'",
        [70.0],
    ),
    "a day as the end of a comparison is lost": (
        "SELECT COUNT(*) AS n FROM orders o WHERE o.placed_at <= '2026-01-31'",
        [2.0],
        "o.placed_at < '2026-02-01'",
        "SELECT COUNT(*) AS n FROM orders o WHERE o.placed_at < '2026-02-01'",
        [3.0],
    ),
    "dates as text are compared by letters": (
        "SELECT COUNT(*) AS n FROM customers WHERE id < 4 AND born < '03/01/1980'",
        [1.0],
        "letter by letter",
        "SELECT COUNT(*) AS n FROM customers WHERE id < 4 AND SUBSTR(born, 7, 4) < '1980'",
        [1.0],
    ),
    "a word has another letter case": (
        "SELECT COUNT(*) AS n FROM customers WHERE country = 'spain'",
        [0.0],
        "country has 'Spain', not 'spain'",
        "SELECT COUNT(*) AS n FROM customers WHERE country = 'Spain'",
        [2.0],
    ),
    "a lowered column is held against a capital": (
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(country) = 'Norway'",
        [0.0],
        "letter case",
        "SELECT COUNT(*) AS n FROM customers WHERE LOWER(country) = 'norway'",
        [1.0],
    ),
    "a word is nearly that of a value": (
        "SELECT COUNT(*) AS n FROM customers WHERE country IN ('Norwey')",
        [0.0],
        "country has no 'Norwey'; it has 'Norway'",
        "SELECT COUNT(*) AS n FROM customers WHERE country IN ('Norway')",
        [1.0],
    ),
    "a word of a column with many values has another letter case": (
        "SELECT COUNT(*) AS n FROM customers WHERE name = 'ann'",
        [0.0],
        "name has 'Ann', not 'ann'",
        "SELECT COUNT(*) AS n FROM customers WHERE name = 'Ann'",
        [1.0],
    ),
}


@ON_ONE_LOOP
@pytest.mark.parametrize("case", WRONG_AND_RIGHT)
async def test_a_wrong_number_is_found_and_the_right_one_left_alone(case: str, desk: Desk):
    wrong, wrong_figures, words, right, right_figures = WRONG_AND_RIGHT[case]

    bad, good = await desk.ask(wrong), await desk.ask(right)

    assert figures(bad) == pytest.approx(wrong_figures)
    assert len(bad.said) == 1
    assert words in bad.said[0]
    assert figures(good) == pytest.approx(right_figures)
    assert good.said == ()


DIVISIONS = {
    "SELECT COUNT(CASE WHEN status = 'open' THEN 1 END) / COUNT(*) AS share FROM orders": 0.25,
    "SELECT SUM(CASE WHEN status = 'open' THEN 1 ELSE 0 END) / COUNT(*) * 100 AS p FROM orders": 25,
    "SELECT SUM(amount) / COUNT(*) AS mean FROM orders": 42.5,
    "SELECT SUM(amount) / 12 AS a_month FROM orders": 170 / 12,
    "WITH a AS (SELECT SUM(quantity) AS q, COUNT(*) AS n FROM lines) SELECT 1 * q / n FROM a": 3,
    "SELECT ROUND(MAX(amount) / NULLIF(MIN(id + 2), 0), 2) AS r FROM orders": 100 / 3,
}


@ON_ONE_LOOP
@pytest.mark.parametrize("sql", DIVISIONS)
async def test_a_ratio_that_loses_its_fraction_is_found_where_the_engine_cuts_it_off(
    sql: str, desk: Desk
):
    asked = await desk.ask(sql)

    exact = figures(asked)[0] == pytest.approx(DIVISIONS[sql], rel=0.001)
    says_so = any("fraction is cut off" in each for each in asked.said)
    # The third is 15 / 5, which loses nothing: that two whole numbers divide is said all the same.
    keeps_fractions = desk.dialect is Dialect.DUCKDB or (
        desk.dialect is Dialect.POSTGRES and "SUM(quantity)" in sql and not says_so
    )
    assert says_so is not keeps_fractions
    assert exact or says_so


@ON_ONE_LOOP
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(amount) * 1.0 / COUNT(*) AS mean FROM orders",
        "SELECT CAST(SUM(amount) AS REAL) / COUNT(*) AS mean FROM orders",
        "SELECT 100.0 * COUNT(*) / SUM(amount) AS share FROM orders",
        "SELECT AVG(amount) / COUNT(*) AS x FROM orders",
        "SELECT amount / 50 * 50 AS bin, COUNT(*) AS n FROM orders GROUP BY amount / 50 * 50",
        "SELECT id FROM orders ORDER BY id LIMIT 1 OFFSET (SELECT COUNT(*) / 2 FROM orders)",
    ],
)
async def test_exact_ratios_and_bins_are_left_alone(sql: str, desk: Desk):
    assert (await desk.ask(sql)).said == ()


@ON_ONE_LOOP
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT AVG(m) FROM (SELECT customer_id, AVG(amount) AS m FROM orders GROUP BY 1) AS g",
        "SELECT AVG(m) FROM (SELECT AVG(amount) AS m FROM orders) AS g",
        "SELECT AVG(s) FROM (SELECT status, SUM(amount) AS s FROM orders GROUP BY status) AS g",
        "SELECT c.name, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
        " WHERE o.id IS NULL GROUP BY c.name",
        "SELECT c.name, COUNT(*) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
        " WHERE COALESCE(o.status, 'open') = 'open' GROUP BY c.name",
        "SELECT c.country, COUNT(*) AS n FROM customers c LEFT JOIN orders o"
        " ON o.customer_id = c.id WHERE c.country = 'Spain' GROUP BY c.country",
        "SELECT COUNT(*) FROM orders WHERE placed_at BETWEEN '2026-01-01' AND '2026-02-01'",
        "SELECT COUNT(*) FROM orders WHERE placed_at <= '2026-01-31 23:59:59'",
        "SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT id FROM orders)",
        "SELECT COUNT(*) FROM customers WHERE country = 'spain' OR country = 'Spain'",
        "SELECT COUNT(*) FROM customers WHERE country <> 'spain'",
        "SELECT COUNT(*) FROM customers WHERE name = 'Nobody at all'",
        "SELECT COUNT(*) FROM orders WHERE status = 'paid' AND amount > 1000",
        "SELECT MAX(name) AS last_name FROM customers",
        "SELECT COUNT(*) FROM customers WHERE born = '31/01/1990'",
    ],
)
async def test_what_only_looks_alike_is_left_alone(sql: str, desk: Desk):
    assert (await desk.ask(sql)).said == ()


@ON_ONE_LOOP
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT MIN(born) AS oldest FROM customers",
        "SELECT born, name FROM customers WHERE id < 4 ORDER BY born",
        "SELECT name FROM customers WHERE born BETWEEN '01/01/1980' AND '31/12/1990'",
    ],
)
async def test_extremes_and_orders_of_dates_as_text_are_found(sql: str, desk: Desk):
    [said] = (await desk.ask(sql)).said

    assert "born holds dates as text" in said


ZONED = (
    "CREATE TABLE visits (id INTEGER PRIMARY KEY, seen_at TIMESTAMPTZ NOT NULL)",
    "INSERT INTO visits VALUES (1, '2026-01-31 23:30:00+00'), (2, '2026-02-01 00:30:00+00')",
)


@pytest.fixture(scope="module")
def zoned_url() -> Iterator[str]:
    with postgres_database(*ZONED) as url:
        yield url


@pytest.mark.service
async def test_days_of_zoned_moments_are_told_to_hang_on_the_zone(zoned_url: str):
    warehouse = await open_warehouse(zoned_url)
    ctx = await open_tool_context(warehouse)
    cut = "SELECT date_trunc('month', {}) AS m, COUNT(*) AS n FROM visits GROUP BY 1 ORDER BY 1"

    said: dict[str, list[str]] = {}
    for moment in ("seen_at", "seen_at AT TIME ZONE 'UTC'", "seen_at AT TIME ZONE 'Asia/Tokyo'"):
        sql = cut.format(moment)
        table = await ctx.fetch(sql)
        remarks = review(table, statements=[sql], today=TODAY, catalog=ctx.catalog)
        said[moment] = [str(len(table.rows)), *(each.text for each in remarks)]
    await warehouse.close()

    assert "database's own time zone" in said["seen_at"][1]
    assert said["seen_at AT TIME ZONE 'UTC'"] == ["2"]
    assert said["seen_at AT TIME ZONE 'Asia/Tokyo'"] == ["1"]


def test_every_check_is_found_by_its_name():
    names = {each.__name__ for each in checks()}

    assert names == {info.name for info in pkgutil.iter_modules(pitfalls.__path__)}
    assert len(names) >= 8


def test_right_statements_of_the_accuracy_set_and_of_analysts_are_left_alone():
    one = Table(columns=(Column("n", ColumnKind.MEASURE),), rows=((3,),))
    none = Table(columns=one.columns, rows=())

    found = {
        (check.__name__, sample.sql)
        for sample in (*GOLDS, *HONEST, *MORE_HONEST)
        for table in (one, none)
        for check in checks()
        for _ in check(
            Ran(tree_of(sample.sql, sample.dialect), Catalog(dialect=sample.dialect), table, TODAY)
        )
    }

    # One of them does lose the people without a sale, which its LEFT JOIN was to keep.
    assert {name for name, _ in found} <= {"outer_join_filter"}
    assert len(found) <= 1
