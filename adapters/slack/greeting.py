"""The first words in a channel that the bot was invited to: said once, however often it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import structlog
from pydantic import BaseModel

from adapters.slack.calls import SlackRefused
from adapters.slack.doors import Desk
from adapters.slack.home import Examples, HomeDoors
from adapters.slack.inbound import Text
from adapters.slack.places import Place
from adapters.slack.text import cut, literal
from adapters.slack.wire import Object, fallback, section

log = structlog.get_logger()

_EXAMPLES = 3
_LONGEST = 300
_HELLO = (
    "Hello! I answer questions about your data. Ask in plain words; I read the database, check "
    "my figures, and answer here with a short finding, a chart and the table, and show how I got "
    "there. I never change anything."
)
_DEPENDS = "What I may read for you here depends on who asks; just try."


class _Joined(BaseModel):
    user: Text = ""
    channel: Text = ""


class _Body(BaseModel):
    event: _Joined


@dataclass(frozen=True, slots=True)
class Greeting:
    """Says hello where the bot itself has joined."""

    desk: Desk
    doors: HomeDoors

    def joined(self, body: Mapping[str, object]) -> None:
        """Look at an event and return at once."""
        event = _Body.model_validate(body).event
        if event.user == self.desk.identity.user and event.channel:
            place = Place(team=self.desk.identity.team, channel=event.channel, thread="")
            self.desk.spawn(self._greeted(place), "slack_greeting")

    async def _greeted(self, place: Place) -> None:
        deed = f"{place.workspace}:{place.channel}:greeting"
        if not await self.doors.first(deed):
            return
        examples = await self.doors.examples(None, place, _EXAMPLES)
        parts = list(_parts(examples, bot=self.desk.identity.user))
        blocks: list[Object] = [section(part) for part in parts]
        arguments: Object = {
            "channel": place.channel,
            "text": fallback(_HELLO),
            "blocks": [*blocks],
            "unfurl_links": False,
            "unfurl_media": False,
        }
        try:
            await self.desk.calls.call("chat.postMessage", arguments)
        except SlackRefused as error:
            log.warning("slack_not_greeted", error=error.error, needed=error.needed)
            await self.doors.undo(deed)


def _parts(examples: Examples | None, *, bot: str) -> Iterator[str]:
    yield _HELLO
    if examples is None:
        yield _DEPENDS
    else:
        about = literal(cut(examples.description, _LONGEST))
        yield f"Here I read *{literal(examples.connection)}*{': ' if about else '.'}{about}"
    if examples and examples.questions:
        asked = "\n".join(
            f"• <@{bot}> {literal(cut(each, _LONGEST))}" for each in examples.questions
        )
        yield f"For example:\n{asked}"
    yield (
        f"To begin, mention me: <@{bot}> and your question. In my answer's thread there is no need "
        "to mention me again."
    )
