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

    `model` is the name of the model that is to answer, "" for the one that is set. `reply_to` is
    where the answer goes, in the platform's own words; "" where whoever asks follows the run.
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
    reply_to: str = ""


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
class AnswerDue:
    """A turn whose answer is owed: where it goes, and what stands there, in a platform's words."""

    turn: Turn
    reply_to: str
    standing: str


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
