import asyncio

import pytest

from adapters.inmemory.chat_model import BrokenOff, Held, ScriptedModel, in_pieces
from core.domain.chat import ChatReply, ChatRequest
from core.domain.errors import ModelBusy, ModelRefused, ModelUnreachable
from tests.conformance.chat_model import ChatModelContract, asking, pieces_of


class ScriptedStage:
    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    def says(self, reply: ChatReply) -> None:
        self._model.add(reply)

    def echoes(self) -> None:
        self._model.add(last_text)

    def breaks_after(self, text: str) -> None:
        self._model.add(BrokenOff(text))

    def hangs(self) -> None:
        self._model.add(Held("never", until=asyncio.Event()))

    def is_busy(self, *, retry_after: float) -> None:
        self._model.add(ModelBusy("The model is busy.", retry_after=retry_after))

    def is_down(self) -> None:
        self._model.add(ModelUnreachable("The model does not answer."))

    def refuses(self) -> None:
        self._model.add(ModelRefused("The model does not take the key."))

    async def until_asked(self, times: int) -> None:
        await self._model.until_asked(times)


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


def last_text(request: ChatRequest) -> str:
    message = request.messages[-1]
    return message.text
