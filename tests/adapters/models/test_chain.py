import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from adapters.inmemory.chat_model import BrokenOff, Held, ScriptedModel
from adapters.inmemory.clock import InMemoryClock
from adapters.models.chain import FallbackChain
from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import OpenAIProtocolSettings
from core.domain.chat import ChatPiece
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable
from core.ports.chat_model import ChatModel
from tests.conformance.chat_completions import ChatCompletionsContract, Opened
from tests.conformance.chat_model import (
    BOTH_WAYS,
    ChatModelContract,
    Way,
    asking,
    gather,
    pieces_of,
    reply_of,
    text_of,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.scripted_stage import ScriptedStage

DOWN = ModelUnreachable("It is down.")
BUSY = ModelBusy("It is busy.", retry_after=7.0)
REFUSED = ModelRefused("It takes no such request.")


@pytest.fixture
def clock() -> InMemoryClock:
    return InMemoryClock()


@pytest.fixture
def first() -> ScriptedModel:
    return ScriptedModel(name="first")


@pytest.fixture
def second() -> ScriptedModel:
    return ScriptedModel(name="second")


@pytest.fixture
def chain(first: ScriptedModel, second: ScriptedModel, clock: InMemoryClock) -> FallbackChain:
    return FallbackChain([first, second], clock=clock, rest_seconds=30.0)


class TestFallbackChain(ChatModelContract):
    @pytest.fixture
    def model(self, first: ScriptedModel, clock: InMemoryClock) -> FallbackChain:
        return FallbackChain([first], clock=clock)

    @pytest.fixture
    def stage(self, first: ScriptedModel) -> ScriptedStage:
        return ScriptedStage(first)


class TestChatCompletions(ChatCompletionsContract):
    """A chain of one reads as its model does; what it does with two stands below."""

    @pytest.fixture
    async def opened(self, server: OpenAIServer, clock: InMemoryClock) -> AsyncIterator[Opened]:
        async with AsyncExitStack() as stack:

            def open_with(**settings: float) -> ChatModel:
                given = OpenAIProtocolSettings.model_validate(
                    {"base_url": server.url, "model": "analyst-1", **settings}
                )
                model = OpenAIProtocolModel(given)
                stack.push_async_callback(model.close)
                return FallbackChain([model], clock=clock)

            yield open_with


@BOTH_WAYS
@pytest.mark.parametrize("error", [DOWN, BUSY, REFUSED])
async def test_asks_the_next_where_the_first_does_not_answer(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain, way: Way, error: ModelError
):
    first.add(error)
    second.add("Two.")

    reply = await reply_of(chain, asking("Count."), way=way)

    assert (reply.text, reply.model) == ("Two.", "second")


@BOTH_WAYS
async def test_one_that_is_down_rests_and_is_asked_again_afterwards(
    first: ScriptedModel,
    second: ScriptedModel,
    chain: FallbackChain,
    clock: InMemoryClock,
    way: Way,
):
    first.add(DOWN, "One.")
    second.add("Two.", "Two again.")

    texts = [(await reply_of(chain, asking("Count."), way=way)).text for _ in range(2)]
    clock.advance(30.0)
    texts.append((await reply_of(chain, asking("Count."), way=way)).text)

    assert texts == ["Two.", "Two again.", "One."]
    assert len(first.requests) == 2


async def test_a_busy_one_rests_as_long_as_it_asked_for(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain, clock: InMemoryClock
):
    first.add(BUSY, "One.")
    second.add("Two.")
    await chain.complete(asking("Count."))

    clock.advance(7.0)

    assert (await chain.complete(asking("Count."))).text == "One."


async def test_nobody_rests_over_a_refusal(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain
):
    first.add(REFUSED, "One.")
    second.add("Two.")

    texts = [(await chain.complete(asking("Count."))).text for _ in range(2)]

    assert texts == ["Two.", "One."]


async def test_one_that_rests_is_asked_when_no_other_answers(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain
):
    first.add(DOWN, "One.")
    second.add("Two.", DOWN)

    texts = [(await chain.complete(asking("Count."))).text for _ in range(2)]

    assert texts == ["Two.", "One."]


async def test_does_not_go_on_with_another_once_text_was_given(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain
):
    first.add(BrokenOff("One and"))
    second.add("Two.")
    got: list[ChatPiece] = []

    with pytest.raises(ModelUnreachable):
        await gather(chain.stream(asking("Count.")), into=got)

    assert text_of(got) == "One and"
    assert text_of(await pieces_of(chain, asking("Count."))) == "Two."


@BOTH_WAYS
@pytest.mark.parametrize(
    ("errors", "kind", "retry_after"),
    [
        ((DOWN, BUSY), ModelBusy, 7.0),
        ((BUSY, ModelBusy("It is busy too.", retry_after=3.0)), ModelBusy, 3.0),
        ((ModelBusy("It is busy."), DOWN), ModelBusy, None),
        ((DOWN, REFUSED), ModelUnreachable, None),
        ((REFUSED, REFUSED), ModelRefused, None),
    ],
)
async def test_says_of_each_why_it_did_not_answer(
    first: ScriptedModel,
    second: ScriptedModel,
    chain: FallbackChain,
    way: Way,
    errors: tuple[ModelError, ModelError],
    kind: type[ModelError],
    retry_after: float | None,
):
    first.add(errors[0])
    second.add(errors[1])

    with pytest.raises(ModelError) as caught:
        await reply_of(chain, asking("Count."), way=way)

    assert type(caught.value) is kind
    assert getattr(caught.value, "retry_after", None) == retry_after
    for error in errors:
        assert str(error).rstrip(".") in str(caught.value)


@BOTH_WAYS
async def test_the_search_ends_in_time(
    first: ScriptedModel, second: ScriptedModel, clock: InMemoryClock, way: Way
):
    chain = FallbackChain([first, second], clock=clock, seconds=0.06)
    for model in (first, second):
        model.add(Held("Never.", until=asyncio.Event()))

    with pytest.raises(ModelUnreachable, match=r"first did not .+; second did not answer within"):
        await reply_of(chain, asking("Count."), way=way)


@BOTH_WAYS
async def test_one_that_says_nothing_leaves_time_for_the_next(
    first: ScriptedModel, second: ScriptedModel, clock: InMemoryClock, way: Way
):
    chain = FallbackChain([first, second], clock=clock, seconds=1.5)
    first.add(Held("Never.", until=asyncio.Event()))
    second.add("Two.")

    assert (await reply_of(chain, asking("Count."), way=way)).text == "Two."


async def test_one_that_fails_again_and_again_rests_longer_until_it_answers(
    first: ScriptedModel, second: ScriptedModel, chain: FallbackChain, clock: InMemoryClock
):
    first.add(DOWN, DOWN, "One.", DOWN, "One again.")
    second.add(*["Two."] * 9)

    async def asked_after(seconds: float) -> str:
        clock.advance(seconds)
        return (await chain.complete(asking("Count."))).text

    texts = [await asked_after(seconds) for seconds in (0, 30, 59, 1, 0, 29, 1)]

    assert texts == ["Two.", "Two.", "Two.", "One.", "Two.", "Two.", "One again."]


def test_bears_the_name_of_its_first_model(chain: FallbackChain):
    assert chain.name == "first"


def test_needs_a_model(clock: InMemoryClock):
    with pytest.raises(ValueError, match="one model at least"):
        FallbackChain([], clock=clock)
