"""What every PausedRuns does. Subclass it next to the implementation; add nothing to pass."""

import asyncio
from datetime import UTC, datetime, timedelta

from core.domain.answer import ExecutedSql, Usage
from core.domain.budget import Spend
from core.domain.chat import AssistantMessage, SystemMessage, ToolCall, ToolMessage, UserMessage
from core.domain.conversation import Turn
from core.domain.decisions import Approval, Clarification, Decision
from core.domain.ids import (
    ActorId,
    ConnectionName,
    DecisionId,
    QueryHash,
    RunId,
    ThreadId,
    ToolCallId,
    TurnId,
    WorkspaceId,
)
from core.domain.paused import Fate, PausedRun, SoFar
from core.domain.people import Actor
from core.domain.query import CostEstimate
from core.ports.paused_runs import PausedRuns

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
QUESTION = Clarification(
    id=DecisionId("d1"), question="By what?", options=("revenue", "units sold")
)
COSTLY = Approval(
    id=DecisionId("d2"),
    reason="It reads 2 billion rows.",
    sql="SELECT * FROM events",
    query_hash=QueryHash("ab" * 32),
    estimate=CostEstimate(rows=2e9, confidence="estimate"),
)


class PausedRunsContract:
    """The subclass gives an empty `paused` fixture whose clock stands at NOW."""

    async def test_gives_back_all_that_was_kept(self, paused: PausedRuns):
        for run in (paused_run(QUESTION), paused_run(COSTLY)):
            await paused.keep(run)

            assert await paused.look(run.decision.id) == run

    async def test_looking_does_not_take(self, paused: PausedRuns):
        await paused.keep(paused_run(QUESTION))

        await paused.look(QUESTION.id)

        assert await paused.take(QUESTION.id) == paused_run(QUESTION)

    async def test_is_taken_once_only(self, paused: PausedRuns):
        await paused.keep(paused_run(QUESTION))

        async with asyncio.TaskGroup() as tasks:
            takers = [tasks.create_task(paused.take(QUESTION.id)) for _ in range(10)]

        assert [taker.result() for taker in takers if taker.result()] == [paused_run(QUESTION)]
        assert await paused.take(QUESTION.id) is None
        assert await paused.look(QUESTION.id) is None

    async def test_an_expired_one_is_not_there(self, paused: PausedRuns):
        await paused.keep(paused_run(QUESTION, expires_at=NOW))

        assert await paused.look(QUESTION.id) is None
        assert await paused.take(QUESTION.id) is None

    async def test_knows_no_decision_that_was_never_asked(self, paused: PausedRuns):
        assert await paused.look(DecisionId("nobody")) is None
        assert await paused.take(DecisionId("nobody")) is None
        assert await paused.fate(DecisionId("nobody")) is Fate.UNKNOWN

    async def test_tells_an_answered_one_from_one_that_expired(self, paused: PausedRuns):
        await paused.keep(paused_run(QUESTION))
        await paused.keep(paused_run(COSTLY, expires_at=NOW))

        before = await paused.fate(QUESTION.id)
        await paused.take(QUESTION.id)

        assert before is Fate.WAITING
        assert await paused.fate(QUESTION.id) is Fate.ANSWERED
        assert await paused.fate(COSTLY.id) is Fate.EXPIRED

    async def test_gives_what_expired_once_and_to_one_alone(self, paused: PausedRuns):
        expired = paused_run(COSTLY, expires_at=NOW)
        await paused.keep(expired)
        await paused.keep(paused_run(QUESTION))

        async with asyncio.TaskGroup() as tasks:
            takers = [tasks.create_task(paused.expired()) for _ in range(5)]

        assert [each for taker in takers for each in taker.result()] == [expired]
        assert await paused.expired() == ()
        assert await paused.fate(COSTLY.id) is Fate.EXPIRED
        assert await paused.take(QUESTION.id) == paused_run(QUESTION)

    async def test_what_was_answered_in_time_does_not_expire(self, paused: PausedRuns):
        await paused.keep(paused_run(COSTLY))
        await paused.take(COSTLY.id)

        assert await paused.expired() == ()

    async def test_one_that_was_put_back_waits_again(self, paused: PausedRuns):
        await paused.keep(paused_run(QUESTION))
        taken = await paused.take(QUESTION.id)
        assert taken

        await paused.keep(taken)

        assert await paused.fate(QUESTION.id) is Fate.WAITING
        assert await paused.take(QUESTION.id) == paused_run(QUESTION)


def paused_run(
    decision: Decision, *, expires_at: datetime = NOW + timedelta(hours=24)
) -> PausedRun:
    asked = ToolCall(ToolCallId("c1"), "ask_clarification", '{"question": "By what?"}')
    return PausedRun(
        decision=decision,
        turn=Turn(
            id=TurnId("t"),
            run=RunId("r"),
            thread=ThreadId("here"),
            actor=Actor(id=ActorId("ann"), workspace=WorkspaceId("acme"), name="Ann"),
            question="top products",
            asked_at=NOW,
        ),
        connection=ConnectionName("shop"),
        call=ToolCallId("c1"),
        messages=(
            SystemMessage("rules"),
            UserMessage("top products"),
            AssistantMessage("", (asked, ToolCall(ToolCallId("c0"), "list_tables", "{}"))),
            ToolMessage(ToolCallId("c0"), '{"finding": "3 tables"}'),
        ),
        expires_at=expires_at,
        so_far=SoFar(
            families=("analyze",),
            spend=Spend(steps=2, seconds=1.5, tool_calls=3, usage=Usage(input_tokens=10)),
            executed=(ExecutedSql(sql="SELECT 1", rows=1, seconds=0.1),),
        ),
    )
