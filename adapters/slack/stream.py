"""Progress as cards of a message that Slack streams: one writer, rolled over before it is full."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import orjson

from adapters.slack import limits
from adapters.slack.calls import SlackCalls
from adapters.slack.places import Place
from adapters.slack.text import cut
from adapters.slack.wire import Object
from core.domain.plan import TaskState
from core.domain.view import MessageView

_FULL_BYTES = 8_500
_OLD_SECONDS = 270.0
_FIRST_CARD = "question"
_STEPS = {"running": "in_progress", "done": "complete", "failed": "error"}
_TASKS = {
    TaskState.WAITING: "pending",
    TaskState.RUNNING: "in_progress",
    TaskState.DONE: "complete",
    TaskState.MISSING: "error",
}
_OPEN = frozenset({"pending", "in_progress"})


@dataclass(frozen=True, slots=True)
class _Card:
    """A line of the message; what came of it is said once, with its end."""

    id: str
    title: str
    state: str
    came: str = ""

    def as_chunk(self) -> Object:
        chunk: Object = {
            "type": "task_update",
            "id": self.id,
            "title": cut(self.title, limits.CARD_TEXT),
            "status": self.state,
        }
        # Sent again under the same id it would be appended, so that it goes once, with the end.
        if self.state not in _OPEN and self.came:
            chunk["output"] = cut(" ".join(self.came.split()), limits.CARD_TEXT)
        return chunk


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
    _sent: set[str] = field(default_factory=set[str])  # the cards of its newest message

    async def start(self, view: MessageView) -> None:
        """Open the message, with whatever of the view is not finished yet.

        Raises:
            SlackRefused: Slack does not stream here.
        """
        # What was open in the message before goes on in this one.
        self._states = {id: state for id, state in self._states.items() if state not in _OPEN}
        self._title = ""
        chunks = self._changes(view)
        # Not tried again: a message that is rewritten can be had instead, and this one only once.
        self.calls.pacing.reserve("chat.startStream")
        said = await self.calls.once(
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
        self._sent = _ids(chunks)
        self._remember(view)

    async def append(self, view: MessageView, hurry: asyncio.Event) -> None:
        """Send what has changed; what there was no room for goes with the next view.

        Raises:
            SlackRefused: the stream takes nothing more.
        """
        chunks = self._changes(view)
        if not chunks:
            return
        if self.is_full(chunks):
            await self.stop([])
            await self.start(view)
            return
        arguments: Object = {"channel": self.place.channel, "ts": self.ts, "chunks": chunks}
        if await self.calls.progress("chat.appendStream", arguments, hurry) is not None:
            self.bytes_sent += _size(chunks)
            self._sent |= _ids(chunks)
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

    def is_full(self, more: Sequence[Object]) -> bool:
        """Say whether these chunks could be too many, or the stream is about to be cut."""
        age = self.calls.clock.monotonic() - self._started_at
        return (
            self.bytes_sent + _size(more) > _FULL_BYTES
            or len(self._sent | _ids(more)) > limits.CARDS
            or age > _OLD_SECONDS
        )

    def _changes(self, view: MessageView, *, ended: bool = False) -> list[Object]:
        chunks: list[Object] = []
        title = _last_title(view) if ended else view.going_on
        if title != self._title:
            chunks.append(_title(title))
        for card in self._cards(view):
            if ended and card.state in _OPEN:
                # What has not ended by now never will.
                card = replace(card, state="complete" if card.id == _FIRST_CARD else "error")
            if self._states.get(card.id) != card.state:
                chunks.append(card.as_chunk())
        return chunks

    def _cards(self, view: MessageView) -> Iterator[_Card]:
        begun = "complete" if view.steps or view.plan else "in_progress"
        yield _Card(_FIRST_CARD, "Reading the question", begun)
        for task in view.plan:
            yield _Card(f"task:{task.id}", task.title, _TASKS[task.state], task.finding)
        for step in view.steps:
            # The tasks of a plan are its lines; their single steps would bury them.
            if not view.plan or step.call_id in self._states:
                yield _Card(step.call_id, step.title, _STEPS[step.state], step.summary)

    def _remember(self, view: MessageView) -> None:
        self._title = view.going_on
        self._states.update({card.id: card.state for card in self._cards(view)})


def _last_title(view: MessageView) -> str:
    if view.decision is not None:
        return "Waiting for an answer"
    return "Stopped" if view.failure else "Done"


def _title(text: str) -> Object:
    return {"type": "plan_update", "title": cut(text, limits.CARD_TEXT)}


def _ids(chunks: Sequence[Object]) -> set[str]:
    return {str(each["id"]) for each in chunks if "id" in each}


def _size(chunks: Sequence[Object]) -> int:
    return len(orjson.dumps(list(chunks)))
