"""Who people are in Slack: their names, asked for once."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace

import structlog
from pydantic import BaseModel, Field

from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.places import Place
from core.domain.conversation import Turn
from core.domain.people import Actor

log = structlog.get_logger()

_REMEMBERED = 5_000


class _Profile(BaseModel):
    display_name: str | None = None
    real_name: str | None = None


class _Person(BaseModel):
    name: str | None = None
    profile: _Profile = Field(default_factory=_Profile)

    @property
    def shown(self) -> str:
        return self.profile.display_name or self.profile.real_name or self.name or ""


@dataclass(slots=True)
class People:
    """Remembers the names of those who were seen last."""

    calls: SlackCalls
    _names: OrderedDict[str, str] = field(default_factory=OrderedDict[str, str])

    async def actor(self, place: Place, user: str) -> Actor:
        """Return the person; one whose name Slack does not give is called by their id."""
        return Actor(id=place.actor_id(user), workspace=place.workspace, name=await self.name(user))

    def unnamed(self, place: Place, user: str) -> Actor:
        """Return the person by the name that is known already, else by their id."""
        name = self._names.get(user, user)
        return Actor(id=place.actor_id(user), workspace=place.workspace, name=name)

    async def named(self, turn: Turn, user: str) -> Turn:
        """Return the turn with the name of who asked."""
        return replace(turn, actor=replace(turn.actor, name=await self.name(user)))

    async def name(self, user: str) -> str:
        if user not in self._names:
            self._names[user] = await self._asked(user)
            while len(self._names) > _REMEMBERED:
                self._names.popitem(last=False)
        return self._names[user]

    async def _asked(self, user: str) -> str:
        try:
            person = (await self.calls.once("users.info", {"user": user})).part("user")
        except SlackRefused as error:
            log.info("slack_name_unknown", error=error.error)
            return user
        return _Person.model_validate(person).shown or user
