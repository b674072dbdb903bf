"""Messages: which of them are questions, and what goes with a question."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import structlog

from adapters.slack.calls import SlackRefused
from adapters.slack.doors import Desk, SlackDeclined
from adapters.slack.history import History
from adapters.slack.inbound import SlackMessage, read_message
from adapters.slack.people import People
from adapters.slack.places import Place
from adapters.slack.text import escaped
from adapters.slack.wire import Object
from core.domain.conversation import Attachment, InboundMessage, Turn
from core.domain.errors import NotPossible, StateUnusable
from core.domain.ids import MessageId, ThreadId

log = structlog.get_logger()

_REMEMBERED = 20_000
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_FILE_ALONE = (
    "Please write together with a file what you would like to know. I keep files, but I cannot "
    "look into them yet."
)
_FOREIGN = "I answer members of this workspace only; please ask somebody of it to ask me."


@dataclass(slots=True)
class Inbox:
    """Takes each message once, however often and as whatever events Slack tells of it."""

    desk: Desk
    people: People
    history: History
    _taken: OrderedDict[MessageId, None] = field(default_factory=OrderedDict[MessageId, None])
    _ours: OrderedDict[ThreadId, bool] = field(default_factory=OrderedDict[ThreadId, bool])

    def receive(self, body: Mapping[str, object]) -> None:
        """Look at an event and return at once; the work goes on by itself."""
        message = read_message(body, self.desk.identity)
        if message is None or (message.for_others and not message.mentioned):
            return
        if message.mentioned:
            self.take(message)
        elif message.in_thread and self._ours.get(message.place.thread_id) is not False:
            self.desk.spawn(self._followed_up(message), "slack_follow_up")

    def take(self, message: SlackMessage) -> None:
        """Start on a message that is for the bot, unless that was done before."""
        id = message.place.message_id(message.ts)
        if id in self._taken:
            return
        _keep(self._taken, id, value=None)
        self.own(message.place)
        self.desk.spawn(self._asked(message), "slack_question")

    def own(self, place: Place) -> None:
        """Remember that a thread is one of the bot's, where no mention is needed."""
        _keep(self._ours, place.thread_id, value=True)

    async def _followed_up(self, message: SlackMessage) -> None:
        thread = message.place.thread_id
        if thread not in self._ours:
            ours = await self.desk.doors.knows(thread) or await self._wrote_in(message)
            _keep(self._ours, thread, value=ours)
        if self._ours.get(thread):
            self.take(message)

    async def _wrote_in(self, message: SlackMessage) -> bool:
        # Every thread of a busy channel comes by here once; they must not use up the calls.
        if not self.desk.calls.pacing.has_room("conversations.replies"):
            return False
        return (await self.history.before(message.place, message.ts)).ours

    async def _asked(self, message: SlackMessage) -> None:
        if message.foreign:
            await self.tell(message.place, message.user, _FOREIGN)
            return
        if message.files and not message.text:
            await self.tell(message.place, message.user, _FILE_ALONE)
            return
        place = message.place
        inbound = InboundMessage(
            id=place.message_id(message.ts),
            thread=place.thread_id,
            actor=self.people.unnamed(place, message.user),
            text=message.text,
            sent_at=self.desk.doors.now(),
            place=place.as_said,
        )
        complete = partial(self._looked_up, message)
        try:
            await self.desk.doors.ask(inbound, place, message.user, complete)
        except (SlackDeclined, StateUnusable) as declined:
            await self.tell(place, message.user, str(declined))

    async def _looked_up(self, message: SlackMessage, turn: Turn) -> Turn:
        """Return the turn with the name of who asked and their files; make the past known."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fill(message))
            named = tasks.create_task(self.people.named(turn, message.user))
            files = tasks.create_task(self._attachments(message))
        return replace(named.result(), attachments=files.result())

    async def _fill(self, message: SlackMessage) -> None:
        """Make the thread's past known where nothing is remembered of it."""
        thread = message.place.thread_id
        if not message.in_thread or await self.desk.doors.knows(thread):
            return
        past = await self.history.before(message.place, message.ts)
        if past.exchanges:
            await self.desk.doors.remember(thread, past.exchanges)

    async def _attachments(self, message: SlackMessage) -> tuple[Attachment, ...]:
        found: list[Attachment] = []
        for file in message.files:
            try:
                found.append(await self.desk.uploads.fetch(file, self.desk.files))
            except NotPossible as error:
                await self.tell(message.place, message.user, error.advice)
        return tuple(found)

    async def tell(self, place: Place, user: str, sentence: str) -> None:
        """Say something to one person alone."""
        said: Object = {"channel": place.channel, "text": escaped(sentence)}
        thread: Object = {"thread_ts": place.thread} if place.thread else {}
        method = "chat.postMessage" if place.private else "chat.postEphemeral"
        to: Object = {} if place.private else {"user": user}
        try:
            await self.desk.calls.call(method, {**said, **thread, **to})
        except SlackRefused as error:
            log.warning("slack_not_told", error=error.error)


def _keep(known: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    known[key] = value
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
