"""The child processes in which files are read, seen from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

_SECONDS_OF_WORK = 0.05
_DATABASES = (".db", ".duckdb", ".sqlite")
_WORKS = {"R", "D"}
_MODULES = ("adapters.warehouses.", "tests.kit.fences.")


async def kill_children() -> None:
    """Kill every child there is, whatever it does, once there is one."""
    found = list[psutil.Process]()
    while not found:
        await asyncio.sleep(0.01)
        found = [child for child, _ in _children()]
    for each in found:
        each.kill()


async def kill_the_reading() -> None:
    """Kill the child that reads, and the one in which its question is then begun again."""
    for _ in range(2):
        for each in await until_one_works():
            each.kill()
            await asyncio.to_thread(each.wait)


async def until_one_works() -> list[psutil.Process]:
    """Wait until a child spends CPU on a database that it has opened; return those that do."""
    before: dict[int, float] = {}
    while True:
        found = [
            child
            for child, spent in _children()
            if _has_opened(child) and spent - before.setdefault(child.pid, spent) > _SECONDS_OF_WORK
        ]
        if found:
            return found
        await asyncio.sleep(0.01)


def _has_opened(child: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return any(each.path.endswith(_DATABASES) for each in child.open_files())
    return False


def at_work() -> list[psutil.Process]:
    """Return the children of which a thread runs right now, where the system tells of threads."""
    return [child for child, _ in _children() if _WORKS & set(_states(child))]


def _states(child: psutil.Process) -> Iterator[str]:
    """Give the state of every thread as a letter; of the first alone where that is all we get."""
    try:
        threads = [*Path(f"/proc/{child.pid}/task").iterdir()]
        for each in threads:
            yield (each / "stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        with suppress(psutil.NoSuchProcess):
            yield "R" if child.status() in {"running", "disk-sleep"} else "S"


def _children() -> Iterator[tuple[psutil.Process, float]]:
    """Give the living ones, each with the seconds of CPU that it has spent."""
    for child in psutil.Process().children():
        try:
            if any(word.startswith(_MODULES) for word in child.cmdline()):
                spent = child.cpu_times()
                yield child, spent.user + spent.system
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
