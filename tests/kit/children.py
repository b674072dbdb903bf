"""The child processes in which files are read, seen from outside."""

from __future__ import annotations

import asyncio

import psutil

_WORKS = {psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP}


def children(*, working: bool) -> list[psutil.Process]:
    """Return the children that live, or only those that do not just wait for work."""
    wanted = _WORKS if working else {*_WORKS, psutil.STATUS_SLEEPING}
    return [each for each in psutil.Process().children() if _status(each) in wanted]


async def kill_children(*, working: bool) -> None:
    """Wait until there is such a child, and kill all of them."""
    while not (found := children(working=working)):
        await asyncio.sleep(0)
    for each in found:
        each.kill()


def _status(process: psutil.Process) -> str:
    try:
        return process.status()
    except psutil.NoSuchProcess:
        return psutil.STATUS_DEAD
