"""Who asks, and on whose behalf."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.ids import ActorId, WorkspaceId


class Role(StrEnum):
    """What a person may do in a workspace."""

    ADMIN = "admin"
    ANALYST = "analyst"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The person (or schedule) who asks."""

    id: ActorId
    workspace: WorkspaceId
    name: str
    role: Role = Role.MEMBER
