from dataclasses import replace
from pathlib import Path

import pytest

from adapters.inmemory.chat_model import ScriptedModel
from bot.turn_gate import Declined
from core.domain.events import TurnFinished
from tests.kit.turn_stage import INTENT, message, opened, small_shop


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
