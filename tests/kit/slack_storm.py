"""Many questions of many people in many threads and workspaces at once, and what went wrong."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.domain.chat import ChatReply, ChatRequest, ToolMessage
from tests.kit.slack_browser import Browser
from tests.kit.slack_server import SlackServer
from tests.kit.slack_stage import INTENT, Stage, calling, oauth_settings, slack_stage
from tests.kit.slack_things import Failure, Message
from tests.kit.slack_world import SlackWorld

_TOTAL = calling("run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region")
_QUESTION = re.compile(r"question (\w+)")
_PATIENCE = 600.0
_BUSY = ("chat.update", "chat.postMessage", "chat.startStream", "chat.stopStream")


@dataclass(frozen=True, slots=True)
class FastClock:
    """A clock that goes so many times faster than the machine's."""

    times: float

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic() * self.times

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.times)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything; `times` is how much faster than real the clock of limits goes."""

    questions: int
    threads: int
    people: int
    workspaces: int = 3
    restarts: int = 1
    times: float = 8.0
    seed: int = 7


@dataclass(slots=True)
class Storm:
    """`asked` has where each question was asked: its workspace and its thread."""

    folder: Path
    slack: SlackServer
    size: Size
    asked: dict[str, tuple[SlackWorld, str]] = field(
        default_factory=dict[str, tuple[SlackWorld, str]]
    )
    _chance: random.Random = field(init=False)
    _threads: list[tuple[SlackWorld, str]] = field(default_factory=list[tuple[SlackWorld, str]])

    def __post_init__(self) -> None:
        self._chance = random.Random(self.size.seed)

    async def rage(self) -> None:
        """Ask everything, in as many lives of the service as there are restarts, and one more."""
        lives = self.size.restarts + 1
        for life in range(lives):
            names = [_name(n) for n in range(life, self.size.questions, lives)]
            async with self._service(len(names)) as stage:
                if not self._threads:
                    await self._open(stage)
                async with asyncio.TaskGroup() as tasks:
                    for name in names:
                        tasks.create_task(self._ask(name))
                    tasks.create_task(self._weather(stage))
                await stage.settled(_PATIENCE)

    def faults(self) -> Iterator[str]:
        """Give, in words, everything that should not have happened."""
        shown = [(world, m, m.words) for world in self._worlds for m in world.seen()]
        for name, asked in self.asked.items():
            words = f"Answer {name}."
            found = [(world, m.thread_ts) for world, m, said in shown if words in said]
            if found != [asked]:
                yield f"{name} was answered in {[(w.team, thread) for w, thread in found]}"
        for world in self._worlds:
            yield from (f"{world.team} refused: {each}" for each in world.refusals)
            yield from (f"{world.team} was called too often: {each}" for each in world.over_limit)
            for message in world.seen():
                if message.streaming or not _named(message):
                    yield f"{world.team} has a message without an end: {message.words[:200]}"

    @property
    def calls(self) -> Counter[str]:
        return Counter(method for world in self._worlds for method, _ in world.calls)

    @property
    def _worlds(self) -> list[SlackWorld]:
        return list(self.slack.install.worlds.values())

    def _service(self, questions: int) -> AbstractAsyncContextManager[Stage]:
        return slack_stage(
            self.folder,
            *[_reply] * (4 * questions),
            burst=10_000,
            slack_more=oauth_settings(),
            slack=self.slack,
            clock=FastClock(self.size.times),
        )

    async def _open(self, stage: Stage) -> None:
        """Let workspaces install the app, and begin threads in them."""
        for n in range(self.size.workspaces):
            world = self.slack.install.add(f"T{n + 2}", f"Team {n + 2}")
            world.now = FastClock(self.size.times).monotonic
            await Browser(stage).installs()
            world.names = {f"U{n}": f"Person {n}" for n in range(self.size.people)}
        for n in range(self.size.threads):
            world = self._worlds[n % self.size.workspaces]
            root = self.slack.says("U0", "Let us look at this.", world=world)
            self._threads.append((world, str(root["ts"])))

    async def _ask(self, name: str) -> None:
        """Ask a question, as Slack tells of it: twice, in any order, sometimes again."""
        chance = self._chance
        world, thread = chance.choice(self._threads)
        user = f"U{chance.randrange(self.size.people)}"
        await asyncio.sleep(chance.random() * self.size.questions / 100)
        self.asked[name] = (world, thread)
        event = await self.slack.asks(user, f"question {name}?", world=world, thread_ts=thread)
        for _ in range(chance.choice((0, 0, 1, 2))):
            await self.slack.event(event, world=world, retry=1)
        if chance.random() < 0.2:
            await self._edited(event, world)

    async def _edited(self, event: dict[str, Any], world: SlackWorld) -> None:
        changed = {
            "type": "message",
            "subtype": "message_changed",
            "channel": event["channel"],
            "channel_type": "channel",
            "message": {**event, "text": event["text"] + " please"},
            "previous_message": event,
            "ts": world.next_ts(),
        }
        await self.slack.event(changed, world=world)

    async def _weather(self, stage: Stage) -> None:
        """Let Slack be busy now and then, cut its sockets, and have strangers press what is there.

        It ends by itself; what it meets depends on how fast the machine is.
        """
        for _ in range(6):
            await asyncio.sleep(0.1)
            world = self._chance.choice(self._worlds)
            busy = Failure("ratelimited", retry_after=self._chance.choice((1, 5)))
            world.fail(self._chance.choice(_BUSY), busy)
            seen = [m for m in world.seen() if any(b["action_id"] == "stop" for b in m.buttons())]
            for message in seen[:1]:
                await self.slack.press("U_STRANGER", message.buttons()[0], message, world=world)
        await self.slack.cut()


def _name(number: int) -> str:
    """Return a name without a digit, which would be held against what was read."""
    return "q" + "".join(chr(ord("a") + int(digit)) for digit in str(number)) + "z"


def _named(message: Message) -> bool:
    return "Answer q" in message.words or "the answer is below" in message.words


def _reply(request: ChatRequest) -> ChatReply | str:
    """Answer by the name of the question alone, so that a leak would be seen."""
    texts = [message.text for message in request.messages]
    asked = [name for text in texts for name in _QUESTION.findall(text)]
    if not request.tools:
        return INTENT
    is_read = isinstance(request.messages[-1], ToolMessage)
    return f"Answer {asked[-1]}." if is_read else _TOTAL
