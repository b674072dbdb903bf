"""Runs as Slack sees them: started by a message or a press, shown in their thread, recalled."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import get_args

import structlog

from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.doors import Complete, Feedback, PastRun, SlackDeclined, SlackDoors, Spawn
from adapters.slack.places import Card, Place, place_of, replied_to, replies_in, user_of
from adapters.slack.surface import Abilities, SlackSurface
from adapters.slack.uploads import Uploads
from adapters.slack.wire import Object
from bot import feedback
from bot.slack_approvers import Approvers
from bot.slack_private import PrivateAnswers
from bot.turn_gate import Declined
from bot.turns import Turns
from core.delivery.deliver import deliver
from core.delivery.fold import fold
from core.domain.answer import Answer
from core.domain.conversation import AnswerDue, Exchange, InboundMessage, Turn
from core.domain.decisions import Approval, Decision, DecisionAnswer
from core.domain.errors import DeliveryFailed, NotPossible, StateUnusable
from core.domain.events import End, Event, TurnFailed, TurnStarted
from core.domain.ids import ActorId, DecisionId, RunId, ThreadId
from core.domain.view import MessageView

log = structlog.get_logger()

_PACE = 1.0
_LOST = "The program that was answering this ended before it was done. Please ask again."
_REMEMBERED = 10_000
_OVER = "That run has ended already."
_BEGUN_AGAIN_WITHIN = timedelta(minutes=15)
_ENDS = get_args(End)


class _TakenOver(Exception):
    """Another process answers for the run; this one gave no sign of life for too long."""


async def _as_it_is(turn: Turn, user: str) -> Turn:
    del user
    return turn


@dataclass(frozen=True, slots=True)
class _Going:
    turn: Turn
    surface: SlackSurface


@dataclass(slots=True, kw_only=True)
class SlackRuns:
    """Shows each run of a workspace once, whoever asks for it again meanwhile.

    `ended` hears of those for whom a run has ended; `named` looks up the name of who asked.
    """

    team: str
    turns: Turns
    state_dir: Path
    calls: SlackCalls
    uploads: Uploads
    private: PrivateAnswers
    approvers: Approvers
    spawn: Spawn
    pace: float = _PACE
    ended: Callable[[str], None] = lambda _: None
    named: Callable[[Turn, str], Awaitable[Turn]] = _as_it_is
    abilities: Abilities = field(default_factory=Abilities)
    _going: dict[RunId, _Going] = field(default_factory=dict[RunId, _Going])
    _shown: OrderedDict[RunId, None] = field(default_factory=OrderedDict[RunId, None])

    @property
    def doors(self) -> SlackDoors:
        return SlackDoors(
            ask=self.ask,
            decide=self.decide,
            stop=self.stop,
            running=self.running,
            waiting=self.waiting,
            past=self.past,
            knows=self.knows,
            remember=self.remember,
            feedback=self.feedback,
            now=self.turns.outside.clock.now,
        )

    async def ask(
        self, message: InboundMessage, place: Place, user: str, complete: Complete
    ) -> None:
        aside = await self.private.aside(message, place, user)
        wanted = aside.message if aside else message
        answered_in = aside.place if aside else place
        wanted = replace(wanted, reply_to=answered_in.reply_to(user))
        try:
            turn = await self.turns.start(wanted, complete=partial(self._completed, complete))
        except Declined as declined:
            raise SlackDeclined(str(declined)) from declined
        if not self.turns.runs_here(turn.run):
            return  # another process has taken the message, or took it before it ended
        if aside and turn.run not in self._shown:
            await self.private.tell(aside, user)
        await self._show(turn, answered_in, user)

    async def _completed(self, complete: Complete, turn: Turn) -> Turn:
        known = await complete(turn)
        if known.attachments:
            with suppress(StateUnusable):
                await self.turns.outside.due.keep(known)
        going = self._going.get(turn.run)
        if going is not None:
            self._going[turn.run] = replace(going, turn=known)
        return known

    async def decide(self, answer: DecisionAnswer) -> tuple[Card, ...]:
        """Go on with a paused run, and return when that is certain; it is shown by another task."""
        asked = await self.turns.outside.paused.look(answer.decision)
        place = place_of(asked.turn.thread) if asked else None
        user = user_of(asked.turn.actor.id) if asked else ""
        try:
            turn = await self.turns.decide(answer, reply_to=place.reply_to(user) if place else "")
        except Declined as declined:
            raise SlackDeclined(str(declined)) from declined
        if asked is None or place is None:
            return ()
        self.spawn(self._show(turn, place, user), "slack_resumed")
        return await self.approvers.elsewhere(asked.turn.run, place)

    async def stop(self, run: RunId, actor: ActorId) -> None:
        going = self._going.get(run)
        turn = going.turn if going else await self._taken_elsewhere(run)
        if turn is None:
            raise SlackDeclined(_OVER)
        if turn.actor.id != actor:
            name = f"{turn.actor.name}, who asked," if going else "the person who asked"
            raise SlackDeclined(f"Only {name} can stop this.")
        if not await self.turns.stop(run):
            raise SlackDeclined(_OVER)

    async def _taken_elsewhere(self, run: RunId) -> Turn | None:
        try:
            due = await self.turns.outside.due.find(run)
        except StateUnusable as error:
            raise SlackDeclined(str(error)) from error
        return due.turn if due and self._is_ours(due.turn.thread) else None

    async def running(self, thread: ThreadId) -> RunId | None:
        here = (run for run, each in self._going.items() if each.turn.thread == thread)
        with suppress(StateUnusable):
            return next(here, None) or await self.turns.outside.due.owed_in(thread)
        return None

    async def waiting(self, decision: DecisionId) -> Decision | None:
        paused = await self.turns.outside.paused.look(decision)
        return paused.decision if paused and self._is_ours(paused.turn.thread) else None

    async def past(self, run: RunId) -> PastRun | None:
        going = self._going.get(run)
        if going and not going.surface.ending.is_set():
            return None
        view, question, ours = MessageView(), "", False
        try:
            async for _, event in self.turns.outside.run_log.follow(run):
                view = fold(view, event)
                if isinstance(event, TurnStarted):
                    question, ours = event.question, self._is_ours(event.thread_id)
        except NotPossible:
            return None
        if view.decision is not None or not ours:
            return None
        answer = view.answer or Answer(text=view.failure)
        return PastRun(question=question, answer=answer, steps=view.steps)

    def _is_ours(self, thread: ThreadId) -> bool:
        """Say whether a thread is of this workspace; ids of others may be sent by anybody."""
        return thread.startswith(replies_in(self.team))

    async def knows(self, thread: ThreadId) -> bool:
        return bool((await self.turns.outside.threads.load(thread)).exchanges)

    async def remember(self, thread: ThreadId, exchanges: Sequence[Exchange]) -> None:
        if not await self.knows(thread):
            for each in exchanges:
                await self.turns.outside.threads.append(thread, each)

    async def feedback(self, given: Feedback) -> None:
        past = await self.past(given.run)
        opinion = feedback.Opinion(
            at=self.turns.outside.clock.now(),
            run=given.run,
            actor=given.actor,
            good=given.good,
            words=given.words,
            question=past.question if past else "",
            sql=tuple(each.sql for each in past.answer.sql) if past else (),
        )
        await feedback.keep(self.state_dir, opinion)

    async def _show(self, turn: Turn, place: Place, user: str, standing: str = "") -> None:
        """Show a run, in the message that stands there already where there is one."""
        if turn.run in self._shown:
            return
        self._shown[turn.run] = None
        while len(self._shown) > _REMEMBERED:
            self._shown.popitem(last=False)
        surface = self._surface(turn.run, place, user, standing)
        self._going[turn.run] = _Going(turn, surface)
        view = MessageView()
        try:
            view = await deliver(
                self._events(turn.run, surface),
                thread=turn.thread,
                surface=surface,
                pace=self.pace,
            )
        except* DeliveryFailed as failed:
            log.warning("slack_answer_not_shown", run=turn.run, reasons=_reasons(failed))
            # Nobody can see what it finds any more.
            await self.turns.stop(turn.run)
            await self._say_so(turn.run, place)
        except* _TakenOver:
            log.warning("slack_answer_taken_over", run=turn.run)
        finally:
            del self._going[turn.run]
        await self._stands(turn.run)
        if isinstance(view.decision, Approval):
            await self.approvers.ask(turn, view.decision, place)
        self.ended(user)

    def _surface(self, run: RunId, place: Place, user: str, standing: str = "") -> SlackSurface:
        return SlackSurface(
            calls=self.calls,
            uploads=self.uploads,
            files=self.turns.outside.files,
            place=place,
            user=user,
            run=run,
            abilities=self.abilities,
            stands=partial(self._note, run),
            standing=standing,
        )

    async def _note(self, run: RunId, standing: str) -> None:
        try:
            await self.turns.outside.due.note(run, standing)
        except StateUnusable as error:
            log.warning("standing_not_noted", run=run, reason=str(error))

    async def _stands(self, run: RunId) -> None:
        """Keep that the answer of a run stands, so that nobody shows it again."""
        try:
            await self.turns.outside.due.shown(run)
        except StateUnusable as error:
            log.warning("answer_not_noted", run=run, reason=str(error))

    async def take_over(self, due: AnswerDue) -> None:
        """Show how a run ended whose process is gone; one that was lost is begun again, once."""
        place, user = replied_to(due.reply_to)
        log.info("slack_taking_over", run=due.turn.run)
        view, lost = await self._ended(due.turn.run)
        again = await self._begun_again(due.turn, user) if lost else None
        if again is not None:
            await self._show(again, place, user, due.standing)
        else:
            await self._show_end(due, view)

    async def _begun_again(self, lost: Turn, user: str) -> Turn | None:
        if self.turns.outside.clock.now() - lost.asked_at > _BEGUN_AGAIN_WITHIN:
            return None
        try:
            return await self.turns.begin_again(lost, lambda turn: self.named(turn, user))
        except StateUnusable as error:
            log.warning("slack_not_begun_again", run=lost.run, reason=str(error))
            return None

    async def _show_end(self, due: AnswerDue, view: MessageView) -> None:
        run = due.turn.run
        place, user = replied_to(due.reply_to)
        message = await self._surface(run, place, user).found(due.standing)
        try:
            await message.show(view)
        except DeliveryFailed as error:
            log.warning("slack_answer_not_shown", run=run, reasons=[str(error)])
            await self._say_so(run, place)
        await self._stands(run)

    async def _ended(self, run: RunId) -> tuple[MessageView, bool]:
        """Return the end of a run that goes on in no process, and whether it was lost."""
        view, lost = MessageView(), False
        try:
            async for _, event in self.turns.outside.run_log.follow(run):
                view = fold(view, event)
                lost = isinstance(event, TurnFailed) and event.lost
        except NotPossible:
            return MessageView(failure=_LOST, done=True), True
        return view, lost

    async def _say_so(self, run: RunId, place: Place) -> None:
        """Tell the thread that an answer could not be shown: silence would look like work."""
        text = f"Slack did not take my answer. Please ask again (error {run[:12]})."
        arguments: Object = {"channel": place.channel, "thread_ts": place.thread, "text": text}
        try:
            await self.calls.call("chat.postMessage", arguments)
        except SlackRefused as error:
            log.warning("slack_not_told", error=error.error)

    async def _events(self, run: RunId, surface: SlackSurface) -> AsyncIterator[Event]:
        async for _, event in self.turns.outside.run_log.follow(run):
            if isinstance(event, _ENDS):
                await self._check_ours(run)
                surface.ending.set()
            yield event

    async def _check_ours(self, run: RunId) -> None:
        """Let another process answer that has taken the run over from this one.

        Raises:
            _TakenOver: there is one.
        """
        try:
            ours = await self.turns.outside.due.is_ours(run)
        except StateUnusable:
            return
        if not ours:
            raise _TakenOver


def _reasons(failed: ExceptionGroup[DeliveryFailed]) -> list[str]:
    return [str(each) for each in failed.exceptions]
