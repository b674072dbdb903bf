import asyncio
from dataclasses import replace
from pathlib import Path

from adapters.inmemory.chat_model import Held
from adapters.inmemory.clock import SystemClock
from adapters.slack.places import REPLIES
from adapters.storage.database import only
from adapters.storage.opening import open_state
from core.domain.ids import RunId
from tests.kit.slack_stage import INTENT, slack_stage


async def test_a_process_that_gave_no_sign_of_life_leaves_the_answer_to_the_other(tmp_path: Path):
    wake = asyncio.Event()
    async with slack_stage(tmp_path, INTENT, Held("The old answer.", until=wake)) as stage:
        await stage.slack.asks("U1", "what is the total?")
        await stage.model.until_asked(2)
        state = f"sqlite:///{tmp_path}/state.sqlite"
        async with open_state(state, SystemClock()) as other:
            await stage.app.state.run_log.flush()
            await other.database.run(only("UPDATE processes SET seen_at = '2000-01-01'"))
            [due] = await other.due.left(REPLIES)
            begun = await other.due.begin_again(
                due.turn.run, replace(due.turn, run=RunId("another"))
            )
        wake.set()
        await stage.settled()

    assert begun
    assert not any("The old answer." in each.words for each in stage.world.messages)
