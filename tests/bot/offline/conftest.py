import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.offline.gym import SCRIPT
from tests.kit.demo import made_demo
from tests.kit.offline_product import Product, product


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the demo data, and a gym whose names and shapes are others."""
    folder = tmp_path_factory.mktemp("databases")
    gym = folder / "gym.sqlite"
    with closing(sqlite3.connect(gym)) as database:
        database.executescript(SCRIPT)
        database.commit()
    return {"demo_data": made_demo(), "gym": gym}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(
    tmp_path_factory: pytest.TempPathFactory, databases: dict[str, Path]
) -> AsyncIterator[Product]:
    """Open the application once a module: each test asks in threads of its own."""
    async with product(tmp_path_factory.mktemp("state"), databases) as opened:
        yield opened
