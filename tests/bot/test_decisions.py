from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.inmemory.audit_log import InMemoryAuditLog
from adapters.inmemory.chat_model import Step
from adapters.inmemory.clock import InMemoryClock
from adapters.storage.opening import State, open_state
from bot.permits import Directory
from bot.turn_gate import Declined
from core.domain.answer import Answer
from core.domain.audit import AuditEntry, Deed
from core.domain.conversation import Turn
from core.domain.decisions import Approval, Approved, Choice, Clarified
from core.domain.events import Event, TurnFinished, TurnPaused
from core.domain.ids import ActorId, DecisionId
from tests.kit.turn_stage import (
    INTENT,
    Bench,
    Setting,
    Stores,
    calling,
    message,
    opened,
    small_shop,
)

SQL = "SELECT COUNT(*) AS orders FROM orders"
COSTLY = {"thresholds": {"rows": 1}}
ASKS = (INTENT, calling("run_query", sql=SQL))
SETTING = Setting(
    connections={"shop": {**COSTLY, "rights": {"approvers": ["boss", "@finance"]}}},
    directory=Directory(groups={"finance": frozenset({ActorId("fay")})}),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_shop(tmp_path_factory.mktemp("decisions") / "shop.sqlite")


async def paused(bench: Bench) -> tuple[Turn, Approval]:
    turn = await bench.turns.start(message("how many orders?"))
    end = (await bench.events(turn))[-1]
    assert isinstance(end, TurnPaused)
    assert isinstance(end.decision, Approval)
    return turn, end.decision


def pressed(decision: DecisionId, choice: Choice, by: str = "p1") -> Approved:
    return Approved(decision=decision, actor=ActorId(by), choice=choice)


async def pressed_end(bench: Bench, answer: Approved) -> Event:
    return (await bench.events(await bench.turns.decide(answer)))[-1]


def answer_of(end: Event) -> Answer:
    assert isinstance(end, TurnFinished)
    return end.answer


def told(entries: list[AuditEntry]) -> list[tuple[Deed, ActorId | None]]:
    return [(entry.deed, entry.decided_by) for entry in entries]


async def test_an_approved_query_runs_and_all_of_it_is_written_down(shop: Path):
    async with opened(shop, *ASKS, "There are 2 orders.", setting=SETTING) as bench:
        turn, approval = await paused(bench)
        end = await pressed_end(bench, pressed(approval.id, Choice.APPROVE))
        entries = await bench.audited()

    assert answer_of(end).text == "There are 2 orders."
    assert told(entries) == [
        (Deed.APPROVAL_ASKED, None),
        (Deed.APPROVED, "p1"),
        (Deed.RAN, "p1"),
    ]
    assert {entry.query_hash for entry in entries} == {approval.query_hash}
    assert {entry.sql for entry in entries} == {approval.sql}
    assert entries[0].estimate == entries[1].estimate == approval.estimate
    assert entries[2].rows == 1
    assert {(entry.actor, entry.thread, str(entry.place)) for entry in entries} == {
        ("p1", turn.thread, "page")
    }


@pytest.mark.parametrize("approver", ["boss", "fay"])
async def test_an_approver_may_decide_for_the_one_who_asked(shop: Path, approver: str):
    async with opened(shop, *ASKS, "There are 2 orders.", setting=SETTING) as bench:
        _, approval = await paused(bench)
        turn = await bench.turns.decide(pressed(approval.id, Choice.APPROVE, approver))
        end = (await bench.events(turn))[-1]
        entries = await bench.audited()

    assert answer_of(end).text == "There are 2 orders."
    assert turn.actor.id == "p1"
    assert told(entries)[1:] == [(Deed.APPROVED, approver), (Deed.RAN, approver)]
    assert {entry.actor for entry in entries} == {"p1"}


async def test_others_are_told_whose_decision_it_is_and_it_still_waits(shop: Path):
    async with opened(shop, *ASKS, "There are 2 orders.", setting=SETTING) as bench:
        _, approval = await paused(bench)
        with pytest.raises(Declined, match="Only Person p1, who asked, or an approver of shop"):
            await bench.turns.decide(pressed(approval.id, Choice.APPROVE, "nosy"))
        end = await pressed_end(bench, pressed(approval.id, Choice.APPROVE))

    assert answer_of(end).text == "There are 2 orders."


async def test_what_was_pressed_twice_is_done_once(shop: Path):
    async with opened(shop, *ASKS, "There are 2 orders.", setting=SETTING) as bench:
        _, approval = await paused(bench)
        turn = await bench.turns.decide(pressed(approval.id, Choice.APPROVE))
        with pytest.raises(Declined, match="was answered already"):
            await bench.turns.decide(pressed(approval.id, Choice.APPROVE))
        with pytest.raises(Declined, match="was answered already"):
            await bench.turns.decide(pressed(approval.id, Choice.CANCEL, "boss"))
        await bench.events(turn)
        entries = await bench.audited()

    assert [entry.deed for entry in entries] == [Deed.APPROVAL_ASKED, Deed.APPROVED, Deed.RAN]


async def test_a_cancelled_query_does_not_run(shop: Path):
    async with opened(shop, *ASKS, setting=SETTING) as bench:
        _, approval = await paused(bench)
        end = await pressed_end(bench, pressed(approval.id, Choice.CANCEL))
        entries = await bench.audited()

    assert "did not run" in answer_of(end).text
    assert told(entries)[1:] == [(Deed.CANCELLED, "p1")]


async def test_something_cheaper_is_looked_for(shop: Path):
    async with opened(shop, *ASKS, "Then I cannot say.", setting=SETTING) as bench:
        _, approval = await paused(bench)
        end = await pressed_end(bench, pressed(approval.id, Choice.CHEAPER))
        entries = await bench.audited()

    assert answer_of(end).text == "Then I cannot say."
    assert told(entries)[1:] == [(Deed.CHEAPER_WANTED, "p1")]


async def test_words_instead_of_a_press_are_no_approval(shop: Path):
    async with opened(shop, *ASKS, "Then I cannot say.", setting=SETTING) as bench:
        _, approval = await paused(bench)
        words = Clarified(decision=approval.id, actor=ActorId("p1"), text="yes please")
        end = (await bench.events(await bench.turns.decide(words)))[-1]
        entries = await bench.audited()

    assert isinstance(end, TurnFinished)
    assert Deed.RAN not in [entry.deed for entry in entries]


async def test_an_expired_decision_says_that_silence_is_a_no(shop: Path):
    clock = InMemoryClock()
    async with opened(shop, *ASKS, setting=replace(SETTING, clock=clock)) as bench:
        _, approval = await paused(bench)
        clock.advance(timedelta(hours=24).total_seconds())
        with pytest.raises(Declined, match=r"has expired.*counts as a no"):
            await bench.turns.decide(pressed(approval.id, Choice.APPROVE))
        for _ in range(2):
            await bench.turns.decisions.lapsed()
        entries = await bench.audited()

    assert told(entries) == [(Deed.APPROVAL_ASKED, None), (Deed.EXPIRED, None)]
    assert {entry.query_hash for entry in entries} == {approval.query_hash}


async def test_a_decision_that_was_never_asked_is_not_there(shop: Path):
    async with opened(shop, setting=SETTING) as bench:
        with pytest.raises(Declined, match="Nothing waits"):
            await bench.turns.decide(pressed(DecisionId("made up"), Choice.APPROVE))


async def test_an_approval_that_cannot_be_written_down_was_not_given(shop: Path):
    clock = InMemoryClock()
    audit = InMemoryAuditLog()
    stores = replace(Stores.in_memory(clock), audit=audit)
    setting = replace(SETTING, clock=clock, stores=stores)
    async with opened(shop, *ASKS, "There are 2 orders.", setting=setting) as bench:
        _, approval = await paused(bench)
        audit.full = True
        with pytest.raises(Declined, match="audit log"):
            await bench.turns.decide(pressed(approval.id, Choice.APPROVE))
        audit.full = False
        end = await pressed_end(bench, pressed(approval.id, Choice.APPROVE))

    assert answer_of(end).text == "There are 2 orders."


async def test_what_is_read_without_a_record_is_not_shown(shop: Path):
    clock = InMemoryClock()
    audit = InMemoryAuditLog(full=True)
    setting = Setting(clock=clock, stores=replace(Stores.in_memory(clock), audit=audit))
    script = (INTENT, calling("run_query", sql=SQL), "I may not show it.")
    async with opened(shop, *script, setting=setting) as bench:
        turn = await bench.turns.start(message("how many orders?"))
        end = (await bench.events(turn))[-1]
        heard = bench.model.requests[-1].messages[-1]

    assert answer_of(end).text == "I may not show it."
    assert answer_of(end).sql == ()
    assert "audit log cannot be written" in heard.text


@asynccontextmanager
async def process(shop: Path, state: Path, *script: Step) -> AsyncGenerator[Bench]:
    """Run a process of its own on a state that outlives it."""
    async with open_state(f"sqlite:///{state}", InMemoryClock()) as kept:
        setting = replace(SETTING, stores=stores_of(kept))
        async with opened(shop, *script, setting=setting) as bench:
            yield bench


def stores_of(state: State) -> Stores:
    return Stores(
        threads=state.threads,
        paused=state.paused,
        run_log=state.run_log,
        audit=state.audit,
        due=state.due,
    )


async def test_a_query_approved_after_a_restart_runs_and_the_thread_goes_on(
    shop: Path, tmp_path: Path
):
    state = tmp_path / "state.sqlite"
    async with process(shop, state, *ASKS) as before:
        turn, approval = await paused(before)

    async with process(shop, state, "There are 2 orders.") as after:
        resumed = await after.turns.decide(pressed(approval.id, Choice.APPROVE, "boss"))
        end = (await after.events(resumed))[-1]
        old = await after.events(turn)
        thread = await after.turns.outside.threads.load(turn.thread)
        entries = await after.audited()

    assert answer_of(end).text == "There are 2 orders."
    assert answer_of(end).sql[0].rows == 1
    assert isinstance(old[-1], TurnPaused)
    assert [each.question for each in thread.exchanges] == ["how many orders?"]
    assert told(entries) == [
        (Deed.APPROVAL_ASKED, None),
        (Deed.APPROVED, "boss"),
        (Deed.RAN, "boss"),
    ]


async def test_a_decision_is_taken_once_whichever_process_is_asked(shop: Path, tmp_path: Path):
    state = tmp_path / "state.sqlite"
    async with process(shop, state, *ASKS) as one:
        _, approval = await paused(one)
        async with process(shop, state, "There are 2 orders.") as two:
            await pressed_end(two, pressed(approval.id, Choice.APPROVE))
            with pytest.raises(Declined, match="answered already"):
                await one.turns.decide(pressed(approval.id, Choice.APPROVE))
