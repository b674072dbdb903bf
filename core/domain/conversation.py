"""A thread, its turns, and what comes in from outside."""

from dataclasses import dataclass, field
from datetime import datetime

from core.domain.answer import Answer
from core.domain.ids import ConnectionName, FileId, MessageId, RunId, ThreadId, TurnId
from core.domain.people import Actor, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that the actor sent along."""

    id: FileId
    name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessage:
    """One message of a person, whatever platform it came through.

    `model` is the name of the model that is to answer, "" for the one that is set.
    """

    id: MessageId
    thread: ThreadId
    actor: Actor
    text: str
    sent_at: datetime
    connection: ConnectionName | None = None
    attachments: tuple[Attachment, ...] = ()
    place: Place = field(default_factory=Place)
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message and everything done to answer it; a paused turn has several runs."""

    id: TurnId
    run: RunId
    thread: ThreadId
    actor: Actor
    question: str
    asked_at: datetime
    place: Place = field(default_factory=Place)
    model: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A finished turn as the next one remembers it."""

    question: str
    asked_by: Actor
    answer: Answer
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation in one place; `exchanges` oldest first, at most the last ten."""

    id: ThreadId
    exchanges: tuple[Exchange, ...] = ()
