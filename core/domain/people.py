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
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is asked: a platform by its own word, and a channel of it where it has them.

    Written as "slack:C0123", or as "page" alone.

    workspace: the platform's own id of the workspace that the channel is in
    shared: others than the one who asks may read what is said there
    adapts: of several pictures of a chart it shows each reader the one that fits their screen
    """

    platform: str = ""
    channel: str = ""
    workspace: str = ""
    shared: bool = False
    adapts: bool = False

    def __str__(self) -> str:
        return f"{self.platform}:{self.channel}" if self.channel else self.platform
