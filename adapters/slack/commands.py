"""`/resona …`: what comes in, and the form, links and answers that go back to the asker alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog
from pydantic import BaseModel, Field, ValidationError

from adapters.slack import connect_form, presses
from adapters.slack.blocks import replies
from adapters.slack.blocks.message import Rendered
from adapters.slack.calls import SlackRefused
from adapters.slack.connect_form import FilledIn
from adapters.slack.doors import CommandDoors, Desk, SlackDeclined
from adapters.slack.inbound import Text
from adapters.slack.people import People
from adapters.slack.places import Place
from adapters.slack.text import escaped
from adapters.slack.wire import Object, section
from core.domain.connection_draft import ConnectionDraft
from core.domain.people import Actor
from core.domain.replies import FormWanted, Reply

log = structlog.get_logger()

_REMEMBERED = 1_000
_NO_WINDOW = "Slack opened no window in time. Please try that again."
_TOO_OLD = "That attempt is from too long ago. Start again with `/resona connect`."


class _Slash(BaseModel):
    team_id: Text = ""
    channel_id: Text = ""
    user_id: Text = ""
    user_name: Text = ""
    text: Text = ""
    trigger_id: Text = ""
    response_url: Text = ""


class _Named(BaseModel):
    id: Text = ""
    name: Text = ""


class _Container(BaseModel):
    channel_id: Text = ""
    is_ephemeral: bool = False


class _Action(BaseModel):
    action_id: Text = ""
    value: Text = ""


class _Press(BaseModel):
    user: _Named = Field(default_factory=_Named)
    team: _Named | None = None
    channel: _Named | None = None
    container: _Container = Field(default_factory=_Container)
    trigger_id: Text = ""
    response_url: Text = ""
    actions: tuple[_Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A command, typed or pressed: by whom, where, and how Slack takes the answer.

    trigger: Slack's leave to open a window, which lasts three seconds
    answer_to: where the answer goes; it is shown to the asker alone
    pressed: the answer takes the place of the message with the button
    """

    text: str
    actor: Actor
    user: str
    place: Place
    trigger: str
    answer_to: str
    pressed: bool = False


@dataclass(slots=True)
class SlashCommands:
    """Whatever is typed or pressed is acknowledged before any of this begins."""

    desk: Desk
    doors: CommandDoors
    people: People
    minutes: int
    _sent_off: OrderedDict[str, None] = field(default_factory=OrderedDict[str, None])

    def receive(self, body: Mapping[str, object]) -> None:
        """Look at a command and return at once."""
        slash = _Slash.model_validate(body)
        place = self._place(slash.team_id, slash.channel_id)
        asked = Asked(
            text=slash.text,
            actor=_actor(place, slash.user_id, slash.user_name),
            user=slash.user_id,
            place=place,
            trigger=slash.trigger_id,
            answer_to=slash.response_url,
        )
        self.desk.spawn(self._answered(asked), "slack_command")

    def pressed(self, body: Mapping[str, object]) -> bool:
        """Look at a press and return at once; False where the button is none of a command's."""
        try:
            press = _Press.model_validate(body)
        except ValidationError:
            return False
        action = press.actions[0] if press.actions else _Action()
        if action.action_id not in presses.COMMAND_PRESSES:
            return False
        channel = press.channel.id if press.channel else press.container.channel_id
        place = self._place(press.team.id if press.team else "", channel)
        asked = Asked(
            text=action.value,
            actor=_actor(place, press.user.id, press.user.name),
            user=press.user.id,
            place=place,
            trigger=press.trigger_id,
            answer_to=press.response_url,
            pressed=True,
        )
        deeds = {
            presses.COMMAND: self._answered,
            presses.NO_COMMAND: self._left,
            presses.CHANGE_CONNECTION: self._changed,
        }
        if action.action_id in deeds:
            self.desk.spawn(deeds[action.action_id](asked), f"slack_{action.action_id}")
        return True

    def check(self, body: Mapping[str, object]) -> Object:
        """Return what a window that was sent off is acknowledged with: errors at their fields."""
        filled = _filled(body)
        if filled is None or not (problems := self.doors.problems(filled.draft)):
            return {}
        return {"response_action": "errors", "errors": dict(problems)}

    def submitted(self, body: Mapping[str, object]) -> bool:
        """Look at a window that was sent off without errors; False where it is another's."""
        filled = _filled(body)
        if filled is None:
            return False
        if filled.view not in self._sent_off:
            self._sent_off[filled.view] = None
            while len(self._sent_off) > _REMEMBERED:
                self._sent_off.popitem(last=False)
            self.desk.spawn(self._begun(filled), "slack_connect")
        return True

    async def _answered(self, asked: Asked) -> None:
        reply = await self.doors.run(asked.text, asked.actor, asked.place.as_said)
        if isinstance(reply, FormWanted):
            await self._form(asked, reply.draft)
        else:
            await self._say(asked, _shown(reply))

    async def _form(self, asked: Asked, draft: ConnectionDraft) -> None:
        view = connect_form.form(draft, asked.place)
        if await self._opened(asked, view) is None:
            await self._say(asked, _sentence(_NO_WINDOW))

    async def _left(self, asked: Asked) -> None:
        await self._respond(asked, {"delete_original": True})

    async def _changed(self, asked: Asked) -> None:
        """Open a window at once, and fill it with what was filled in before."""
        window = await self._opened(asked, connect_form.waiting())
        if window is None:
            await self._whisper(asked.place, asked.user, _sentence(_NO_WINDOW))
            return
        draft = await self.doors.draft(asked.text, asked.actor.id)
        where = asked.place
        view = connect_form.form(draft, where) if draft else connect_form.told(_TOO_OLD)
        await self._quietly("views.update", {"view_id": window, "view": view})

    async def _begun(self, filled: FilledIn) -> None:
        place, user = filled.place, filled.user
        actor = await self.people.actor(place, user)
        try:
            url = await self.doors.begin(filled.draft, actor, place.as_said)
        except SlackDeclined as declined:
            await self._whisper(place, user, _sentence(str(declined)))
        else:
            await self._whisper(place, user, replies.link(filled.draft.name, url, self.minutes))

    async def _opened(self, asked: Asked, view: Object) -> str | None:
        """Open a window and return its id; None where Slack's leave to do so has run out."""
        try:
            said = await self.desk.calls.once(
                "views.open", {"trigger_id": asked.trigger, "view": view}
            )
        except SlackRefused as error:
            log.info("slack_window_refused", error=error.error)
            return None
        return str(said.part("view").get("id") or "")

    async def _say(self, asked: Asked, shown: Rendered) -> None:
        said: Object = {"text": shown.text, "blocks": list(shown.blocks)}
        how: Object = (
            {"replace_original": True} if asked.pressed else {"response_type": "ephemeral"}
        )
        if not await self._respond(asked, {**said, **how}):
            await self._whisper(asked.place, asked.user, shown)

    async def _respond(self, asked: Asked, message: Object) -> bool:
        try:
            await self.desk.calls.respond(asked.answer_to, message)
        except SlackRefused as error:
            log.warning("slack_command_not_answered", error=error.error)
            return False
        return True

    async def _whisper(self, place: Place, user: str, shown: Rendered) -> None:
        """Tell one person in the channel, or in their direct messages where that cannot be."""
        said: Object = {"text": shown.text, "blocks": list(shown.blocks)}
        if not place.private and await self._quietly(
            "chat.postEphemeral", {**said, "channel": place.channel, "user": user}
        ):
            return
        opened = await self._called("conversations.open", {"users": user})
        channel = str(opened.get("id") or "") if opened else place.channel
        unseen: Object = {"unfurl_links": False, "unfurl_media": False}
        await self._quietly("chat.postMessage", {**said, **unseen, "channel": channel})

    async def _called(self, method: str, arguments: Object) -> Mapping[str, object] | None:
        try:
            return (await self.desk.calls.call(method, arguments)).part("channel")
        except SlackRefused as error:
            log.info("slack_command_refused", method=method, error=error.error)
            return None

    async def _quietly(self, method: str, arguments: Object) -> bool:
        return await self._called(method, arguments) is not None

    def _place(self, team: str, channel: str) -> Place:
        return Place(
            team=team or self.desk.identity.team,
            channel=channel,
            thread="",
            private=channel.startswith("D"),
        )


def _filled(body: Mapping[str, object]) -> FilledIn | None:
    try:
        return connect_form.filled_in(body)
    except ValidationError as error:
        log.warning("slack_form_unreadable", problems=error.error_count())
        return None


def _actor(place: Place, user: str, name: str) -> Actor:
    return Actor(id=place.actor_id(user), workspace=place.workspace, name=name or user)


def _shown(reply: Reply) -> Rendered:
    if isinstance(reply, FormWanted):
        raise TypeError("A form is opened, not shown.")
    return replies.reply(reply)


def _sentence(text: str) -> Rendered:
    return Rendered(text=escaped(text), blocks=(section(escaped(text)),))
