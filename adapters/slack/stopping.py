"""Slack's own stop button, which names a thread and not a run."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from adapters.slack.doors import Desk, SlackDeclined
from adapters.slack.inbound import Text
from adapters.slack.inbox import Inbox
from adapters.slack.places import Place


class _Stopped(BaseModel):
    channel: Text = ""
    user: Text = ""
    thread_ts: Text = ""


class _Body(BaseModel):
    event: _Stopped


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stops the run that a thread waits for."""

    desk: Desk
    inbox: Inbox

    def receive(self, body: Mapping[str, object]) -> None:
        parsed = _Body.model_validate(body)
        place = Place(
            team=self.desk.identity.team,
            channel=parsed.event.channel,
            thread=parsed.event.thread_ts,
            private=parsed.event.channel.startswith("D"),
        )
        self.desk.spawn(self._stop(place, parsed.event.user), "slack_stop")

    async def _stop(self, place: Place, user: str) -> None:
        run = await self.desk.doors.running(place.thread_id)
        if run is None:
            return
        try:
            await self.desk.doors.stop(run, place.actor_id(user))
        except SlackDeclined as declined:
            await self.inbox.tell(place, user, str(declined))
