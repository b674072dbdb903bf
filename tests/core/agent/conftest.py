import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import Catalog
from tests.core.agent.probes import Probes
from tests.core.agent.stage import Stage, make_shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    make_shop(path)
    return path


@pytest.fixture(scope="session")
def catalog(shop: Path) -> Catalog:
    return asyncio.run(_inspect(shop))


async def _inspect(shop: Path) -> Catalog:
    warehouse = await open_warehouse(f"sqlite:///{shop}")
    try:
        return await warehouse.inspect()
    finally:
        await warehouse.close()


@pytest.fixture
async def stage(shop: Path, catalog: Catalog) -> AsyncIterator[Stage]:
    warehouse = await open_warehouse(f"sqlite:///{shop}")
    yield Stage(warehouse=warehouse, catalog=catalog)
    await warehouse.close()


@pytest.fixture
def probes() -> Probes:
    return Probes()
