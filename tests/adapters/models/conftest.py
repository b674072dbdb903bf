from collections.abc import AsyncIterator

import pytest

from tests.kit.openai_server import OpenAIServer


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server
