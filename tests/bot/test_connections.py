from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.opening import open_state
from adapters.warehouses.opening import open_warehouse
from bot.bootstrap import saved_connections
from bot.connections import DEMO, Added, Connections
from bot.saved_connections import SavedConnection, SavedConnections
from bot.settings import ConnectionSettings, Settings
from core.domain.errors import ConnectionUnusable, StateUnusable
from core.domain.ids import ActorId, ConnectionName, ThreadId, WorkspaceId
from core.domain.people import Place
from core.domain.rights import Rights
from core.ports.warehouse import Warehouse
from tests.conformance.paused_runs import NOW
from tests.kit.turn_stage import small_shop

SHOP, BOOKS = ConnectionName("shop"), ConnectionName("books")
SALES = Place(platform="slack", channel="C01")
ANN = ActorId("ann")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return small_shop(tmp_path / "shop.sqlite")


class Closing:
    """Counts the warehouses that are open."""

    def __init__(self) -> None:
        self.open = 0

    async def __call__(self, name: ConnectionName, settings: ConnectionSettings) -> Warehouse:
        del name
        warehouse = await open_warehouse(settings.url.get_secret_value())
        self.open += 1
        close = warehouse.close

        async def closed() -> None:
            self.open -= 1
            await close()

        object.__setattr__(warehouse, "close", closed)
        return warehouse


@pytest.fixture
def clock() -> InMemoryClock:
    return InMemoryClock(NOW)


@asynccontextmanager
async def process(
    folder: Path, clock: InMemoryClock, *configured: str, opening: Closing | None = None
) -> AsyncGenerator[tuple[Connections, SavedConnections]]:
    settings = Settings(state_dir=folder)
    async with open_state(f"sqlite:///{folder}/state.sqlite", clock) as state:
        saved = saved_connections(settings, state, clock)
        connections = Connections(
            known={
                ConnectionName(name): ConnectionSettings.model_validate(
                    {"url": str(folder / "shop.sqlite"), "description": "of the settings"}
                )
                for name in configured
            },
            default=DEMO,
            default_is_named=False,
            open_warehouse=opening or Closing(),
            clock=clock,
            additions=saved,
        )
        yield connections, saved
        await connections.close()


async def test_what_one_process_adds_another_asks_at_once(file: Path, clock: InMemoryClock):
    folder = file.parent
    async with process(folder, clock) as (here, _), process(folder, clock) as (_, there):
        with pytest.raises(ConnectionUnusable, match="no connection 'shop'"):
            await here.get(SHOP)
        await there.add("shop", SavedConnection(url=str(file)))
        assert (await here.get(SHOP)).catalog.tables[0].name == "orders"
        await there.remove("shop")
        with pytest.raises(ConnectionUnusable, match="no connection 'shop'"):
            await here.get(SHOP)


async def test_a_changed_connection_is_opened_anew_and_the_old_one_closed_later(
    file: Path, clock: InMemoryClock
):
    opening, other = Closing(), small_shop(file.parent / "other.sqlite")
    async with process(file.parent, clock, opening=opening) as (connections, saved):
        await saved.add("shop", SavedConnection(url=str(file)))
        first = await connections.get(SHOP)
        await saved.add("shop", SavedConnection(url=str(other)), replace=True)
        second = await connections.get(SHOP)
        assert first.warehouse is not second.warehouse
        assert opening.open == 2
        assert (await first.warehouse.inspect()).tables
        await clock.sleep(601)
        await saved.add("books", SavedConnection(url=str(file)))
        await connections.refresh()
        assert opening.open == 1
    assert opening.open == 0


async def test_the_settings_win_over_what_was_added(file: Path, clock: InMemoryClock):
    async with process(file.parent, clock, "shop") as (connections, saved):
        await saved.add("shop", SavedConnection(url="/nowhere.sqlite", description="added"))
        found = await connections.get(SHOP)

    assert found.connection.description == "of the settings"
    assert connections.is_configured(SHOP)
    assert not connections.is_configured(BOOKS)


async def test_the_most_special_choice_is_asked(file: Path, clock: InMemoryClock):
    names = ("shop", "books", "sales", "stock")
    async with process(file.parent, clock, *names) as (connections, saved):
        here = (WorkspaceId("w"), SALES, ThreadId("th"))
        assert await connections.chosen(*here) == DEMO
        await saved.choose("workspace w", ConnectionName("stock"), ANN)
        assert await connections.chosen(*here) == "stock"
        await saved.choose("channel w slack:C01", BOOKS, ANN)
        assert await connections.chosen(*here) == BOOKS
        await saved.choose("thread th", SHOP, ANN)
        assert await connections.chosen(*here) == SHOP
        assert await connections.chosen(WorkspaceId("w"), SALES) == BOOKS
        assert await connections.chosen(WorkspaceId("v"), SALES) == DEMO


async def test_the_only_connection_that_a_place_may_ask_is_its_default(
    file: Path, clock: InMemoryClock
):
    async with process(file.parent, clock, "demo") as (connections, saved):
        rights = Rights(places=("slack:T01", "terminal"))
        await saved.add("shop", SavedConnection(url=str(file), rights=rights))
        await connections.refresh()

        assert connections.default_in(replace(SALES, workspace="T01")) == SHOP
        assert connections.default_in(Place(platform="terminal")) == SHOP
        assert connections.default_in(replace(SALES, workspace="T02")) == DEMO
        await saved.add("books", SavedConnection(url=str(file)))
        await connections.refresh()
        assert connections.default_in(replace(SALES, workspace="T01")) == DEMO


@dataclass
class Leaving:
    """A state that can be read until it is away."""

    saved: SavedConnections
    is_away: bool = False

    async def glance(self, spots: tuple[str, ...]) -> tuple[int, ConnectionName | None]:
        if self.is_away:
            raise StateUnusable("The disk is gone.")
        return await self.saved.glance(spots)

    async def added(self) -> Added:
        return await self.saved.added()


async def test_the_only_one_of_the_settings_is_the_default_even_where_it_may_not_be_asked(
    file: Path, clock: InMemoryClock
):
    async with process(file.parent, clock, "demo") as (connections, _):
        rights = {"places": ["page"]}
        kept = ConnectionSettings.model_validate({"url": str(file), "rights": rights})
        again = Connections(
            known={**connections.known, SHOP: kept},
            default=DEMO,
            default_is_named=False,
            open_warehouse=Closing(),
            clock=clock,
        )

        assert again.default_in(SALES) == SHOP


async def test_while_the_state_is_away_what_is_known_stays(file: Path, clock: InMemoryClock):
    async with process(file.parent, clock) as (connections, saved):
        connections.additions = state = Leaving(saved)
        await saved.add("shop", SavedConnection(url=str(file)))
        await connections.get(SHOP)
        state.is_away = True

        assert (await connections.get(SHOP)).connection.name == SHOP


async def test_one_that_does_not_answer_is_tried_without_being_kept_open(
    file: Path, clock: InMemoryClock
):
    opening, empty = Closing(), file.parent / "empty.sqlite"
    empty.write_bytes(b"")
    async with process(file.parent, clock, opening=opening) as (connections, _):
        settings = ConnectionSettings.model_validate({"url": str(empty)})
        with pytest.raises(ConnectionUnusable):
            async with connections.tried(SHOP, settings):
                pass
        settings = ConnectionSettings.model_validate({"url": str(file)})
        async with connections.tried(SHOP, settings) as found:
            assert found.catalog.tables
        assert opening.open == 0
        assert SHOP not in connections.known
