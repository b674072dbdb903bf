from pathlib import Path

import pytest

from tests.kit.slack_stage import INTENT, calling, slack_stage

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
BY_REGION = calling(
    "run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region"
)


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_a_mention_is_answered_once_in_its_thread(tmp_path: Path, mode: str):
    async with slack_stage(tmp_path, INTENT, TOTAL, "The total is 3.5.", mode=mode) as stage:
        event = await stage.slack.asks("U1", "what is the total amount?")
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert answer.thread_ts == event["ts"]
    assert len(stage.world.seen()) == 1
    assert not stage.world.refusals
