"""What is written down of every query, every decision and every refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.conversation import Turn
from core.domain.ids import ActorId, ConnectionName, QueryHash, RunId, ThreadId, WorkspaceId
from core.domain.people import Actor, Place
from core.domain.query import CostEstimate


class Deed(StrEnum):
    """What happened: a query, a word about one, a person sent away, a change of connections."""

    RAN = "ran"
    FAILED = "failed"
    STOPPED = "stopped"
    APPROVAL_ASKED = "approval_asked"
    APPROVED = "approved"
    CHEAPER_WANTED = "cheaper_wanted"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    TURNED_AWAY = "turned_away"
    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Written once, never changed.

    actor, actor_name: on whose behalf; the person who asked
    sql, query_hash: what ran or was to run, as the database gets it
    rows, seconds: what a query that ran gave, and took
    estimate: what it was expected to read, where it was estimated
    decided_by: who approved the query, or decided about it
    note: what else there is to say, in a few words
    """

    at: datetime
    deed: Deed
    actor: ActorId
    actor_name: str
    workspace: WorkspaceId
    place: Place = field(default_factory=Place)
    thread: ThreadId
    run: RunId
    connection: ConnectionName
    question: str
    sql: str = ""
    query_hash: QueryHash | None = None
    rows: int | None = None
    seconds: float | None = None
    estimate: CostEstimate | None = None
    decided_by: ActorId | None = None
    note: str = ""

    @classmethod
    def of(cls, turn: Turn, connection: ConnectionName, *, at: datetime, deed: Deed) -> AuditEntry:
        """Begin an entry about a turn; `replace` adds the rest."""
        return cls(
            at=at,
            deed=deed,
            actor=turn.actor.id,
            actor_name=turn.actor.name,
            workspace=turn.actor.workspace,
            place=turn.place,
            thread=turn.thread,
            run=turn.run,
            connection=connection,
            question=turn.question,
        )

    @classmethod
    def of_change(
        cls,
        deed: Deed,
        connection: ConnectionName,
        *,
        at: datetime,
        actor: Actor,
        place: Place,
        said: str,
    ) -> AuditEntry:
        """Begin an entry about a change of connections, which belongs to no run."""
        return cls(
            at=at,
            deed=deed,
            actor=actor.id,
            actor_name=actor.name,
            workspace=actor.workspace,
            place=place,
            thread=ThreadId(""),
            run=RunId(""),
            connection=connection,
            question=said,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSearch:
    """Which entries are wanted; what is not given does not matter.

    since, until: from this moment on, and before that one
    """

    workspace: WorkspaceId | None = None
    actor: ActorId | None = None
    connection: ConnectionName | None = None
    deed: Deed | None = None
    since: datetime | None = None
    until: datetime | None = None
