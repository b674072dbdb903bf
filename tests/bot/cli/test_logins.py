"""What is said of a login that may write, and that the statements said make one that may not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from bot.cli.main import main
from tests.conformance.warehouse import SCRIPT
from tests.kit.servers import (
    a_name,
    mariadb_database,
    mariadb_port,
    postgres_database,
    run_in_mariadb,
    run_in_postgres,
)

pytestmark = pytest.mark.usefixtures("demo")

AS_PRINTED = "choose%20a%20long%20one"


@dataclass(frozen=True, slots=True)
class Server:
    """A database with tables in it, its administrator's address and a way to run SQL as them."""

    url: str
    run: Callable[[list[str]], None]
    reader: str

    @property
    def reader_url(self) -> str:
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{self.reader}:{AS_PRINTED}@{rest.partition('@')[2]}"


@pytest.fixture
def postgres() -> Iterator[Server]:
    with postgres_database(*SCRIPT) as url:
        reader = a_name()
        yield Server(url, lambda sql: asyncio.run(run_in_postgres(url, *sql)), reader)
        asyncio.run(run_in_postgres(url, f"DROP OWNED BY {reader}", f"DROP ROLE {reader}"))


@pytest.fixture
def mariadb() -> Iterator[Server]:
    with mariadb_database(*SCRIPT) as url:
        port, reader = mariadb_port(url), a_name()
        yield Server(url, lambda sql: run_in_mariadb(port, "", *sql), reader)
        run_in_mariadb(port, "", f"DROP USER '{reader}'@'%'")


@pytest.fixture(params=["postgres", "mariadb"])
def server(request: pytest.FixtureRequest) -> Server:
    return request.getfixturevalue(request.param)


def printed_statements(shown: str) -> list[str]:
    """Return what stands on the lines that are set in, as a person would copy them."""
    return [line.strip() for line in shown.splitlines() if line.strip().endswith(";")]


@pytest.mark.service
def test_the_statements_printed_for_a_powerful_login_make_one_that_only_reads(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SHOP_URL", server.url)
    monkeypatch.setenv("SAFE_URL", server.reader_url)

    assert main(["connect", "add", "shop", "--url-env", "SHOP_URL"]) == 0
    added = capsys.readouterr().out
    assert main(["doctor"]) == 0
    checked = capsys.readouterr().out
    # The names of logins are shared by all databases of a server, so the tests have their own.
    server.run([each.replace("resona_reader", server.reader) for each in printed_statements(added)])
    assert main(["connect", "add", "safe", "--url-env", "SAFE_URL"]) == 0
    safe = capsys.readouterr().out

    assert "may" in added
    assert "with these statements" in added
    assert printed_statements(added) == printed_statements(checked)
    assert "note  connection shop" in checked
    assert "with these statements" not in safe
    assert printed_statements(safe) == []
    assert "4 tables with 13 columns" in safe
    assert main(["ask", "--connection", "safe", "How many orders are there?"]) == 0
    assert "4" in capsys.readouterr().out


@pytest.mark.service
def test_a_login_that_may_change_one_table_is_told(
    postgres: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    postgres.run(
        [
            f"CREATE ROLE {postgres.reader} LOGIN",
            f"GRANT SELECT ON customers, orders TO {postgres.reader}",
            f"GRANT UPDATE (status) ON orders TO {postgres.reader}",
        ]
    )
    monkeypatch.setenv("SHOP_URL", postgres.reader_url)

    assert main(["connect", "add", "shop", "--url-env", "SHOP_URL"]) == 0

    assert "may change 1 table, public.orders among them" in capsys.readouterr().out


def test_a_file_needs_no_login(capsys: pytest.CaptureFixture[str]):
    assert main(["connect", "test", "demo"]) == 0

    assert "with these statements" not in capsys.readouterr().out
