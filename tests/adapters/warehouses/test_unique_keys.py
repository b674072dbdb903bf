"""Which columns name a row, beside the primary key, as each engine declares it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import duckdb
import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import CatalogTable
from core.reviewer.fan_out import fan_outs
from core.sql.reading import tree_of
from tests.kit.servers import mariadb_database, postgres_database

SCRIPT = (
    "CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(40) UNIQUE)",
    "CREATE TABLE plans (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, kind VARCHAR(9),"
    " fee INTEGER, UNIQUE (person_id), FOREIGN KEY (person_id) REFERENCES people (id))",
    "CREATE TABLE tickets (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, hours INTEGER,"
    " FOREIGN KEY (person_id) REFERENCES people (id))",
)


@pytest.fixture(
    params=[
        "sqlite",
        "duckdb",
        pytest.param("postgres", marks=pytest.mark.service),
        pytest.param("mariadb", marks=pytest.mark.service),
    ]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    match cast("str", request.param):
        case "sqlite":
            with closing(sqlite3.connect(tmp_path / "people.sqlite")) as connection:
                connection.executescript(";".join(SCRIPT))
                connection.execute("CREATE UNIQUE INDEX once ON tickets (lower(hours))")
                connection.execute("CREATE UNIQUE INDEX few ON tickets (hours) WHERE hours > 9")
            yield f"sqlite:///{tmp_path / 'people.sqlite'}"
        case "duckdb":
            with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
                connection.execute(";".join(SCRIPT))
            yield f"duckdb:///{tmp_path / 'people.duckdb'}"
        case "postgres":
            with postgres_database(*SCRIPT) as made:
                yield made
        case _:
            with mariadb_database(*SCRIPT) as made:
                yield made


async def test_unique_keys_are_known_and_rows_that_they_keep_single_are_not_called_repeated(
    url: str,
):
    warehouse = await open_warehouse(url)

    catalog = await warehouse.inspect()
    await warehouse.close()

    def of(name: str) -> CatalogTable:
        return next(each for each in catalog.tables if each.name == name)

    assert of("plans").unique_keys == (("person_id",),)
    assert of("people").unique_keys == (("email",),)
    assert of("tickets").unique_keys == ()
    join = "FROM plans p JOIN tickets t ON t.person_id = p.person_id"
    once = fan_outs(tree_of(f"SELECT SUM(t.hours) {join}", catalog.dialect), catalog)
    often = fan_outs(tree_of(f"SELECT SUM(p.fee) {join}", catalog.dialect), catalog)
    assert once == ()
    assert [(each.counted, each.repeated_by) for each in often] == [("plans", "tickets")]
