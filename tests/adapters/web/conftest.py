from collections.abc import AsyncIterator

import pytest

from tests.kit.page_client import Client, serve_page
from tests.kit.scripted_doors import ScriptedDoors

WORD = "a long token"


@pytest.fixture
def scripted() -> ScriptedDoors:
    return ScriptedDoors()


@pytest.fixture
async def client(scripted: ScriptedDoors) -> AsyncIterator[Client]:
    async with serve_page(scripted) as found:
        yield found


@pytest.fixture
async def guarded(scripted: ScriptedDoors) -> AsyncIterator[Client]:
    async with serve_page(scripted, token=WORD) as found:
        yield found
