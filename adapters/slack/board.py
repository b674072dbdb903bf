"""Where one person sees how far something has come: one direct message, rewritten in place."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from adapters.slack.blocks import replies
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.wire import Object
from core.domain.replies import News

log = structlog.get_logger()


@dataclass(slots=True)
class SlackBoard:
    """The first news opens the message; where Slack refuses it, the channel's ephemeral does."""

    calls: SlackCalls
    user: str
    channel: str
    _direct: str = ""
    _message: str = ""

    async def show(self, news: News) -> None:
        """Show how far it is; where Slack takes nothing, that is logged and nothing else."""
        shown = replies.news(news)
        said: Object = {"text": shown.text, "blocks": list(shown.blocks)}
        try:
            if self._message:
                where: Object = {"channel": self._direct, "ts": self._message}
                await self.calls.call("chat.update", {**where, **said})
            else:
                await self._open(said)
        except SlackRefused as error:
            log.warning("slack_board_refused", error=error.error)
            await self._instead(said)

    async def _open(self, said: Object) -> None:
        opened = await self.calls.call("conversations.open", {"users": self.user})
        self._direct = str(opened.part("channel").get("id") or "")
        posted = await self.calls.call("chat.postMessage", {"channel": self._direct, **said})
        self._message = posted.text("ts")

    async def _instead(self, said: Object) -> None:
        arguments: Object = {"channel": self.channel, "user": self.user, **said}
        try:
            await self.calls.call("chat.postEphemeral", arguments)
        except SlackRefused as error:
            log.warning("slack_not_told", error=error.error)
