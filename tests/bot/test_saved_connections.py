import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pydantic import ValidationError

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from bot.bootstrap import saved_connections, state_url
from bot.saved_connections import SavedConnection, SavedConnections, with_password
from bot.settings import Settings
from core.domain.errors import ConnectionUnusable, SettingsInvalid
from core.domain.ids import ConnectionName
from core.domain.rights import Rights

FILE = SavedConnection(url="/data/shop.sqlite", description="The shop", schemas=("a", "b"))
SERVER = SavedConnection(
    url="postgresql://me@host:5432/shop?sslmode=require", rights=Rights(approvers=("@admin",))
)
OLD = '{"shop": {"url": "/data/shop.sqlite"}, "books": {"url_env": "BOOKS_URL"}}'


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[SavedConnections]:
    settings, clock = Settings(state_dir=folder), SystemClock()
    async with open_state(state_url(settings), clock) as state:
        yield saved_connections(settings, state, clock)


def bytes_in(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.iterdir())


@pytest.fixture
async def saved(tmp_path: Path) -> AsyncIterator[SavedConnections]:
    async with opened(tmp_path) as found:
        yield found


async def test_keeps_what_was_added_and_forgets_what_was_removed(saved: SavedConnections):
    await saved.add("shop", FILE)
    await saved.add("other", SavedConnection(url_env="OTHER_URL"))

    found = await saved.all()
    assert {name: each.connection for name, each in found.items()} == {
        "shop": FILE,
        "other": SavedConnection(url_env="OTHER_URL"),
    }

    await saved.remove("other")
    assert set(await saved.all()) == {"shop"}


async def test_a_password_is_put_back_into_its_address(saved: SavedConnections, tmp_path: Path):
    await saved.add("shop", SERVER, "p@ss/w:rd %41")

    added = await saved.added()
    [settings] = added.usable.values()
    parts = urlsplit(settings.url.get_secret_value())
    assert unquote(parts.password or "") == "p@ss/w:rd %41"
    assert (parts.username, parts.hostname, parts.port) == ("me", "host", 5432)
    assert (parts.path, parts.query) == ("/shop", "sslmode=require")
    assert settings.rights == SERVER.rights
    assert b"p@ss" not in bytes_in(tmp_path)


def test_without_a_password_an_address_stays_as_it_is():
    assert with_password("/data/shop.sqlite", "") == "/data/shop.sqlite"


async def test_a_taken_name_is_replaced_only_where_that_is_wanted(saved: SavedConnections):
    await saved.add("shop", FILE)

    with pytest.raises(SettingsInvalid, match="'shop' already"):
        await saved.add("shop", SERVER)
    await saved.add("shop", SERVER, replace=True)

    assert (await saved.all()).popitem()[1].connection == SERVER


@pytest.mark.parametrize("name", ["", "a b", "../x", "1st", "demo", "a" * 65])
async def test_refuses_a_name_that_is_none(saved: SavedConnections, name: str):
    with pytest.raises(SettingsInvalid, match="cannot be a connection's name"):
        await saved.add(name, FILE)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hidden@host/shop",
        "postgresql://me@host/shop?password=hidden",
        "mysql://me:@host/shop",
        "postgresql://me:hid[den@host/shop",
    ],
)
async def test_an_address_with_a_password_is_not_kept(saved: SavedConnections, url: str):
    with pytest.raises(SettingsInvalid, match="without the password") as refused:
        await saved.add("shop", SavedConnection(url=url))

    assert "hid" not in str(refused.value)
    assert not await saved.all()


async def test_a_setting_is_no_place_for_an_address(saved: SavedConnections):
    with pytest.raises(SettingsInvalid, match="RESONA_"):
        await saved.add("shop", SavedConnection(url_env="RESONA_SHOP"))


def test_an_address_is_given_once():
    with pytest.raises(ValidationError):
        SavedConnection()
    with pytest.raises(ValidationError):
        SavedConnection(url="a", url_env="b")


async def test_removing_what_is_not_there_says_so(saved: SavedConnections):
    with pytest.raises(ConnectionUnusable, match="No connection 'shop' was added"):
        await saved.remove("shop")


async def test_a_variable_that_is_not_set_is_named(
    saved: SavedConnections, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SHOP_URL", "postgresql://me:hidden@host/shop")
    monkeypatch.delenv("GONE_URL", raising=False)
    await saved.add("shop", SavedConnection(url_env="SHOP_URL"))
    await saved.add("gone", SavedConnection(url_env="GONE_URL"))

    added = await saved.added()

    assert set(added.usable) == {"shop"}
    assert "GONE_URL" in added.broken[ConnectionName("gone")]


async def test_the_file_of_an_earlier_version_is_taken_over_once(tmp_path: Path):
    (tmp_path / "connections.json").write_text(OLD, encoding="utf-8")

    async with opened(tmp_path) as one, opened(tmp_path) as two, asyncio.TaskGroup() as tasks:
        both = [tasks.create_task(each.all()) for each in (one, two)]

    for each in both:
        assert {name: kept.connection for name, kept in each.result().items()} == {
            "shop": SavedConnection(url="/data/shop.sqlite"),
            "books": SavedConnection(url_env="BOOKS_URL"),
        }
    assert (tmp_path / "connections.json.taken-over").read_text(encoding="utf-8") == OLD
    async with opened(tmp_path) as later:
        await later.remove("shop")
        assert set(await later.all()) == {"books"}


async def test_what_was_added_since_stays_when_the_old_file_is_taken_over(tmp_path: Path):
    async with opened(tmp_path) as saved:
        await saved.add("shop", FILE)
        (tmp_path / "connections.json").write_text(OLD, encoding="utf-8")

        found = await saved.all()

    assert found.keys() == {"shop", "books"}
    assert next(each.connection for name, each in found.items() if name == "shop") == FILE


async def test_an_old_file_that_was_spoilt_is_named(saved: SavedConnections, tmp_path: Path):
    (tmp_path / "connections.json").write_text("{", encoding="utf-8")

    with pytest.raises(SettingsInvalid, match=r"connections\.json"):
        await saved.all()
