"""A name that the model made up is put right before anybody notices, on every engine."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import duckdb
import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Connection
from core.domain.events import Event, ToolCallFinished
from core.domain.ids import ConnectionName
from tests.core.agent.stage import Stage, calls, finished, query
from tests.kit.servers import mariadb_database, postgres_database

ENGINES = ("sqlite", "duckdb", "postgres", "mariadb")
SCHEMA = (
    "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, rev_usd DECIMAL(10, 2), region VARCHAR(20))",
    "INSERT INTO sales VALUES (1, 10.50, 'north'), (2, 20.25, 'south'), (3, 5.00, 'north')",
)
RIGHT = "SELECT SUM(rev_usd) AS revenue FROM sales"
ANSWER = "Revenue was 35.75."


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("sales")
    with ExitStack() as servers:
        yield {
            "sqlite": in_sqlite(folder / "sales.sqlite"),
            "duckdb": in_duckdb(folder / "sales.duckdb"),
            "postgres": servers.enter_context(postgres_database(*SCHEMA)),
            "mariadb": servers.enter_context(mariadb_database(*SCHEMA)),
        }


def in_sqlite(path: Path, schema: tuple[str, ...] = SCHEMA) -> str:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(";".join(schema))
        database.commit()
    return f"sqlite:///{path}"


def in_duckdb(path: Path, schema: tuple[str, ...] = SCHEMA) -> str:
    with closing(duckdb.connect(path)) as database:
        for statement in schema:
            database.execute(statement)
    return f"duckdb:///{path}"


@pytest.fixture(params=ENGINES)
async def engine(request: pytest.FixtureRequest, urls: dict[str, str]) -> AsyncIterator[Stage]:
    warehouse = await open_warehouse(urls[request.param])
    catalog = await warehouse.inspect()
    connection = Connection(name=ConnectionName("sales"), dialect=catalog.dialect)
    yield Stage(warehouse=warehouse, catalog=catalog, connection=connection)
    await warehouse.close()


def shown(events: list[Event]) -> str:
    """Return what reaches a reader, but for the statements behind a click."""
    kept = (
        replace_sql(event) if isinstance(event, ToolCallFinished) else event for event in events
    )
    return " ".join(each.model_dump_json() for each in kept)


def replace_sql(event: ToolCallFinished) -> ToolCallFinished:
    return event.model_copy(update={"sql": ()})


@pytest.mark.parametrize(
    "wrong",
    [
        "SELECT SUM(revenue_usd) FROM sales",
        "SELECT SUM(s.revenue_usd) FROM sales AS s",
        "SELECT region, SUM(revenue_usd) FROM sales GROUP BY region ORDER BY 2",
        "WITH t AS (SELECT revenue_usd FROM sales) SELECT SUM(revenue_usd) FROM t",
        "SELECT SUM(rev_usd) FROM sales WHERE revenue_usd > 1",
    ],
)
async def test_a_column_that_does_not_exist_is_put_right_unnoticed(engine: Stage, wrong: str):
    engine.script(calls(query(wrong)), calls(query(RIGHT)), ANSWER)

    events = await engine.ask("What was the revenue?")

    advice = engine.read()[0]
    assert "rev_usd" in advice
    assert "revenue_usd" in advice
    answer = finished(events)
    assert answer.text == ANSWER
    assert answer.warnings == ()
    assert [each.sql for each in answer.sql if "revenue_usd" in each.sql] == []
    assert "revenue_usd" not in shown(events)
    assert not any(each in shown(events).lower() for each in ("no such", "does not exist", "error"))


async def test_a_table_that_does_not_exist_is_put_right_unnoticed(engine: Stage):
    engine.script(calls(query("SELECT COUNT(*) FROM sale")), calls(query(RIGHT)), ANSWER)

    events = await engine.ask("What was the revenue?")

    assert "sales" in engine.read()[0]
    assert finished(events).text == ANSWER
    assert "no such" not in shown(events).lower()


async def test_three_wrong_statements_are_enough_and_the_reader_gets_a_plain_sentence(
    engine: Stage,
):
    wrong = (
        calls(query("SELECT SUM(made_up) FROM sales")),
        calls(query("SELECT AVG(made_up) FROM sales")),
        calls(query("SELECT MAX(made_up) FROM sales")),
    )
    engine.script(*wrong, "I could not read the revenue.")

    events = await engine.ask("What was the revenue?")

    assert "3 queries in a row were rejected" in json.dumps(engine.read())
    assert finished(events).text == "I could not read the revenue."
    assert "made_up" not in shown(events)
