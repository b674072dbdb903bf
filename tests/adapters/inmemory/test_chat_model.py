import asyncio

import pytest

from adapters.inmemory.chat_model import Held, ScriptedModel, in_pieces
from core.domain.errors import ModelRefused
from tests.conformance.chat_model import ChatModelContract, asking, pieces_of
from tests.kit.scripted_stage import ScriptedStage


class TestScriptedModel(ChatModelContract):
    @pytest.fixture
    def model(self) -> ScriptedModel:
        return ScriptedModel()

    @pytest.fixture
    def stage(self, model: ScriptedModel) -> ScriptedStage:
        return ScriptedStage(model)


async def test_remembers_what_it_was_asked():
    model = ScriptedModel(["One.", "Two."])
    first, second = asking("First?"), asking("Second?")

    await model.complete(first)
    await pieces_of(model, second)

    assert model.requests == [first, second]


async def test_a_script_that_is_over_refuses():
    model = ScriptedModel(["One."])
    await model.complete(asking("First?"))

    with pytest.raises(ModelRefused, match="no reply to request 2"):
        await model.complete(asking("Second?"))


async def test_a_held_reply_comes_when_it_is_let_go():
    gate = asyncio.Event()
    model = ScriptedModel([Held("At last.", until=gate)])

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(model.complete(asking("When?")))
        await model.until_asked(1)
        assert not waiting.done()
        gate.set()

    assert waiting.result().text == "At last."


@pytest.mark.parametrize("text", ["", " ", "one", " one  two\n", "a\n\n b"])
def test_pieces_of_a_text_make_the_text(text: str):
    assert "".join(in_pieces(text)) == text
