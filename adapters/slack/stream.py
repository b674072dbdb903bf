"""Progress as cards of a message that Slack streams: one writer, rolled over before it is full."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from adapters.slack import limits
from adapters.slack.calls import SlackCalls
from adapters.slack.places import Place
from adapters.slack.text import cut
from adapters.slack.wire import Object
from core.domain.view import MessageView, StepView

_FULL_BYTES = 8_500
_OLD_SECONDS = 270.0
_FIRST_CARD = "question"
_STATES = {"running": "in_progress", "done": "complete", "failed": "error"}


@dataclass(slots=True, kw_only=True)
class Stream:
    """The streamed message of one run; `ts` is the newest of its messages."""

    calls: SlackCalls
    place: Place
    user: str
    ts: str = ""
    bytes_sent: int = 0
    _started_at: float = 0.0
    _title: str = ""
    _states: dict[str, str] = field(default_factory=dict[str, str])

    async def start(self, view: MessageView) -> None:
        """Open the message, with whatever of the view is not finished yet.

        Raises:
            SlackRefused: Slack does not stream here.
        """
        chunks = self._changes(view) or [_title("Going on")]
        said = await self.calls.call(
            "chat.startStream",
            {
                "channel": self.place.channel,
                "thread_ts": self.place.thread,
                "recipient_team_id": self.place.team,
                "recipient_user_id": self.user,
                "task_display_mode": "plan",
                "chunks": chunks,
            },
        )
        self.ts = said.text("ts")
        self._started_at = self.calls.clock.monotonic()
        self.bytes_sent = _size(chunks)
        self._remember(view)

    async def append(self, view: MessageView, hurry: asyncio.Event) -> None:
        """Send what has changed; what there was no room for goes with the next view.

        Raises:
            SlackRefused: the stream takes nothing more.
        """
        chunks = self._changes(view)
        if not chunks:
            return
        if self.is_full(_size(chunks)):
            await self.stop([])
            await self.start(view)
            return
        arguments: Object = {"channel": self.place.channel, "ts": self.ts, "chunks": chunks}
        if await self.calls.progress("chat.appendStream", arguments, hurry) is not None:
            self.bytes_sent += _size(chunks)
            self._remember(view)

    async def stop(self, blocks: Sequence[Object], view: MessageView | None = None) -> None:
        """End the stream, with the answer's blocks below the cards.

        Raises:
            SlackRefused: it is ended already, or does not take the blocks.
        """
        arguments: Object = {"channel": self.place.channel, "ts": self.ts}
        if view is not None:
            chunks = self._changes(view, ended=True)
            arguments |= {"session_status": "active"} | ({"chunks": chunks} if chunks else {})
        if blocks:
            arguments["blocks"] = list(blocks)
        await self.calls.call("chat.stopStream", arguments)

    def is_full(self, more: int) -> bool:
        """Say whether so many more bytes could be too many, or the stream is about to be cut."""
        age = self.calls.clock.monotonic() - self._started_at
        return self.bytes_sent + more > _FULL_BYTES or age > _OLD_SECONDS

    def _changes(self, view: MessageView, *, ended: bool = False) -> list[Object]:
        chunks: list[Object] = []
        title = "Done" if ended else view.status or "Writing the answer"
        if title != self._title:
            chunks.append(_title(title))
        first = "complete" if view.steps or ended else "in_progress"
        if self._states.get(_FIRST_CARD) != first:
            chunks.append(_card(_FIRST_CARD, "Reading the question", first))
        for step in view.steps:
            state = "error" if ended and step.state == "running" else _STATES[step.state]
            if self._states.get(step.call_id) != state:
                chunks.append(_step(step, state))
        return chunks

    def _remember(self, view: MessageView) -> None:
        self._title = view.status or "Writing the answer"
        self._states[_FIRST_CARD] = "complete" if view.steps else "in_progress"
        self._states.update({step.call_id: _STATES[step.state] for step in view.steps})


def _title(text: str) -> Object:
    return {"type": "plan_update", "title": cut(text, limits.CARD_TEXT)}


def _card(id: str, title: str, status: str) -> Object:
    return {
        "type": "task_update",
        "id": id,
        "title": cut(title, limits.CARD_TEXT),
        "status": status,
    }


def _step(step: StepView, state: str) -> Object:
    card = _card(step.call_id, step.title, state)
    # Sent again under the same id it would be appended, so that it goes once, with the end.
    if state != "in_progress" and step.summary:
        card["output"] = cut(" ".join(step.summary.split()), limits.CARD_TEXT)
    return card


def _size(chunks: Sequence[Object]) -> int:
    return len(orjson.dumps(list(chunks)))
