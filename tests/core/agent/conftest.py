from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.warehouses.opening import open_warehouse
from tests.core.agent.stage import Stage, make_shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    make_shop(path)
    return path


@pytest.fixture
async def stage(shop: Path) -> AsyncIterator[Stage]:
    warehouse = await open_warehouse(f"sqlite:///{shop}")
    yield Stage(warehouse=warehouse, catalog=await warehouse.inspect())
    await warehouse.close()
