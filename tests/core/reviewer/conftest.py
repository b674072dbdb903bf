"""A few customers, orders and lines of them in three engines, and a way to ask and review."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import duckdb
import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.query import Dialect
from core.domain.table import Table
from core.reviewer.checks import look_ups_for, review
from core.toolkit.context import ToolContext
from tests.kit.dataset import TODAY, open_tool_context
from tests.kit.servers import postgres_database

SCRIPT = (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,"
    " country VARCHAR(20), born VARCHAR(10), referred_by INTEGER)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),"
    " placed_at TIMESTAMP NOT NULL, status VARCHAR(10) NOT NULL, amount INTEGER NOT NULL)",
    "CREATE TABLE lines (order_id INTEGER NOT NULL REFERENCES orders (id), line_no INTEGER"
    " NOT NULL, quantity INTEGER NOT NULL, PRIMARY KEY (order_id, line_no))",
    "INSERT INTO customers VALUES (1, 'Ann', 'Spain', '31/01/1990', NULL),"
    " (2, 'Bea', 'Spain', '02/12/1985', 1), (3, 'Cem', 'Norway', '15/06/1970', 1)",
    "INSERT INTO customers WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n"
    " WHERE i < 44) SELECT i, 'Somebody ' || i, 'Chad', '01/01/2001', 2 FROM n",
    "INSERT INTO orders VALUES (1, 1, '2026-01-05 09:30:00', 'paid', 10),"
    " (2, 1, '2026-01-20 10:00:00', 'paid', 20), (3, 2, '2026-01-31 18:45:00', 'open', 40),"
    " (4, 3, '2026-02-01 00:00:00', 'paid', 100)",
    "INSERT INTO lines VALUES (1, 1, 1), (1, 2, 4), (2, 1, 2), (3, 1, 7), (4, 1, 1)",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a statement gave, and what was said of it to the reader."""

    table: Table
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Desk:
    """One engine with the tables above."""

    ctx: ToolContext

    @property
    def dialect(self) -> Dialect:
        return self.ctx.dialect

    async def ask(self, sql: str) -> Asked:
        queries = self.ctx.queries.for_call()
        table = await queries.fetch(sql)
        statements = [each.sql for each in queries.executed]
        remarks = review(table, statements=statements, today=TODAY, catalog=self.ctx.catalog)
        asked = look_ups_for(table, statements=statements, today=TODAY, catalog=self.ctx.catalog)
        found = [each.remark(await queries.fetch(each.query, max_rows=3)) for each in asked]
        said = [each for each in (*found, *remarks) if each and each.for_reader]
        return Asked(table, tuple(each.text for each in said))


@pytest.fixture(
    scope="session",
    params=["sqlite", "duckdb", pytest.param("postgres", marks=pytest.mark.service)],
)
def desk_url(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    engine = cast("str", request.param)
    if engine == "postgres":
        with postgres_database(*SCRIPT) as url:
            yield url
    else:
        path = tmp_path_factory.mktemp("desk") / f"desk.{engine}"
        _BUILD[engine](path)
        yield f"{engine}:///{path}"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def desk(desk_url: str) -> AsyncIterator[Desk]:
    warehouse = await open_warehouse(desk_url)
    yield Desk(await open_tool_context(warehouse))
    await warehouse.close()


def _build_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in SCRIPT:
            connection.execute(statement)
        connection.commit()


def _build_duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        for statement in SCRIPT:
            connection.execute(statement)


_BUILD = {"sqlite": _build_sqlite, "duckdb": _build_duckdb}
