"""Who may do what: use a connection, decide about a query, hear what a thread has learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.connections import Connections
from bot.settings import Settings
from core.domain.conversation import Exchange, Thread, Turn
from core.domain.decisions import Approval, DecisionAnswer
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ActorId, ConnectionName, WorkspaceId
from core.domain.paused import PausedRun
from core.domain.people import Actor, Place, Role


class NotAllowed(Exception):
    """Somebody may not do this; the text is one sentence for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """What the settings say about people: their roles and the groups that they are in."""

    roles: Mapping[ActorId, Role] = field(default_factory=dict[ActorId, Role])
    groups: Mapping[str, frozenset[ActorId]] = field(default_factory=dict[str, frozenset[ActorId]])

    @classmethod
    def of(cls, settings: Settings) -> Directory:
        analysts = dict.fromkeys(map(ActorId, settings.people.analysts), Role.ANALYST)
        admins = dict.fromkeys(map(ActorId, settings.people.admins), Role.ADMIN)
        groups = {
            name: frozenset(map(ActorId, members)) for name, members in settings.groups.items()
        }
        return cls(roles={**analysts, **admins}, groups=groups)

    def described(self, actor: Actor) -> Actor:
        """Return a person with the role and the groups that the settings give them."""
        groups = tuple(name for name, members in self.groups.items() if actor.id in members)
        return replace(actor, role=self.roles.get(actor.id, actor.role), groups=groups)

    def person(self, actor: ActorId, workspace: WorkspaceId) -> Actor:
        """Return what is known of a person of whom there is only an id."""
        return self.described(Actor(id=actor, workspace=workspace, name=actor))


@dataclass(frozen=True, slots=True, kw_only=True)
class Permits:
    """Holds the rights of connections against who asks, and where."""

    connections: Connections
    directory: Directory = field(default_factory=Directory)

    def check_use(self, turn: Turn, connection: ConnectionName) -> None:
        """Let a turn use a connection.

        Raises:
            NotAllowed: not this person, or not in this place.
            ConnectionUnusable: there is none of that name.
        """
        if self.connections.is_gone(connection):
            raise ConnectionUnusable(
                f"There is no connection {connection!r}.{self._instead(turn)} A channel that used "
                f"it is given another one with the command: use NAME."
            )
        refusal = self._refusal(turn.actor, turn.place, connection)
        if refusal:
            raise NotAllowed(self._in_words(turn, connection, refusal))

    def only_in_private(self, actor: Actor, place: Place, connection: ConnectionName) -> bool:
        """Say whether this person may hear of a connection where they ask, but nobody else."""
        rights = self.connections.rights(connection)
        person = self.directory.described(actor)
        return rights is not None and rights.only_in_private(person, place)

    def check_decision(self, paused: PausedRun, answer: DecisionAnswer) -> None:
        """Let a person decide about a run that waits.

        Raises:
            NotAllowed: it is for the one who asked, or for approvers; or the connection that it
                was asked about is another one now.
        """
        if self.connections.is_newer(paused.connection, paused.turn.asked_at):
            raise NotAllowed(
                f"{paused.connection} was connected anew since this was asked. Please ask again."
            )
        asker = paused.turn.actor
        if answer.actor == asker.id:
            return
        if not isinstance(paused.decision, Approval):
            raise NotAllowed(f"Only {_named(asker)} can answer this.")
        rights = self.connections.rights(paused.connection)
        person = self.directory.person(answer.actor, asker.workspace)
        if rights is None or not rights.may_approve(person):
            raise NotAllowed(
                f"Only {_named(asker)} or an approver of {paused.connection} can decide this."
            )

    def approvers(self, connection: ConnectionName, asker: Actor) -> tuple[ActorId, ...]:
        """Return who of the asker's workspace may approve their queries, as far as it is named."""
        rights, directory = self.connections.rights(connection), self.directory
        if rights is None:
            return ()
        grouped = frozenset[ActorId]().union(*directory.groups.values())
        named = grouped.union(directory.roles, map(ActorId, rights.approvers))
        return tuple(
            id
            for id in sorted(named)
            if id != asker.id
            and id.startswith(f"{asker.workspace}:")
            and rights.may_approve(directory.person(id, asker.workspace))
        )

    def usable(self, actor: Actor, place: Place) -> tuple[ConnectionName, ...]:
        """Return the connections that somebody may use in a place."""
        return tuple(
            name for name in self.connections.known if not self._refusal(actor, place, name)
        )

    def heard(self, thread: Thread, turn: Turn) -> Thread:
        """Return what of a thread this person may hear: others may have had other rights."""
        usable = set(self.usable(turn.actor, turn.place))

        def may_hear(exchange: Exchange) -> bool:
            connection = ConnectionName(exchange.answer.connection)
            return not connection or connection in usable

        return replace(thread, exchanges=tuple(filter(may_hear, thread.exchanges)))

    def _refusal(self, actor: Actor, place: Place, connection: ConnectionName) -> str:
        rights = self.connections.rights(connection)
        return rights.refusal(actor, place) if rights is not None else ""

    def _in_words(self, turn: Turn, connection: ConnectionName, refusal: str) -> str:
        return (
            f"I may not read {connection} for you: {refusal}. Ask whoever looks after it."
            f"{self._instead(turn)}"
        )

    def _instead(self, turn: Turn) -> str:
        others = ", ".join(self.usable(turn.actor, turn.place))
        return f" Here you may ask: {others}." if others else ""


def _named(asker: Actor) -> str:
    # The page and the terminal call their reader so; to anybody else it is somebody.
    return "the person who asked" if asker.name == "You" else f"{asker.name}, who asked,"
