"""Presses: what each button and window does, and what those hear whose press does nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

import structlog
from pydantic import BaseModel, Field, ValidationError

from adapters.slack import presses, views
from adapters.slack.blocks import progress as shapes
from adapters.slack.calls import SlackRefused
from adapters.slack.doors import Desk, Feedback, PastRun, SlackDeclined
from adapters.slack.inbound import Text
from adapters.slack.inbox import Inbox
from adapters.slack.places import Card, Place
from adapters.slack.presses import Press
from adapters.slack.text import code, cut
from adapters.slack.wire import Object, section
from core.domain.conversation import InboundMessage
from core.domain.decisions import (
    Approval,
    Approved,
    Choice,
    Clarification,
    Clarified,
    Decision,
    DecisionAnswer,
)
from core.domain.ids import DecisionId, MessageId, RunId

log = structlog.get_logger()

_GONE = "This answer is from too long ago for its buttons. Please ask again."
_ANSWERED = "This was answered already or has expired. Please ask again."
_THANKS = "Thank you, this helps."
_CHOICES = {
    presses.APPROVE: Choice.APPROVE,
    presses.CHEAPER: Choice.CHEAPER,
    presses.CANCEL: Choice.CANCEL,
}


class _Named(BaseModel):
    id: Text = ""


class _Container(BaseModel):
    message_ts: Text = ""
    thread_ts: Text = ""
    channel_id: Text = ""


class _Action(BaseModel):
    action_id: Text = ""
    value: Text = ""
    action_ts: Text = ""


class _Posted(BaseModel):
    ts: Text = ""
    thread_ts: Text = ""


class _Body(BaseModel):
    user: _Named = Field(default_factory=_Named)
    channel: _Named | None = None
    container: _Container = Field(default_factory=_Container)
    message: _Posted = Field(default_factory=_Posted)
    trigger_id: Text = ""
    actions: tuple[_Action, ...] = ()
    view: views.Submitted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """One press: by whom, where, on which message, and Slack's leave to open a window."""

    press: Press
    user: str
    place: Place
    message: str
    trigger: str
    id: MessageId


@dataclass(slots=True)
class Pressing:
    """What a press does; one that was meant for somebody else is told so, in private."""

    desk: Desk
    inbox: Inbox

    def receive(self, body: Mapping[str, object]) -> None:
        """Look at a press and return at once."""
        pressed = self._read(body)
        if pressed is not None:
            self.desk.spawn(self._answered(pressed), f"slack_{pressed.press.action}")

    def submitted(self, body: Mapping[str, object]) -> None:
        """Look at a window that was sent off and return at once."""
        parsed = _Body.model_validate(body)
        if parsed.view is not None:
            self.desk.spawn(self._words_given(parsed.user.id, parsed.view), "slack_window")

    async def _answered(self, pressed: Pressed) -> None:
        try:
            await self._act(pressed)
        except SlackDeclined as declined:
            await self.inbox.tell(pressed.place, pressed.user, str(declined))

    async def _act(self, pressed: Pressed) -> None:
        deeds: dict[str, Callable[[Pressed], Awaitable[None]]] = {
            presses.STOP: self._stop,
            presses.OPTION: self._option,
            presses.OTHER: self._other_words,
            presses.APPROVE: self._approval,
            presses.CHEAPER: self._approval,
            presses.CANCEL: self._approval,
            presses.SUGGESTION: self._ask_more,
            presses.AGAIN: self._ask_more,
            presses.SHOW_SQL: self._show_sql,
            presses.FEEDBACK: self._feedback,
        }
        deed = deeds.get(pressed.press.action)
        if deed is not None:
            await deed(pressed)

    async def _stop(self, pressed: Pressed) -> None:
        actor = pressed.place.actor_id(pressed.user)
        await self.desk.doors.stop(RunId(pressed.press.id), actor)

    async def _option(self, pressed: Pressed) -> None:
        asked = await self.desk.doors.waiting(DecisionId(pressed.press.id))
        if not isinstance(asked, Clarification) or pressed.press.at >= len(asked.options):
            raise SlackDeclined(_ANSWERED)
        text = asked.options[pressed.press.at]
        await self._decided(asked, pressed.user, pressed.place, pressed.message, text)

    async def _approval(self, pressed: Pressed) -> None:
        asked = await self.desk.doors.waiting(DecisionId(pressed.press.id))
        if not isinstance(asked, Approval):
            raise SlackDeclined(_ANSWERED)
        choice = _CHOICES[pressed.press.action]
        await self._decided(asked, pressed.user, pressed.place, pressed.message, choice)

    async def _other_words(self, pressed: Pressed) -> None:
        asked = await self.desk.doors.waiting(DecisionId(pressed.press.id))
        if not isinstance(asked, Clarification):
            raise SlackDeclined(_ANSWERED)
        kept = views.Kept.of(pressed.press.id, pressed.place, pressed.message)
        if not await self._open(pressed, views.own_words(asked.question, kept)):
            raise SlackDeclined("Slack opened no window in time. Please press again.")

    async def _decided(
        self, asked: Decision, user: str, place: Place, message: str, given: str | Choice
    ) -> None:
        person = await self.inbox.people.actor(place, user)
        if isinstance(given, Choice):
            answer: DecisionAnswer = Approved(decision=asked.id, actor=person.id, choice=given)
        else:
            answer = Clarified(decision=asked.id, actor=person.id, text=given)
        pressed = Card(channel=place.channel, ts=message)
        others = await self.desk.doors.decide(answer)
        shown = shapes.decided(asked, person.name, given)
        for card in dict.fromkeys((pressed, *others)):
            arguments: Object = {"channel": card.channel, "ts": card.ts, "text": shown.text}
            await self._quietly("chat.update", {**arguments, "blocks": list(shown.blocks)})

    async def _ask_more(self, pressed: Pressed) -> None:
        past = await self._past(pressed)
        question = past.question
        if pressed.press.action == presses.SUGGESTION:
            if pressed.press.at >= len(past.answer.suggestions):
                raise SlackDeclined(_GONE)
            question = past.answer.suggestions[pressed.press.at]
        place = pressed.place
        inbound = InboundMessage(
            id=pressed.id,
            thread=place.thread_id,
            actor=self.inbox.people.unnamed(place, pressed.user),
            text=question,
            sent_at=self.desk.doors.now(),
            place=place.as_said,
        )
        complete = partial(self.inbox.people.named, user=pressed.user)
        await self.desk.doors.ask(inbound, place, pressed.user, complete)

    async def _show_sql(self, pressed: Pressed) -> None:
        past = await self._past(pressed)
        if not await self._open(pressed, views.sql_and_steps(past)):
            await self._whisper_sql(pressed, past)

    async def _whisper_sql(self, pressed: Pressed, past: PastRun) -> None:
        """Show the SQL to the one who pressed, where Slack opened no window in time."""
        ran = (*past.answer.main_sql, *past.answer.look_ups)
        sql = code(cut("\n\n".join(each.sql for each in ran), 1_000))
        place = pressed.place
        arguments: Object = {
            "channel": place.channel,
            "thread_ts": place.thread,
            "user": pressed.user,
            "text": "SQL",
            "blocks": [section(cut(sql, 2_990))],
        }
        await self._quietly("chat.postEphemeral", arguments)

    async def _feedback(self, pressed: Pressed) -> None:
        run, actor = RunId(pressed.press.id), pressed.place.actor_id(pressed.user)
        good = pressed.press.at == 1
        await self.desk.doors.feedback(Feedback(run=run, actor=actor, good=good))
        kept = views.Kept.of(pressed.press.id, pressed.place, pressed.message)
        if good or not await self._open(pressed, views.what_was_wrong(kept)):
            await self.inbox.tell(pressed.place, pressed.user, _THANKS)

    async def _words_given(self, user: str, view: views.Submitted) -> None:
        kept = view.kept
        try:
            if view.callback_id == presses.OWN_WORDS_VIEW:
                await self._clarified(user, kept, view.words)
            elif view.callback_id == presses.WHAT_WAS_WRONG_VIEW:
                actor = kept.place.actor_id(user)
                feedback = Feedback(run=RunId(kept.id), actor=actor, good=False, words=view.words)
                await self.desk.doors.feedback(feedback)
                await self.inbox.tell(kept.place, user, _THANKS)
        except SlackDeclined as declined:
            await self.inbox.tell(kept.place, user, str(declined))

    async def _clarified(self, user: str, kept: views.Kept, words: str) -> None:
        asked = await self.desk.doors.waiting(DecisionId(kept.id))
        if not isinstance(asked, Clarification) or not words:
            raise SlackDeclined(_ANSWERED)
        await self._decided(asked, user, kept.place, kept.message, words)

    async def _past(self, pressed: Pressed) -> PastRun:
        past = await self.desk.doors.past(RunId(pressed.press.id))
        if past is None:
            raise SlackDeclined(_GONE)
        return past

    async def _open(self, pressed: Pressed, view: Object) -> bool:
        """Open a window; False where Slack's leave to do so has run out."""
        arguments: Object = {"trigger_id": pressed.trigger, "view": view}
        return await self._quietly("views.open", arguments)

    async def _quietly(self, method: str, arguments: Object) -> bool:
        try:
            await self.desk.calls.once(method, arguments)
        except SlackRefused as error:
            log.info("slack_press_refused", method=method, error=error.error)
            return False
        return True

    def _read(self, body: Mapping[str, object]) -> Pressed | None:
        try:
            parsed = _Body.model_validate(body)
        except ValidationError as error:
            log.warning("slack_press_unreadable", problems=error.error_count())
            return None
        if not parsed.actions:
            return None
        action, container = parsed.actions[0], parsed.container
        press = presses.read(action.action_id, action.value)
        channel = parsed.channel.id if parsed.channel else container.channel_id
        message = container.message_ts or parsed.message.ts
        if press is None or not channel:
            return None
        place = Place(
            team=self.desk.identity.team,
            channel=channel,
            thread=container.thread_ts or parsed.message.thread_ts or message,
            private=channel.startswith("D"),
        )
        return Pressed(
            press=press,
            user=parsed.user.id,
            place=place,
            message=message,
            trigger=parsed.trigger_id,
            # Two presses of a person on one button are one wish.
            id=place.message_id(f"{message}:{action.action_id}:{action.action_ts}"),
        )
