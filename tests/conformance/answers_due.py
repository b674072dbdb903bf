"""What every AnswersDue does. Subclass it next to the implementation; add nothing to pass."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.conversation import AnswerDue, Attachment, Turn
from core.domain.ids import (
    ActorId,
    FileId,
    MessageId,
    RunId,
    ThreadId,
    TurnId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor, Place, Role
from core.ports.answers_due import AnswersDue

ADDRESS = "chat:room-1"


class AnswersDueContract:
    """The subclass gives an empty `due` fixture."""

    async def test_a_message_starts_the_turn_that_took_it_first(self, due: AnswersDue):
        first, second = turn(), turn()

        assert await due.take(MessageId("m1"), first, reply_to=ADDRESS) == first
        assert await due.take(MessageId("m1"), second, reply_to=ADDRESS) == first
        assert await due.take(MessageId("m2"), second) == second

    async def test_of_many_who_take_a_message_at_once_one_does(self, due: AnswersDue):
        turns = [turn() for _ in range(10)]

        taken = await asyncio.gather(*(due.take(MessageId("m1"), each) for each in turns))

        assert len({each.run for each in taken}) == 1

    async def test_what_this_process_owes_is_not_left(self, due: AnswersDue):
        asked = await due.take(MessageId("m1"), turn(), reply_to=ADDRESS)
        await due.note(asked.run, "message 7")

        assert await due.left("chat:") == ()

    async def test_finds_what_is_kept_of_a_run(self, due: AnswersDue):
        asked = await due.take(MessageId("m1"), turn(), reply_to=ADDRESS)
        await due.note(asked.run, "message 7")
        known = replace(asked, question="How many, again?")
        await due.keep(known)
        await due.shown(asked.run)

        assert await due.find(asked.run) == AnswerDue(
            turn=known, reply_to=ADDRESS, standing="message 7"
        )
        assert await due.find(RunId("never")) is None

    async def test_a_thread_waits_for_the_run_that_is_owed_first(self, due: AnswersDue):
        first = await due.take(MessageId("m1"), turn(), reply_to=ADDRESS)
        second = await due.take(MessageId("m2"), turn(), reply_to=ADDRESS)

        assert await due.owed_in(first.thread) == first.run
        await due.shown(first.run)
        assert await due.owed_in(first.thread) == second.run
        await due.shown(second.run)
        assert await due.owed_in(first.thread) is None

    async def test_what_goes_on_here_is_ours_and_not_begun_again(self, due: AnswersDue):
        asked = await due.take(MessageId("m1"), turn(), reply_to=ADDRESS, again=True)
        await due.shown(asked.run)

        assert await due.is_ours(asked.run)
        assert not await due.begin_again(asked.run, turn())

    async def test_an_answer_that_stands_is_no_longer_due_and_still_taken(self, due: AnswersDue):
        asked = await due.take(MessageId("m1"), turn(), reply_to=ADDRESS)

        await due.shown(asked.run)

        assert await due.left("chat:") == ()
        assert await due.take(MessageId("m1"), turn(), reply_to=ADDRESS) == asked


def turn() -> Turn:
    return Turn(
        id=TurnId(fresh_id()),
        run=RunId(fresh_id()),
        thread=ThreadId("room-1/7"),
        actor=Actor(id=ActorId("p1"), workspace=WorkspaceId("w"), name="Ann", role=Role.ANALYST),
        question="How many orders?",
        asked_at=datetime(2026, 11, 30, 9, tzinfo=UTC),
        place=Place(platform="chat", channel="room-1"),
        attachments=(
            Attachment(id=FileId("f1"), name="a.csv", media_type="text/csv", size_bytes=4),
        ),
    )
