import asyncio
from dataclasses import replace
from math import inf

import pytest

from adapters.inmemory.chat_model import Held, Step
from core.domain.audit import AuditSearch, Deed
from core.domain.budget import Budget
from core.domain.chat import ChatReply, ChatRequest
from core.domain.connection import Thresholds
from core.domain.events import ToolCallFinished
from tests.core.agent.probes import Probes
from tests.core.agent.stage import SURE, Stage, call, calls, failed, finished, query
from tests.kit.patience import PATIENCE

COUNT = "SELECT COUNT(*) AS orders FROM orders"
# 207 million rows on the way: that takes seconds.
SLOW = (
    "SELECT COUNT(*) AS many FROM orders a JOIN orders b ON a.amount + b.amount > 0"
    " JOIN orders c ON b.amount + c.amount > 0 JOIN orders d ON c.amount + d.amount > 0"
)
COMPLEX = SURE.replace("simple", "complex")


def late(stage: Stage, reply: ChatReply) -> Step:
    """Give the reply when the answer is due in 0.6 s, so that a tool has half of that."""

    def answer(_: ChatRequest) -> ChatReply:
        stage.clock.advance(stage.budget.seconds - 0.6)
        return reply

    return answer


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.budget = Budget(seconds=600)
    return stage


async def test_a_tool_is_broken_off_in_time_for_an_answer_from_what_was_found(
    stage: Stage, probes: Probes
):
    stage.catalogue = probes.tools()
    beside = call("count_things", {"what": "abc"})
    stage.script(late(stage, calls(call("wait_for_ever"), beside)), "abc counts 43.")

    answer = finished(await stage.ask())

    assert probes.cancelled == 1
    assert "nearly over" in stage.read()[0]
    assert answer.text == "abc counts 43."
    [warning] = answer.warnings
    assert '"Wait for ever"' in warning
    assert "time" in warning
    ends = [each for each in stage.events if isinstance(each, ToolCallFinished)]
    assert sorted(each.ok for each in ends) == [False, True]


async def test_an_only_tool_call_is_broken_off_and_no_other_is_offered(
    stage: Stage, probes: Probes
):
    stage.catalogue = probes.tools()

    stage.script(late(stage, calls(call("wait_for_ever"))), "It could not be found out.")

    await stage.ask()

    assert probes.cancelled == 1
    assert stage.requests[-1].tool_choice == "none"


async def test_a_query_is_stopped_in_the_database_when_the_time_is_over(stage: Stage):
    stage.connection = replace(stage.connection, thresholds=Thresholds(rows=inf))
    found = calls(query(COUNT))
    stage.script(found, late(stage, calls(query(SLOW, title="All of it"))), "There are 120.")

    answer = finished(await stage.ask())

    entries = await stage.audit.entries(AuditSearch(), at_most=9)
    assert [each.deed for each in entries] == [Deed.STOPPED, Deed.RAN]
    assert answer.text == "There are 120."
    assert any('"All of it"' in each for each in answer.warnings)


async def test_the_time_counts_from_the_beginning(stage: Stage):
    def slowly(_: ChatRequest) -> str:
        stage.clock.advance(0.9 * stage.budget.seconds)
        return SURE

    stage.script("Hello there.", intent=slowly)

    await stage.ask()

    assert stage.requests[0].tool_choice == "none"


@pytest.mark.parametrize(
    "steps", [[], [COMPLEX]], ids=["understanding the question", "planning the answer"]
)
async def test_whatever_a_model_is_asked_ends_with_the_time(stage: Stage, steps: list[Step]):
    never = asyncio.Event()
    stage.budget = Budget(seconds=0.2)
    intent, *others = [*steps, Held("Too late.", until=never)]
    stage.script(*others, Held("Too late.", until=never), intent=intent)

    async with asyncio.timeout(PATIENCE):
        end = failed(await stage.ask())

    assert "its time for this question was over" in end.reason
