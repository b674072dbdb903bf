"""What Slack needs from the application behind it, as callables that `bot` fulfils."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adapters.slack.calls import SlackCalls
from adapters.slack.identity import Identity
from adapters.slack.places import Card, Place
from adapters.slack.uploads import Uploads
from core.domain.answer import Answer
from core.domain.connection_draft import ConnectionDraft
from core.domain.conversation import Exchange, InboundMessage, Turn
from core.domain.decisions import Decision, DecisionAnswer
from core.domain.ids import ActorId, DecisionId, RunId, ThreadId
from core.domain.people import Actor
from core.domain.people import Place as CorePlace
from core.domain.replies import Reply
from core.domain.view import StepView
from core.ports.file_store import FileStore

Spawn = Callable[[Coroutine[object, object, None], str], None]


class SlackDeclined(Exception):
    """Nothing was done; the text is one sentence for the person who wrote or pressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run that ended, as its buttons need it; one that failed has an answer without anything."""

    question: str
    answer: Answer
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a person thinks of an answer, and in their words what it should have been."""

    run: RunId
    actor: ActorId
    good: bool
    words: str = ""


Complete = Callable[[Turn], Awaitable[Turn]]


class Ask(Protocol):
    """Starts a run; `complete` looks up what the run needs and its first progress does not."""

    async def __call__(
        self, message: InboundMessage, place: Place, user: str, complete: Complete
    ) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackDoors:
    """The way from an event into the application.

    - `ask` starts a run and has it shown in the place; it raises SlackDeclined.
    - `decide` goes on with a run and has it shown where it was asked, whoever decides where. It
      returns the messages in which the question stands, and raises SlackDeclined.
    - `stop` raises SlackDeclined when the run is over or somebody else's.
    - `running` is the run that a thread waits for, None when it waits for none.
    - `waiting` is what a decision asks, None when nothing waits for it any more.
    - `past` is None for a run that is not known or has no answer.
    - `knows` says whether a thread has exchanges; `remember` fills one that has none.
    """

    ask: Ask
    decide: Callable[[DecisionAnswer], Awaitable[tuple[Card, ...]]]
    stop: Callable[[RunId, ActorId], Awaitable[None]]
    running: Callable[[ThreadId], Awaitable[RunId | None]]
    waiting: Callable[[DecisionId], Awaitable[Decision | None]]
    past: Callable[[RunId], Awaitable[PastRun | None]]
    knows: Callable[[ThreadId], Awaitable[bool]]
    remember: Callable[[ThreadId, Sequence[Exchange]], Awaitable[None]]
    feedback: Callable[[Feedback], Awaitable[None]]
    now: Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDoors:
    """The way from a slash command into the application.

    - `run` does what is asked and says how it went, whatever was wrong.
    - `problems` says at once what is wrong with each field of a form.
    - `begin` returns the link behind which the secret of a connection is typed; it raises
      SlackDeclined.
    - `draft` is what was filled in for an attempt; None where it is not known or somebody else's.
    """

    run: Callable[[str, Actor, CorePlace], Awaitable[Reply]]
    problems: Callable[[ConnectionDraft], Mapping[str, str]]
    begin: Callable[[ConnectionDraft, Actor, CorePlace], Awaitable[str]]
    draft: Callable[[str, ActorId], Awaitable[ConnectionDraft | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What all who handle an event share; `spawn` runs work that nobody waits for."""

    doors: SlackDoors
    calls: SlackCalls
    uploads: Uploads
    files: FileStore
    identity: Identity
    spawn: Spawn
