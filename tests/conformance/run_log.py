"""What every RunLog does. Subclass it next to the implementation; add nothing to pass."""

import asyncio

import pytest

from core.domain.answer import Answer
from core.domain.errors import NotPossible
from core.domain.events import Event, Progress, TurnFailed, TurnFinished, TurnStarted
from core.domain.ids import RunId, ThreadId, TurnId
from core.ports.run_log import RunLog

TURN = TurnId("turn")
STARTED = TurnStarted(
    turn_id=TURN, run_id=RunId("run"), thread_id=ThreadId("here"), question="how many?"
)
FINISHED = TurnFinished(turn_id=TURN, answer=Answer(text="42"))


class RunLogContract:
    """The subclass gives an empty `log` fixture."""

    async def test_positions_count_from_one_in_each_run(self, log: RunLog):
        first = [await log.append(RunId("a"), event) for event in (STARTED, _doing("x"), FINISHED)]
        second = await log.append(RunId("b"), STARTED)

        assert first == [1, 2, 3]
        assert second == 1

    async def test_gives_a_run_that_has_ended(self, log: RunLog):
        for event in (STARTED, _doing("x"), FINISHED):
            await log.append(RunId("a"), event)

        assert await _all(log, RunId("a")) == [(1, STARTED), (2, _doing("x")), (3, FINISHED)]

    async def test_a_run_that_has_begun_can_be_followed_before_its_first_event(self, log: RunLog):
        await log.begin(RunId("a"))

        async with asyncio.TaskGroup() as tasks:
            early = tasks.create_task(_all(log, RunId("a")))
            await asyncio.sleep(0)
            await log.append(RunId("a"), STARTED)
            await log.append(RunId("a"), FINISHED)

        assert early.result() == [(1, STARTED), (2, FINISHED)]

    async def test_gives_what_came_after_a_position(self, log: RunLog):
        for event in (STARTED, _doing("x"), FINISHED):
            await log.append(RunId("a"), event)

        assert await _all(log, RunId("a"), after=2) == [(3, FINISHED)]
        assert await _all(log, RunId("a"), after=3) == []

    async def test_several_follow_a_run_while_it_goes_on(self, log: RunLog):
        await log.append(RunId("a"), STARTED)

        async with asyncio.TaskGroup() as tasks:
            early = tasks.create_task(_all(log, RunId("a")))
            late = tasks.create_task(_all(log, RunId("a"), after=1))
            for n in range(3):
                await log.append(RunId("a"), _doing(str(n)))
                await asyncio.sleep(0)
            await log.append(RunId("a"), FINISHED)

        rest = [(2, _doing("0")), (3, _doing("1")), (4, _doing("2")), (5, FINISHED)]
        assert early.result() == [(1, STARTED), *rest]
        assert late.result() == rest

    async def test_a_failure_ends_a_run_too(self, log: RunLog):
        failed = TurnFailed(turn_id=TURN, reason="no model", error_id="e1")
        await log.append(RunId("a"), STARTED)
        await log.append(RunId("a"), failed)

        assert (await _all(log, RunId("a")))[-1] == (2, failed)

    async def test_one_who_leaves_early_disturbs_nobody(self, log: RunLog):
        await log.append(RunId("a"), STARTED)
        leaving = aiter(log.follow(RunId("a")))
        await anext(leaving)

        await log.append(RunId("a"), FINISHED)

        assert len(await _all(log, RunId("a"))) == 2

    async def test_knows_no_run_that_never_was(self, log: RunLog):
        with pytest.raises(NotPossible):
            await _all(log, RunId("nobody"))


def _doing(text: str) -> Progress:
    return Progress(turn_id=TURN, text=text)


async def _all(log: RunLog, run: RunId, *, after: int = 0) -> list[tuple[int, Event]]:
    return [each async for each in log.follow(run, after=after)]
