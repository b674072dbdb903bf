import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.inmemory.chart_renderer import InMemoryCharts
from adapters.inmemory.chat_model import Held, ScriptedModel
from bot.bootstrap import App, open_app
from bot.evaluation.evaluate import evaluate
from bot.evaluation.outcome import Outcome
from bot.evaluation.questions import GoldQuestion, Problem
from bot.settings import ConnectionSettings, Settings
from core.domain.chat import ChatReply, ChatRequest
from core.domain.ids import ConnectionName
from tests.core.agent.stage import make_shop
from tests.kit.patience import PATIENCE

SHOP = ConnectionName("shop")
NAMES = ("one", "two", "three")


class Meeting(ScriptedModel):
    """Answers only when so many requests wait for it at once."""

    def __init__(self, parties: int) -> None:
        super().__init__()
        self.barrier = asyncio.Barrier(parties)

    async def complete(self, request: ChatRequest) -> ChatReply:
        await self.barrier.wait()
        return ChatReply(text='{"primary_intent": "conversational", "confidence": 1}')

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatReply]:
        yield ChatReply(text="Yes.")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    make_shop(tmp_path / "shop.sqlite")
    shop = ConnectionSettings.model_validate({"url": str(tmp_path / "shop.sqlite")})
    settings = Settings(state_dir=tmp_path / "state", connections={SHOP: shop})
    async with open_app(settings) as opened:
        yield opened


def with_model(app: App, model: ScriptedModel) -> App:
    return replace(app, outside=replace(app.outside, model=model, charts=InMemoryCharts()))


def questions(*names: str) -> list[GoldQuestion]:
    return [GoldQuestion(id=name, question=f"Is it {name}?", says=("yes",)) for name in names]


async def test_asks_as_many_at_once_as_it_may_and_keeps_their_places(app: App):
    found = dict[int, Outcome | Problem]()

    async with asyncio.timeout(PATIENCE):
        await evaluate(
            with_model(app, Meeting(3)),
            questions(*NAMES),
            connection_of=lambda _: SHOP,
            take=found.__setitem__,
            at_once=3,
        )

    outcomes = [each for _, each in sorted(found.items()) if isinstance(each, Outcome)]
    assert [each.id for each in outcomes] == list(NAMES)
    assert [(each.right, each.calls) for each in outcomes] == [(True, 2)] * 3


async def test_what_was_done_stays_when_the_rest_is_cancelled(app: App):
    model = ScriptedModel()
    intent = '{"primary_intent": "conversational", "confidence": 1}'
    never = asyncio.Event()
    model.add(intent, "Yes.", Held(intent, until=never))
    found = dict[int, Outcome | Problem]()
    asking = asyncio.create_task(
        evaluate(
            with_model(app, model),
            questions(*NAMES),
            connection_of=lambda _: SHOP,
            take=found.__setitem__,
        )
    )

    async with asyncio.timeout(PATIENCE):
        await model.until_asked(3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    assert list(found) == [0]
