"""Messages of one thread: posted once even where Slack's answer is lost, and rewritten."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from adapters.slack import limits
from adapters.slack.blocks.message import Rendered
from adapters.slack.calls import Said, SlackCalls, SlackRefused
from adapters.slack.places import Place
from adapters.slack.wire import Object
from core.domain.ids import fresh_id

log = structlog.get_logger()

_EVENT = "resona_message"
_SECONDS_BACK = 300.0


@dataclass(frozen=True, slots=True)
class Posting:
    """Writes into the thread of a place."""

    calls: SlackCalls
    place: Place

    async def post(self, form: Rendered) -> str:
        """Post a new message and return its time stamp, which is its name.

        Raises:
            SlackRefused: Slack does not take it.
        """
        id = fresh_id()
        arguments: Object = {
            "thread_ts": self.place.thread,
            "unfurl_links": False,
            "unfurl_media": False,
            # Slack knows no key that would keep a message from being posted twice; this finds it.
            "metadata": {"event_type": _EVENT, "event_payload": {"id": id}},
            **self._said(form),
        }

        async def done() -> Said | None:
            return next((each for each in await self._in_thread() if _id(each) == id), None)

        return (await self.calls.call("chat.postMessage", arguments, done=done)).text("ts")

    async def rewrite(self, ts: str, form: Rendered) -> None:
        """Put another text in the place of a message's.

        Raises:
            SlackRefused: Slack does not take it.
        """

        async def done() -> Said | None:
            said = await self._in_thread()
            return next((each for each in said if _stands(each, ts, form)), None)

        await self.calls.call("chat.update", self.rewriting(ts, form), done=done)

    async def try_to_rewrite(self, ts: str, form: Rendered) -> None:
        """Rewrite a message that nobody waits for."""
        try:
            await self.calls.call("chat.update", self.rewriting(ts, form))
        except SlackRefused as error:
            log.info("slack_progress_left", error=error.error)

    async def aside(self, text: str) -> None:
        """Say something beside the answer."""
        try:
            await self.post(Rendered(text=text))
        except SlackRefused as error:
            log.warning("slack_aside_refused", error=error.error)

    async def set_session(self, status: str) -> None:
        """Tell Slack whether the thread is being worked on, which shows its own stop button.

        Raises:
            SlackRefused: it shows none here.
        """
        await self.calls.once(
            "agents.sessions.setStatus",
            {
                "channel_id": self.place.channel,
                "thread_ts": self.place.thread,
                "status": status,
            },
        )

    def rewriting(self, ts: str, form: Rendered) -> Object:
        """Return the arguments of a call that rewrites a message."""
        return {"ts": ts, **self._said(form)}

    def _said(self, form: Rendered) -> Object:
        return {"channel": self.place.channel, "text": form.text, "blocks": list(form.blocks)}

    async def _in_thread(self) -> list[Said]:
        """Return what stands in the thread by now, as far back as an answer can have been lost."""
        since = self.calls.clock.now().timestamp() - _SECONDS_BACK
        arguments: Object = {
            "channel": self.place.channel,
            "ts": self.place.thread,
            "oldest": f"{since:.6f}",
            "limit": limits.HISTORY_PAGE,
            "include_all_metadata": True,
        }
        try:
            said = await self.calls.once("conversations.replies", arguments)
        except SlackRefused as error:
            log.info("slack_thread_not_looked_at", error=error.error)
            return []
        return [Said(each) for each in said.items("messages")]


def _id(message: Said) -> str:
    payload = Said(message.part("metadata")).part("event_payload")
    return Said(payload).text("id")


def _stands(message: Said, ts: str, form: Rendered) -> bool:
    return message.text("ts") == ts and message.text("text") == form.text
