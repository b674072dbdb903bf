"""What the tabs of the Slack app and its first greeting show: of one person, or for everybody."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from adapters.slack.home import Asked, Examples, HomeDoors, HomeState, Usable
from adapters.slack.places import Place, place_of
from adapters.storage.once import StoredOnce
from bot.connections import DEMO
from bot.turns import Turns
from core.domain.audit import AuditEntry, AuditSearch
from core.domain.errors import ConnectionUnusable, NotPossible
from core.domain.ids import ActorId, ConnectionName, RunId, WorkspaceId
from core.domain.people import Actor
from core.domain.people import Place as CorePlace
from core.domain.rights import Rights
from core.domain.usage import UsageSearch
from core.tools.meta.suggest_questions import examples_of

log = structlog.get_logger()

_DAYS = 30
_MOST_RECENT = 8
_LOOKED_THROUGH = 100
_BETWEEN_GREETINGS = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackHome:
    """Looks things up; opens a connection only where examples from it are wanted."""

    turns: Turns
    once: StoredOnce

    @property
    def doors(self) -> HomeDoors:
        return HomeDoors(
            home=self.home,
            examples=self.examples,
            first=self._first,
            undo=self.once.undo,
        )

    async def home(self, actor: Actor, place: CorePlace) -> HomeState:
        """Return what one person sees."""
        outside, now = self.turns.outside, self.turns.outside.clock.now()
        person = self.turns.permits.directory.described(actor)
        await outside.connections.refresh()
        usable = self.turns.permits.usable(person, place)
        since = now - timedelta(days=_DAYS)
        search = UsageSearch(workspace=actor.workspace, since=since, actor=actor.id)
        used = (await outside.usage.totals(search)).all
        return HomeState(
            connections=tuple(self._usable(name) for name in usable),
            recent=tuple([each async for each in self._recent(actor, since, now)]),
            usage=(
                f"The last {_DAYS} days: {_counted(used.questions, 'question')}, "
                f"{used.tokens:,} tokens, {used.cost_in_words}."
            ),
        )

    async def examples(self, actor: Actor | None, place: Place, count: int) -> Examples | None:
        """Return questions for a place; without a person, such as nobody there is barred from."""
        turns, here = self.turns, place.as_said
        thread = place.thread_id if place.thread else None
        chosen = await turns.connection_here(place.workspace, here, thread)
        person = turns.permits.directory.described(actor or _anybody(place.workspace))
        usable = turns.permits.usable(person, here)
        # Among others than the one that is asked here, the made-up one comes last.
        others = sorted(usable, key=lambda name: name == DEMO) if actor else ()
        name = chosen if chosen in usable else next(iter(others), None)
        if name is None:
            return None
        settings = turns.outside.connections.known[name]
        questions: tuple[str, ...] = ()
        try:
            found = await turns.outside.connections.get(name)
            questions = tuple(asked for asked, _ in examples_of(found.catalog, count=count))
        except ConnectionUnusable as error:
            log.warning("no_examples", connection=name, reason=str(error))
        return Examples(connection=name, description=settings.description, questions=questions)

    async def _first(self, deed: str) -> bool:
        return await self.once.first(deed, within=_BETWEEN_GREETINGS)

    def _usable(self, name: ConnectionName) -> Usable:
        connections = self.turns.outside.connections
        settings = connections.known[name]
        return Usable(
            name=name,
            description=settings.description,
            facts=tuple(self._facts(name, settings.rights)),
        )

    def _facts(self, name: ConnectionName, rights: Rights) -> Iterator[str]:
        found = self.turns.outside.connections.opened(name)
        if found is not None:
            yield str(found.connection.dialect)
        yield who_may(rights)
        if found is None:
            yield "not read yet: the first question opens it"
        else:
            tables = _counted(len(found.catalog.tables), "table")
            age = self.turns.outside.clock.monotonic() - found.inspected_at
            yield f"{tables}, looked through {_ago(timedelta(seconds=age))}"

    async def _recent(self, actor: Actor, since: datetime, now: datetime) -> AsyncIterator[Asked]:
        search = AuditSearch(workspace=actor.workspace, actor=actor.id, since=since)
        entries = await self.turns.outside.audit.entries(search, at_most=_LOOKED_THROUGH)
        left = _MOST_RECENT
        for entry in _one_a_question(entries):
            place = place_of(entry.thread)
            if place is None or not await self._is_kept(entry.run):
                continue
            about = f"{_ago(now - entry.at)}, {entry.connection}"
            yield Asked(question=entry.question, about=about, place=place)
            left -= 1
            if not left:
                return

    async def _is_kept(self, run: RunId) -> bool:
        """Say whether the log of runs knows it still: what has left is not shown again."""
        try:
            async for _ in self.turns.outside.run_log.follow(run):
                return True
        except NotPossible:
            return False
        return False


def who_may(rights: Rights) -> str:
    """Say who may ask a connection, without naming people or channels."""
    groups = sorted(each for each in rights.people if each.startswith("@"))
    alone = len(rights.people) - len(groups)
    people = [*groups, *([_counted(alone, "person", "people")] if alone else [])]
    who = f"for {', '.join(people)}" if people else "for everybody"
    return f"{who}, in some places" if rights.places else who


def _one_a_question(entries: tuple[AuditEntry, ...]) -> Iterator[AuditEntry]:
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        key = (entry.thread, entry.question)
        if entry.run and key not in seen:
            seen.add(key)
            yield entry


def _anybody(workspace: WorkspaceId) -> Actor:
    return Actor(id=ActorId(""), workspace=workspace, name="")


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def _ago(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    for size, word in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{_counted(minutes // size, word)} ago"
    return "just now"
