"""Lets attacks loose on a world, one after the other, and looks at it from outside after each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from core.domain.errors import AnalystError, TemporarilyUnavailable
from tests.kit.fences.attacks import Attack, Outcome, Tried
from tests.kit.patience import PATIENCE, patiently

SECONDS = 0.3
# Without it a way that leads nowhere would stop every attack.
HONEST = "SELECT COUNT(*) FROM customers"

State = Mapping[str, str]
# Sends one text and returns what it told. Whatever it raises means that the text was stopped.
Send = Callable[[str], Awaitable[str]]


class World(Protocol):
    """A database with things in it that an attack may want, seen by its administrator.

    - `state` is everything that must stay as it is: tables, rows, files, settings, logins, locks.
    - `running` are the statements of others than the administrator that run right now.
    - `fitted` puts the world's own directories in the place of those that the corpus names.
    - `restore` brings everything back to how it was made.
    - `canaries` are secrets in it, which no answer may hold.
    """

    @property
    def failures(self) -> tuple[type[BaseException], ...]: ...

    @property
    def canaries(self) -> tuple[str, ...]: ...

    async def state(self) -> State: ...

    async def running(self) -> Sequence[str]: ...

    async def restore(self) -> None: ...

    def fitted(self, sql: str) -> str: ...


async def tried(attacks: Sequence[Attack], send: Send, world: World) -> list[Tried]:
    """Send the attacks one after the other and say what became of each; harm is undone.

    Raises:
        Exception: the way does not even answer an honest query.
    """
    await patiently(lambda: send(HONEST))
    before = await world.state()
    found: list[Tried] = []
    for attack in attacks:
        outcome, words, told = await _sent(world.fitted(attack.sql), send, world)
        runs_on = await _runs_on(world)
        changes = _differences(before, await world.state())
        if changes:
            outcome = Outcome.CHANGED
        if runs_on:
            outcome = Outcome.OUTLIVED
        found.append(Tried(attack=attack, outcome=outcome, words=words, told=told, changes=changes))
        if outcome in {Outcome.CHANGED, Outcome.OUTLIVED}:
            await world.restore()
            before = await world.state()
    return found


async def _sent(sql: str, send: Send, world: World) -> tuple[Outcome, str, str]:
    try:
        return Outcome.ANSWERED, "", await send(sql)
    except TimeoutError as error:
        return Outcome.TIMED_OUT, str(error), ""
    except TemporarilyUnavailable as error:
        stopped = "was stopped after" in error.advice
        return (Outcome.TIMED_OUT if stopped else Outcome.STOPPED), error.advice, ""
    except (AnalystError, *world.failures) as error:
        return Outcome.STOPPED, str(error), ""


async def _runs_on(world: World) -> bool:
    clock = asyncio.get_running_loop().time
    ends_at = clock() + PATIENCE
    while running := await world.running():
        if clock() > ends_at:
            return bool(running)
    return False


def _differences(before: State, after: State) -> dict[str, tuple[str, str]]:
    return {
        part: (before.get(part, ""), after.get(part, ""))
        for part in {*before, *after}
        if before.get(part) != after.get(part)
    }
