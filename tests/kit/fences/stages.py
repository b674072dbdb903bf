"""One harness for the four engines: a world on each, and every way to send it something."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from core.domain.query import Dialect
from tests.kit.fences import embedded, mariadb_ways, postgres_ways
from tests.kit.fences.attacks import Attack, Tried, attacks_on
from tests.kit.fences.doors import Guarded, through_guard_and_door, through_the_door
from tests.kit.fences.mariadb import MariadbWorld
from tests.kit.fences.postgres import PostgresWorld
from tests.kit.fences.trial import Send, World, tried
from tests.kit.own_servers import own_mariadb, own_postgres


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A world, the ways to it with one fence up (or none), and where the door leads to it.

    `url` is that of the login that a connection should have, `powerful_url` its administrator's;
    a file has only one of both.
    """

    dialect: Dialect
    world: World
    ways: Mapping[str, Send]
    url: str
    powerful_url: str = ""

    @property
    def attacks(self) -> Sequence[Attack]:
        return attacks_on(self.dialect)

    async def with_fence(self, name: str) -> list[Tried]:
        """Try every attack with one fence up."""
        return await tried(self.attacks, self.ways[name], self.world)

    async def with_all_fences(self) -> list[Tried]:
        """Try every attack through the door, with the guard switched off."""
        async with through_the_door(self.url) as send:
            return await tried(self.attacks, send, self.world)

    async def with_a_powerful_login(self) -> list[Tried]:
        """Try every attack through the door, with the guard off and an administrator's login."""
        async with through_the_door(self.powerful_url) as send:
            return await tried(self.attacks, send, self.world)

    async def with_guard_and_fences(self) -> tuple[list[Tried], Guarded]:
        """Try every attack as a query is run; also return what reached the engine."""
        async with through_guard_and_door(self.url) as guarded:
            return await tried(self.attacks, guarded.send, self.world), guarded


@asynccontextmanager
async def stage(dialect: Dialect, directory: Path) -> AsyncGenerator[Stage]:
    """Open the stage of an engine; files live in the directory, servers in one of their own."""
    open_stage = _STAGES.get(dialect)
    async with open_stage() if open_stage else _files(dialect, directory) as opened:
        yield opened


@asynccontextmanager
async def _postgres() -> AsyncGenerator[Stage]:
    with own_postgres() as server:
        world = PostgresWorld(server)
        await world.make()
        try:
            yield Stage(
                dialect=Dialect.POSTGRES,
                world=world,
                ways=postgres_ways.ways(world),
                url=world.reader_url,
                powerful_url=world.url,
            )
        finally:
            await world.close()


@asynccontextmanager
async def _mariadb() -> AsyncGenerator[Stage]:
    with own_mariadb() as server:
        world = MariadbWorld(server)
        await world.make()
        try:
            yield Stage(
                dialect=Dialect.MYSQL,
                world=world,
                ways=mariadb_ways.ways(world),
                url=world.reader_url,
                powerful_url=world.url,
            )
        finally:
            world.close()


@asynccontextmanager
async def _files(dialect: Dialect, directory: Path) -> AsyncGenerator[Stage]:
    world = embedded.FileWorld(dialect, directory)
    world.make()
    async with embedded.ways(world) as ways:
        yield Stage(dialect=dialect, world=world, ways=ways, url=world.url)


_STAGES = {Dialect.POSTGRES: _postgres, Dialect.MYSQL: _mariadb}
