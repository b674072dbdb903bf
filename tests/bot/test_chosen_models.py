from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from adapters.inmemory.chat_model import ScriptedModel
from bot.settings import Settings, read_settings
from bot.turn_gate import Declined
from core.domain.events import TurnFinished
from core.domain.people import Place
from tests.kit.turn_stage import INTENT, Setting, message, opened, small_shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_shop(tmp_path_factory.mktemp("chosen") / "shop.sqlite")


async def test_a_question_may_name_the_model_that_answers_it(shop: Path):
    small = ScriptedModel([INTENT, "Small says hello."], name="small")
    async with opened(shop) as bench:
        bench.turns.outside = replace(bench.turns.outside, model_by_name={"small": small})
        turn = await bench.turns.start(replace(message("who are you?"), model="small"))
        events = await bench.events(turn)
        with pytest.raises(Declined, match="small"):
            await bench.turns.start(replace(message("and you?"), model="smal"))

    assert isinstance(events[-1], TurnFinished)
    assert events[-1].answer.model == "small"
    assert not bench.model.requests


async def test_a_kind_of_question_may_have_a_model_of_its_own(shop: Path):
    own = ScriptedModel(["Analysed."], name="own")
    async with opened(shop, INTENT) as bench:
        bench.turns.outside = replace(bench.turns.outside, model_by_family={"analyze": own})
        events = await bench.events(await bench.turns.start(message("who are you?")))

    assert isinstance(events[-1], TurnFinished)
    assert events[-1].answer.model == "own"


async def test_a_channel_may_have_a_model_and_a_connection_of_its_own(shop: Path):
    small = ScriptedModel([INTENT, "Small says hello."], name="small")
    other = ScriptedModel([INTENT, "Other says hello."], name="other")
    chosen = Setting(connections={"shop": {}, "depot": {}})
    here = Place(platform="slack", channel="C0123")
    settings = Settings.model_validate(
        {
            "models": {"small": {"provider": "offline"}},
            "connections": {"shop": {"url": str(shop)}, "depot": {"url": str(shop)}},
            "channels": {"C0123": {"model": "small", "connection": "depot"}},
        }
    )
    async with opened(shop, INTENT, "The main one says hello.", setting=chosen) as bench:
        names = {"small": small, "other": other}
        bench.turns.outside = replace(bench.turns.outside, model_by_name=names)
        bench.turns.channel = settings.channel
        by_channel = await bench.end(message("who are you?", place=here))
        named = replace(message("and you?", place=here, connection="shop"), model="other")
        by_question = await bench.end(named)
        elsewhere = await bench.end(message("hello?"))

    ends = [by_channel, by_question, elsewhere]
    assert [
        (end.answer.model, end.answer.connection) for end in ends if isinstance(end, TurnFinished)
    ] == [("small", "depot"), ("other", "shop"), ("scripted", "shop")]


@pytest.mark.parametrize("setting", ["model", "connection"])
def test_a_channel_cannot_name_what_is_not_there(setting: str):
    with pytest.raises(ValidationError, match="'nothing' is not one of"):
        Settings.model_validate({"channels": {"C0123": {setting: "nothing"}}})


def test_a_channel_may_be_set_by_a_variable_whatever_the_case_of_its_id():
    settings = read_settings({"RESONA_CHANNELS__C0123__MODEL": "offline"})

    assert settings.channel("C0123").model == "offline"
