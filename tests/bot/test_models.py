"""Every way in which a vendor fails, over real HTTP, with another one behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.models.chain import FallbackChain
from adapters.models.offline.analyst import NAME, OfflineAnalyst
from bot.models import Models, open_models
from bot.settings import Settings
from core.agent.config import AgentConfig
from core.agent.llm_conversation import LlmConversation
from core.agent.reporter import Reporter
from core.domain.chat import ChatReply, ChatRequest, SystemMessage, UserMessage
from core.domain.errors import ModelError
from core.domain.events import Event, Progress
from core.domain.ids import TurnId
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Failure, Raw, Reply

ONE = Reply(text=("Hello", " there"), model="one")
TWO = Reply(text=("Hello", " there"), model="two")
REQUEST = ChatRequest(messages=(SystemMessage("Today: 2026-11-30"), UserMessage("hello")))
KEYLESS = {"provider": "openai_protocol"}


@dataclass(slots=True)
class Vendors:
    """Two vendors, what joins them, and what the reader is told."""

    first: OpenAIServer
    second: OpenAIServer
    clock: InMemoryClock = field(default_factory=InMemoryClock)
    events: list[Event] = field(default_factory=list[Event])
    config: AgentConfig = field(default_factory=AgentConfig)

    def settings(self, **model: Any) -> Settings:
        main = {**KEYLESS, "base_url": self.first.url, "model": "one", "fallbacks": "two", **model}
        two = {**KEYLESS, "base_url": self.second.url, "model": "two", "input_price": 3.0}
        return Settings.model_validate({"model": main, "models": {"two": two}})

    def opened(self, **model: Any) -> Models:
        return open_models(self.settings(**model), self.clock)

    async def ask(self, **model: Any) -> ChatReply:
        models = self.opened(**model)
        try:
            return await self.exchange(models)
        finally:
            await models.close()

    async def exchange(self, models: Models) -> ChatReply:
        conversation = LlmConversation(
            model=models.default,
            clock=self.clock,
            config=self.config,
            reporter=Reporter(TurnId("t"), self.events.append),
        )
        return await conversation.exchange(REQUEST, seconds_left=120.0)

    @property
    def told(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Progress)]


@pytest.fixture
async def vendors() -> AsyncIterator[Vendors]:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(OpenAIServer())
        second = await stack.enter_async_context(OpenAIServer())
        yield Vendors(first, second)


@pytest.mark.parametrize(
    "failure",
    [
        Failure(429, {"error": {"message": "slow down"}}, {"retry-after": "9"}),
        Failure(500, {"error": {"message": "oops"}}),
        Failure(503, b"<html>no</html>"),
        Failure(401, {"error": {"message": "bad key"}}),
        Failure(400, {"error": {"message": "content filter"}}),
        Raw(pieces=(b"data: {nonsense\n\n",)),
        Reply(text=("never",), cut_after=0),
    ],
)
async def test_the_next_vendor_answers_and_is_named(
    vendors: Vendors, failure: Failure | Raw | Reply
):
    vendors.first.queue(failure)
    vendors.second.queue(TWO)

    reply = await vendors.ask()

    assert (reply.text, reply.model) == ("Hello there", "two")
    assert reply.usage.usd > 0
    assert len(vendors.first.requests) == 1


async def test_a_stream_that_breaks_midway_is_asked_for_again_from_the_next(vendors: Vendors):
    vendors.first.queue(Reply(text=("Hel", "lo"), cut_after=2))
    vendors.second.queue(TWO)

    reply = await vendors.ask()

    assert (reply.text, reply.model) == ("Hello there", "two")
    assert "The connection to the model broke, asking again" in vendors.told
    assert [event.kind for event in vendors.events].count("text_withdrawn") == 1


async def test_all_are_busy_so_the_reader_is_told_of_the_wait_and_the_first_is_asked_again(
    vendors: Vendors,
):
    busy = Failure(429, {"error": {"message": "slow down"}}, {"retry-after": "4"})
    vendors.first.queue(busy, ONE)
    vendors.second.queue(busy)

    reply = await vendors.ask()

    assert reply.model == "one"
    assert vendors.told[0] == "The model is busy, trying again in 4 s"


async def test_tries_are_bounded_and_the_reasons_of_all_are_told(vendors: Vendors):
    with pytest.raises(ModelError, match=r"No model answered: .+; .+"):
        await vendors.ask()

    asked = len(vendors.first.requests) + len(vendors.second.requests)
    assert asked <= 2 * vendors.config.model_tries


async def test_the_offline_analyst_answers_when_all_are_down(vendors: Vendors):
    reply = await vendors.ask(fallbacks=["two", "offline"])

    assert reply.model == NAME
    assert reply.text


async def test_a_model_that_failed_rests_for_every_chain(vendors: Vendors):
    vendors.first.queue(Failure(500, {}))
    vendors.second.queue(TWO, TWO)
    models = vendors.opened()

    await vendors.exchange(models)
    await vendors.exchange(models)
    await models.close()

    assert len(vendors.first.requests) == 1


async def test_families_have_models_of_their_own_and_small_gets_the_light_ones(vendors: Vendors):
    settings = Settings.model_validate(
        {
            "model": {"by_family": {"time": "big", "meta": "offline"}},
            "models": {
                "big": {**KEYLESS, "base_url": vendors.first.url, "model": "big-1"},
                "small": {**KEYLESS, "base_url": vendors.second.url, "model": "small-1"},
            },
        }
    )
    models = open_models(settings, vendors.clock)
    names = {family: model.name for family, model in models.by_family.items()}
    await models.close()

    assert names == {
        "time": "big-1",
        "meta": NAME,
        "explore": "small-1",
        "quality": "small-1",
        "conversational": "small-1",
    }
    assert set(models.by_name) == {"big", "small", "offline"}


async def test_a_chain_begins_with_its_own_model_and_names_nobody_twice(vendors: Vendors):
    vendors.second.queue(TWO)
    models = vendors.opened()
    reply = await models.by_name["two"].complete(REQUEST)
    await models.close()

    assert reply.model == "two"
    assert not isinstance(models.by_name["two"], FallbackChain)
    assert isinstance(models.by_name["offline"], OfflineAnalyst)
