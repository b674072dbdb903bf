"""What turns have used, and what that comes to by person and by place."""

from dataclasses import dataclass, field
from datetime import datetime

from core.domain.ids import ActorId, ConnectionName, TurnId, WorkspaceId
from core.domain.people import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """What one turn has used; a turn that paused in between has several.

    tokens: what the model read and wrote
    usd: what that cost, where a price is known; `unpriced` says that some of it has none
    """

    at: datetime
    turn: TurnId
    actor: ActorId
    actor_name: str
    workspace: WorkspaceId
    place: Place = field(default_factory=Place)
    connection: ConnectionName
    tokens: int = 0
    usd: float = 0.0
    unpriced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSearch:
    """Which turns are wanted: those of a workspace from a moment on, where given of one person."""

    workspace: WorkspaceId
    since: datetime
    actor: ActorId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLine:
    """`name` is whose or where, by the name that it was last known under."""

    name: str
    questions: int
    tokens: int
    usd: float
    unpriced: bool = False

    @property
    def cost_in_words(self) -> str:
        """Say what all of it cost, as far as that is known."""
        known = f"${self.usd:,.2f}"
        if not self.unpriced:
            return known
        return f"at least {known}" if self.usd else "cost not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageTotals:
    """All together, and those with most questions first by person and by place."""

    all: UsageLine
    people: tuple[UsageLine, ...]
    places: tuple[UsageLine, ...]
