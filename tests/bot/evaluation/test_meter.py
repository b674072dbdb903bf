import asyncio

import pytest

from adapters.inmemory.chat_model import ScriptedModel
from bot.evaluation.meter import MeteredModel, begin_metering
from core.domain.answer import Usage
from core.domain.chat import ChatReply
from core.domain.errors import ModelBusy
from tests.conformance.chat_model import ChatModelContract, asking, pieces_of
from tests.kit.scripted_stage import ScriptedStage


class TestMeteredModel(ChatModelContract):
    @pytest.fixture
    def scripted(self) -> ScriptedModel:
        return ScriptedModel()

    @pytest.fixture
    def model(self, scripted: ScriptedModel) -> MeteredModel:
        return MeteredModel(scripted)

    @pytest.fixture
    def stage(self, scripted: ScriptedModel) -> ScriptedStage:
        return ScriptedStage(scripted)


async def test_counts_requests_and_what_their_replies_cost():
    usage = Usage(input_tokens=10, output_tokens=2, usd=0.5)
    scripted = ScriptedModel([ChatReply(text="a", usage=usage), ModelBusy("busy"), "c"])
    meter = begin_metering()
    model = MeteredModel(scripted)

    await pieces_of(model, asking("One?"))
    with pytest.raises(ModelBusy):
        await model.complete(asking("Two?"))
    await model.complete(asking("Three?"))

    assert meter.calls == 3
    assert meter.usage == usage


async def test_counts_each_question_on_a_meter_of_its_own():
    scripted = ScriptedModel(["a", "b", "c"])
    model = MeteredModel(scripted)

    async def asks(times: int) -> int:
        meter = begin_metering()
        for _ in range(times):
            await asyncio.create_task(model.complete(asking("How many?")))
        return meter.calls

    assert await asyncio.gather(asks(1), asks(2)) == [1, 2]
