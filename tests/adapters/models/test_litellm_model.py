from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from pydantic import SecretStr

from adapters.models.litellm_loading import load
from adapters.models.litellm_model import LiteLLMModel
from adapters.models.settings import LiteLLMSettings
from core.domain.errors import ModelRefused, ModelUnreachable
from core.ports.chat_model import ChatModel
from tests.conformance.chat_completions import ChatCompletionsContract, Opened
from tests.conformance.chat_model import (
    BOTH_WAYS,
    ChatModelContract,
    Way,
    asking,
    close,
    pieces_of,
    reply_of,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_stage import OpenAIStage
from tests.kit.openai_wire import Failure, Reply

# litellm reads attributes of its own chunks in a way that pydantic has deprecated, and has types
# that pydantic warns of whenever it first builds them.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Item 'index' on TypedDict:UserWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def _imported_once() -> None:
    load()


@pytest.fixture
def settings(server: OpenAIServer) -> LiteLLMSettings:
    return LiteLLMSettings(
        base_url=server.url, model="openai/gpt-4o-mini", api_key=SecretStr("sk-very-secret-1234")
    )


@pytest.fixture
async def model(settings: LiteLLMSettings) -> AsyncIterator[LiteLLMModel]:
    model = LiteLLMModel(settings)
    await model.warm()
    yield model
    await model.close()


class TestLiteLLMModel(ChatModelContract):
    @pytest.fixture
    def stage(self, server: OpenAIServer) -> OpenAIStage:
        return OpenAIStage(server)


class TestChatCompletions(ChatCompletionsContract):
    @pytest.fixture
    async def opened(self, server: OpenAIServer) -> AsyncIterator[Opened]:
        async with AsyncExitStack() as stack:

            def open_with(**settings: float) -> ChatModel:
                model = LiteLLMModel(
                    LiteLLMSettings.model_validate(
                        {
                            "base_url": server.url,
                            "model": "openai/analyst-1",
                            "api_key": "sk-very-secret-1234",
                            **settings,
                        }
                    )
                )
                stack.push_async_callback(model.close)
                return model

            yield open_with


@BOTH_WAYS
async def test_gives_the_price_that_litellm_knows(server: OpenAIServer, model: ChatModel, way: Way):
    server.queue(Reply(text=("One.",), usage=(1_000_000, 0)))

    reply = await reply_of(model, asking("Count."), way=way)

    assert reply.usage.usd > 0


async def test_the_price_in_the_settings_comes_first(
    server: OpenAIServer, settings: LiteLLMSettings
):
    server.queue(Reply(text=("One.",), usage=(1_000_000, 0)))
    model = LiteLLMModel(settings.model_copy(update={"input_price": 77.0}))

    reply = await model.complete(asking("Count."))
    await model.close()

    assert reply.usage.usd == 77.0


async def test_a_reader_who_leaves_early_lets_go_of_the_connection(
    server: OpenAIServer, model: ChatModel
):
    server.queue(Reply(text=("One", " two."), hangs_after=2))
    stream = model.stream(asking("Count."))
    await anext(stream)

    await close(stream)

    await server.until(lambda server: server.let_go == 1)


@BOTH_WAYS
async def test_a_refused_connection_is_unreachable_whatever_litellm_calls_it(
    settings: LiteLLMSettings, way: Way
):
    model = LiteLLMModel(settings.model_copy(update={"base_url": "http://127.0.0.1:1/v1"}))

    with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1 takes no connection"):
        await reply_of(model, asking("Count."), way=way)
    await model.close()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nonsense", "does not know the vendor of 'nonsense'"),
        ("anthropic/claude-x", "anthropic asks for a key: set api_key"),
        ("gemini/gemini-x", "gemini asks for a key: set api_key"),
    ],
)
async def test_says_which_setting_is_missing(name: str, says: str):
    model = LiteLLMModel(LiteLLMSettings(model=name))

    with pytest.raises(ModelRefused, match=says):
        await model.complete(asking("Count."))
    await model.close()


async def test_a_conversation_that_is_too_long_is_called_that(
    server: OpenAIServer, model: ChatModel
):
    words = "This model's maximum context length is 8192 tokens."
    server.queue(Failure(400, {"error": {"message": words, "code": "context_length_exceeded"}}))

    with pytest.raises(ModelRefused, match="conversation is too long"):
        await model.complete(asking("Count."))


async def test_gives_up_on_a_stream_that_falls_silent(
    server: OpenAIServer, settings: LiteLLMSettings
):
    server.queue(Reply(text=("One", " two."), hangs_after=2))
    model = LiteLLMModel(settings.model_copy(update={"between_seconds": 0.05}))

    with pytest.raises(ModelUnreachable, match="did not answer in time"):
        await pieces_of(model, asking("Count."))
    await model.close()
