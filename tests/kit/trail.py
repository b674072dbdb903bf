"""An audit trail for tests: on behalf of Ann, into a log in memory."""

from datetime import UTC, datetime

from adapters.inmemory.audit_log import InMemoryAuditLog
from adapters.inmemory.clock import InMemoryClock
from core.domain.conversation import Turn
from core.domain.ids import ActorId, ConnectionName, RunId, ThreadId, TurnId, WorkspaceId
from core.domain.people import Actor
from core.ports.audit_log import AuditLog
from core.sql.audit_trail import AuditTrail

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
TURN = Turn(
    id=TurnId("t"),
    run=RunId("r"),
    thread=ThreadId("here"),
    actor=Actor(id=ActorId("ann"), workspace=WorkspaceId("acme"), name="Ann"),
    question="how many?",
    asked_at=NOW,
)


def trail(log: AuditLog | None = None, *, decided_by: ActorId | None = None) -> AuditTrail:
    """Return a trail of one turn; its entries are in `log`."""
    return AuditTrail(
        log=log or InMemoryAuditLog(),
        turn=TURN,
        connection=ConnectionName("shop"),
        clock=InMemoryClock(NOW),
        decided_by=decided_by,
    )
