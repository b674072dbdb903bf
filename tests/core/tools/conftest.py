"""The shop in real engines, opened once; the tests that ask for it share one event loop."""

from collections.abc import AsyncIterator, Iterator

import pandas as pd
import pytest
import pytest_asyncio

from adapters.warehouses.duckdb.warehouse import DuckDBWarehouse
from adapters.warehouses.opening import open_warehouse
from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.query import Dialect
from core.toolkit.context import ToolContext
from tests.kit.dataset import build_dataset, open_tool_context, to_duckdb, to_sqlite
from tests.kit.dataset_script import as_script
from tests.kit.servers import mariadb_database, postgres_database


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and "sqlite_ctx" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def shop() -> dict[str, pd.DataFrame]:
    return build_dataset()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sqlite_ctx(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ToolContext]:
    warehouse = SqliteWarehouse(to_sqlite(tmp_path_factory.mktemp("shop") / "shop.sqlite"))
    yield await open_tool_context(warehouse)
    await warehouse.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def duckdb_ctx(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ToolContext]:
    warehouse = DuckDBWarehouse(to_duckdb(tmp_path_factory.mktemp("shop") / "shop.duckdb"))
    yield await open_tool_context(warehouse)
    await warehouse.close()


@pytest.fixture(scope="session")
def postgres_shop() -> Iterator[str]:
    with postgres_database(*as_script(Dialect.POSTGRES), "ANALYZE") as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def postgres_ctx(postgres_shop: str) -> AsyncIterator[ToolContext]:
    warehouse = await open_warehouse(postgres_shop)
    yield await open_tool_context(warehouse)
    await warehouse.close()


@pytest.fixture(scope="session")
def mariadb_shop() -> Iterator[str]:
    with mariadb_database(*as_script(Dialect.MYSQL)) as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def mariadb_ctx(mariadb_shop: str) -> AsyncIterator[ToolContext]:
    warehouse = await open_warehouse(mariadb_shop)
    yield await open_tool_context(warehouse)
    await warehouse.close()


@pytest.fixture(
    params=[
        "sqlite",
        "duckdb",
        pytest.param("postgres", marks=pytest.mark.service),
        pytest.param("mariadb", marks=pytest.mark.service),
    ]
)
def ctx(request: pytest.FixtureRequest, sqlite_ctx: ToolContext) -> ToolContext:
    """Give the shop in each engine; a server is asked for only where its turn has come."""
    others = request.param != "sqlite"
    return request.getfixturevalue(f"{request.param}_ctx") if others else sqlite_ctx
