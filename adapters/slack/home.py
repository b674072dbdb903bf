"""The two tabs of the app: its home, made for the one who opened it, and its messages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from pydantic import BaseModel

from adapters.slack import limits
from adapters.slack.calls import SlackRefused
from adapters.slack.doors import Desk
from adapters.slack.inbound import Text
from adapters.slack.people import People
from adapters.slack.places import Place
from adapters.slack.text import cut, literal
from adapters.slack.wire import Object, context, plain, section
from core.domain.people import Actor
from core.domain.people import Place as CorePlace

log = structlog.get_logger()

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_REMEMBERED = 1_000
_SECONDS_WATCHED = 3_600.0
_NAME, _DETAIL, _QUESTION = 100, 300, 200
_MOST_CONNECTIONS, _MOST_RECENT = 20, 10
_HELP = (
    "*How to ask*\n"
    "• In a channel: mention me, <@{bot}>, with your question. I answer in the thread.\n"
    "• Alone: write to me under Messages.\n"
    "• Go on in the thread: _only Spain_, _by month_, _as a chart_. There is no need to mention "
    "me again.\n"
    "• What a channel may not see I answer in your direct messages.\n"
    "• `/resona help` lists what else I can do.\n"
    "• I read and never write. What would be expensive waits for your approval."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable:
    """A connection that somebody may use: who else may, what it is, how fresh what is known is."""

    name: str
    description: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that somebody asked, with when and of what; `place` is its thread."""

    question: str
    about: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeState:
    """What one person sees at home: nothing in it is of anybody else."""

    connections: tuple[Usable, ...]
    recent: tuple[Asked, ...]
    usage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Questions that can be asked in a place, and of which connection; none where it is closed."""

    connection: str
    description: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeDoors:
    """The way from the tabs, and from a first greeting, into the application.

    - `examples` is None where nothing may be asked; without a person it is for everybody there.
    - `first` is true once in a while for each place, among all processes; `undo` takes it back.
    """

    home: Callable[[Actor, CorePlace], Awaitable[HomeState]]
    examples: Callable[[Actor | None, Place, int], Awaitable[Examples | None]]
    first: Callable[[str], Awaitable[bool]]
    undo: Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Watching:
    place: Place
    since: float


class _Opened(BaseModel):
    user: Text = ""
    channel: Text = ""
    tab: Text = ""


class _Body(BaseModel):
    event: _Opened


@dataclass(slots=True)
class Home:
    """Shows the home tab when it is opened, and again when a run of one who watches has ended."""

    desk: Desk
    people: People
    doors: HomeDoors
    _watching: OrderedDict[str, _Watching] = field(default_factory=OrderedDict[str, _Watching])
    _links: OrderedDict[Place, str] = field(default_factory=OrderedDict[Place, str])

    def opened(self, body: Mapping[str, object]) -> None:
        """Look at an event and return at once."""
        event = _Body.model_validate(body).event
        place = Place(team=self.desk.identity.team, channel=event.channel, thread="", private=True)
        if event.tab == "messages":
            self.desk.spawn(self._prompt(event.user, place), "slack_prompts")
        elif event.tab == "home":
            _keep(self._watching, event.user, _Watching(place, self._now))
            self.desk.spawn(self._publish(event.user, place), "slack_home")

    def ended(self, user: str) -> None:
        """Renew the home of somebody whose run has ended, where that costs nobody anything."""
        watching = self._watching.get(user)
        if watching is None or self._now - watching.since > _SECONDS_WATCHED:
            return
        if self.desk.calls.pacing.has_room("views.publish"):
            self.desk.spawn(self._publish(user, watching.place), "slack_home")

    @property
    def _now(self) -> float:
        return self.desk.calls.clock.monotonic()

    async def _publish(self, user: str, place: Place) -> None:
        actor = await self.people.actor(place, user)
        state = await self.doors.home(actor, place.as_said)
        links = [await self._link(asked.place) for asked in state.recent[:_MOST_RECENT]]
        view: Object = {
            "type": "home",
            "blocks": list(home_blocks(state, links, bot=self.desk.identity.user)),
        }
        await self._quietly("views.publish", {"user_id": user, "view": view})

    async def _prompt(self, user: str, place: Place) -> None:
        actor = await self.people.actor(place, user)
        examples = await self.doors.examples(actor, place, limits.PROMPTS)
        if examples is None or not examples.questions:
            return
        prompts = [
            {"title": cut(question, limits.BUTTON), "message": question}
            for question in examples.questions[: limits.PROMPTS]
        ]
        # With a thread Slack would show nothing here.
        arguments: Object = {
            "channel_id": place.channel,
            "title": cut(f"Questions about {examples.connection}", limits.BUTTON),
            "prompts": [{**each} for each in prompts],
        }
        await self._quietly("assistant.threads.setSuggestedPrompts", arguments)

    async def _link(self, place: Place) -> str:
        """Return the address of a thread; nothing where the bot cannot read it any more."""
        if place not in self._links:
            arguments: Object = {"channel": place.channel, "message_ts": place.thread}
            try:
                said = await self.desk.calls.once("chat.getPermalink", arguments)
            except SlackRefused:
                return ""
            _keep(self._links, place, said.text("permalink"))
        return self._links[place]

    async def _quietly(self, method: str, arguments: Object) -> None:
        try:
            await self.desk.calls.call(method, arguments)
        except SlackRefused as error:
            log.warning("slack_tab_not_shown", method=method, error=error.error)


def home_blocks(state: HomeState, links: Sequence[str], *, bot: str) -> Iterator[Object]:
    """Yield the blocks of the home tab, of which there are far fewer than Slack takes."""
    yield _head("What you can ask")
    for each in state.connections[:_MOST_CONNECTIONS]:
        description = _shown(each.description, _DETAIL)
        name = f"*{_shown(each.name, _NAME)}*"
        yield section(f"{name}\n{description}" if each.description else name)
        yield context(_shown(" · ".join(each.facts), _DETAIL))
    more = len(state.connections) - _MOST_CONNECTIONS
    if more > 0:
        yield context(f"and {more} more")
    if not state.connections:
        yield section("There is no database that you may ask. Ask whoever looks after me.")
    yield {"type": "divider"}
    yield _head("Your last questions")
    for asked, link in zip(state.recent, links, strict=False):
        where = f"  <{link}|open the thread>" if link else ""
        about = _shown(asked.about, _NAME)
        yield section(f"{_shown(asked.question, _QUESTION)}\n_{about}_{where}")
    if not state.recent:
        yield section("None yet.")
    yield context(_shown(state.usage, _DETAIL))
    yield {"type": "divider"}
    yield section(_HELP.format(bot=bot))


def _shown(text: str, most: int) -> str:
    """Return text from data as Slack shows it; it takes none that is empty."""
    return literal(cut(text, most)) or "-"


def _head(text: str) -> Object:
    return {"type": "header", "text": plain(text, limits.HEADER)}


def _keep(known: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > _REMEMBERED:
        known.popitem(last=False)
