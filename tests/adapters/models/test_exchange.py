from collections.abc import AsyncIterator

import pytest

from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import OpenAIProtocolSettings
from core.domain.chat import ChatPiece
from core.domain.errors import ModelUnreachable
from tests.conformance.chat_model import (
    BOTH_WAYS,
    Way,
    asking,
    gather,
    pieces_of,
    reply_of,
    text_of,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Raw, Reply


@pytest.fixture
def settings(server: OpenAIServer) -> OpenAIProtocolSettings:
    return OpenAIProtocolSettings(base_url=server.url, model="analyst-1")


@BOTH_WAYS
async def test_gives_up_on_a_server_that_never_answers(
    server: OpenAIServer, settings: OpenAIProtocolSettings, way: Way
):
    server.queue(Reply(text=("One",), sends_head=False))

    async for model in impatient(settings, first_byte_seconds=0.05):
        with pytest.raises(ModelUnreachable, match=r"sent nothing for 0\.05 seconds"):
            await reply_of(model, asking("Count."), way=way)


async def test_gives_up_on_a_server_that_sends_its_head_and_nothing_more(
    server: OpenAIServer, settings: OpenAIProtocolSettings
):
    server.queue(Reply(text=("One",), hangs_after=0))

    async for model in impatient(settings, first_byte_seconds=0.05):
        with pytest.raises(ModelUnreachable, match=r"sent nothing for 0\.05 seconds"):
            await pieces_of(model, asking("Count."))


async def test_gives_up_on_a_stream_that_falls_silent(
    server: OpenAIServer, settings: OpenAIProtocolSettings
):
    server.queue(Reply(text=("One", " two"), hangs_after=2))
    got: list[ChatPiece] = []

    async for model in impatient(settings, between_seconds=0.5):
        with pytest.raises(ModelUnreachable, match=r"sent nothing for 0\.5 seconds"):
            await gather(model.stream(asking("Count.")), into=got)

    assert text_of(got) == "One"
    await server.until(lambda server: server.let_go == 1)


async def test_a_silence_within_an_answer_is_shorter_than_the_one_before_it(
    server: OpenAIServer, settings: OpenAIProtocolSettings
):
    server.queue(Raw(pieces=(b"", b": wait\n\n"), between=0.01, hangs_after=2))

    async for model in impatient(settings, first_byte_seconds=60.0, between_seconds=0.05):
        with pytest.raises(ModelUnreachable, match=r"sent nothing for 0\.05 seconds"):
            await pieces_of(model, asking("Count."))


async def test_waits_as_long_as_something_comes(
    server: OpenAIServer, settings: OpenAIProtocolSettings
):
    numbers = tuple(f" {n}" for n in range(20))
    server.queue(Reply(text=numbers, between=0.1))

    async for model in impatient(settings, first_byte_seconds=1.5, between_seconds=1.5):
        assert text_of(await pieces_of(model, asking("Count."))) == "".join(numbers)


async def test_gives_up_on_a_flood(server: OpenAIServer, settings: OpenAIProtocolSettings):
    server.queue(Raw(pieces=(b": wait\n\n" * 1_000,) * 100_000))

    async for model in impatient(settings, seconds=0.1):
        with pytest.raises(ModelUnreachable, match=r"did not finish within 0\.1 seconds"):
            await pieces_of(model, asking("Count."))


async def test_gives_up_on_a_stream_without_end(
    server: OpenAIServer, settings: OpenAIProtocolSettings
):
    server.queue(Raw(pieces=(b": wait\n\n",) * 1_000, between=0.01))

    async for model in impatient(settings, seconds=0.1):
        with pytest.raises(ModelUnreachable, match=r"did not finish within 0\.1 seconds"):
            await pieces_of(model, asking("Count."))


@BOTH_WAYS
async def test_says_when_nobody_listens(way: Way):
    nowhere = OpenAIProtocolSettings(base_url="http://127.0.0.1:1/v1", model="analyst-1")

    async for model in impatient(nowhere):
        with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1 takes no connection"):
            await reply_of(model, asking("Count."), way=way)


async def impatient(
    settings: OpenAIProtocolSettings, **seconds: float
) -> AsyncIterator[OpenAIProtocolModel]:
    model = OpenAIProtocolModel(settings.model_copy(update=seconds))
    yield model
    await model.close()
