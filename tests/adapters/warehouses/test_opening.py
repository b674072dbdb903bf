from __future__ import annotations

import asyncio
import socket
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from adapters.warehouses.location import ServerLocation, locate
from adapters.warehouses.opening import open_warehouse
from core.domain.errors import ConnectionUnusable
from core.domain.query import Dialect
from tests.kit.servers import mariadb_database, postgres_database


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "my shop.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE orders AS SELECT 1 AS id")
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize(
    "form", ["{}", "  {}\n", "sqlite:///{}", "sqlite+aiosqlite:///{}", "SQLITE:///{}"]
)
async def test_opens_a_file_however_it_is_written(sqlite_file: Path, form: str):
    for written in (str(sqlite_file), str(sqlite_file).replace(" ", "%20")):
        warehouse = await open_warehouse(form.format(written))

        catalog = await warehouse.inspect()

        assert [table.name for table in catalog.tables] == ["orders"]
        await warehouse.close()


async def test_opens_a_file_by_a_relative_path(sqlite_file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(sqlite_file.parent)

    for written in (sqlite_file.name, f"sqlite:///{sqlite_file.name}"):
        assert (await open_warehouse(written)).dialect is Dialect.SQLITE


async def test_looks_into_a_file_whose_name_says_nothing(tmp_path: Path):
    with duckdb.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE orders AS SELECT 1 AS id")

    warehouse = await open_warehouse(str(tmp_path / "shop.db"))

    assert warehouse.dialect is Dialect.DUCKDB
    assert (await warehouse.inspect()).table("orders") is not None
    await warehouse.close()


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        ("", "names no file"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("/nowhere/at/all.sqlite", "There is no file /nowhere/at/all.sqlite"),
        ("duckdb:////nowhere/at/all.duckdb", "There is no file /nowhere/at/all.duckdb"),
        ("/", "is no file"),
        ("oracle://project", "cannot open oracle:// yet"),
        ("postgresql://user:se/cret@host/shop", "in a password are written as"),
        ("postgresql://user:secret@host:abc/shop", "A port is a number"),
        ("postgresql:///shop", "That URL cannot be read"),
        ("postgresql://user:secret@host", "names no database"),
        ("mysql://user:secret@host/", "names no database"),
    ],
)
async def test_says_what_is_wrong_with_an_address(written: str, advice: str):
    with pytest.raises(ConnectionUnusable) as caught:
        await open_warehouse(written)

    assert advice in str(caught.value)
    assert "secret" not in "".join(traceback.format_exception(caught.value))


async def test_a_text_file_is_no_database(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("Nothing to query here.")
    (tmp_path / "notes.sqlite").write_text("Nothing to query here.")

    with pytest.raises(ConnectionUnusable, match=r"notes\.txt is no SQLite or DuckDB database"):
        await open_warehouse(str(tmp_path / "notes.txt"))
    warehouse = await open_warehouse(str(tmp_path / "notes.sqlite"))
    with pytest.raises(ConnectionUnusable, match="is no SQLite database"):
        await warehouse.inspect()
    await warehouse.close()


@pytest.mark.parametrize("name", ["empty.sqlite", "empty.db"])
async def test_an_empty_file_has_no_tables(tmp_path: Path, name: str):
    (tmp_path / name).touch()
    warehouse = await open_warehouse(str(tmp_path / name))

    with pytest.raises(ConnectionUnusable, match="has no tables"):
        await warehouse.inspect()
    await warehouse.close()


async def test_a_file_that_goes_away_is_missed(sqlite_file: Path):
    warehouse = await open_warehouse(str(sqlite_file))
    await asyncio.to_thread(sqlite_file.unlink)

    with pytest.raises(ConnectionUnusable, match="Check that it exists"):
        await warehouse.inspect()
    await warehouse.close()


@pytest.mark.parametrize("scheme", ["postgresql", "mysql"])
async def test_a_server_that_is_not_there_cannot_be_reached(scheme: str):
    with socket.socket() as taken:
        # Bound, but it does not listen.
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        warehouse = await open_warehouse(f"{scheme}://ada:secret@127.0.0.1:{port}/shop")

        with pytest.raises(ConnectionUnusable) as caught:
            await warehouse.inspect()

    assert f"ada@127.0.0.1:{port}/shop cannot be reached" in str(caught.value)
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    await warehouse.close()


@pytest.fixture(params=[postgres_database, mariadb_database])
def server_url(request: pytest.FixtureRequest) -> Iterator[str]:
    with request.param() as url:
        yield url


@pytest.mark.service
async def test_a_login_that_the_server_does_not_know_is_refused(server_url: str):
    scheme, _, rest = server_url.partition("://")
    warehouse = await open_warehouse(f"{scheme}://nobody_here:secret@{rest.partition('@')[2]}")

    with pytest.raises(ConnectionUnusable) as caught:
        await warehouse.inspect()

    assert "refuses the user name or the password" in str(caught.value)
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    await warehouse.close()


@pytest.mark.service
async def test_a_database_without_tables_has_nothing_to_read(server_url: str):
    warehouse = await open_warehouse(server_url)

    with pytest.raises(ConnectionUnusable, match="no tables that can be read"):
        await warehouse.inspect()
    await warehouse.close()


@pytest.mark.service
async def test_a_database_that_does_not_exist_is_missed(server_url: str):
    name = server_url.partition("?")[0].rsplit("/", 1)[1]
    warehouse = await open_warehouse(server_url.replace(name, "resona_not_there", 1))

    with pytest.raises(ConnectionUnusable, match="does not exist on that server"):
        await warehouse.inspect()
    await warehouse.close()


def test_a_password_with_signs_in_it_survives():
    location = locate(
        "postgresql+asyncpg://ada%40work:a%2Fb%40c%3A%23@db.example:6000/shop?sslmode=require"
    )

    assert isinstance(location, ServerLocation)
    assert (location.user, location.password) == ("ada@work", "a/b@c:#")
    assert location.dsn == (
        "postgresql://ada%40work:a%2Fb%40c%3A%23@db.example:6000/shop?sslmode=require"
    )
    assert str(location) == "postgres://ada@work@db.example:6000/shop"
    assert "a/b@c" not in repr(location)
