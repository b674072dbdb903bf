"""The parent's side: a child process that can be stopped, and killed when it does not listen."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from adapters.warehouses.allowance import Allowance
from adapters.warehouses.child.frames import encode, receive
from adapters.warehouses.child.messages import (
    Ask,
    Ended,
    Failed,
    Fault,
    Message,
    Open,
    Opened,
    Stop,
)
from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Heads, Parts, Rows
from core.domain.errors import AnalystError, QueryRejected, TemporarilyUnavailable

_SECONDS_TO_START = 30.0
_SECONDS_TO_STOP = 0.3
_PIPE = 1024 * 1024
_BUFFERED = 2 * 1024 * 1024
_ROOT = str(Path(__file__).resolve().parents[3])


class ChildDied(QueryRejected):
    """The process has ended in the middle of an answer, or before it."""

    def __init__(self) -> None:
        super().__init__(
            "The database process ended while it ran this query; it may have needed too much"
            " memory. Ask for less: fewer rows, or a narrower filter."
        )


@dataclass(slots=True, eq=False)
class Child:
    """One process with one open database; answers one question at a time."""

    process: asyncio.subprocess.Process
    scratch: str
    _come: deque[Message] = field(default_factory=deque[Message])
    _answering: bool = field(default=False)
    _killed: bool = field(default=False)

    @classmethod
    async def start(cls, module: str, opening: Open) -> Child:
        """Start `module` as a process and have it open its database.

        Raises:
            TemporarilyUnavailable, QueryRejected: it could not.
        """
        scratch = mkdtemp(prefix="resona-")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_BUFFERED,
            pipesize=_PIPE,
            # The child gets no secret of this process, and finds the same packages.
            env={
                "PYTHONPATH": os.pathsep.join(filter(None, (_ROOT, *sys.path))),
                "LC_ALL": "C.UTF-8",
                "SQLITE_TMPDIR": scratch,
            },
        )
        child = cls(process, scratch)
        opened = False
        try:
            await child._open(replace(opening, scratch=scratch))
            opened = True
        finally:
            if not opened:
                await child.end()
        return child

    async def _open(self, opening: Open) -> None:
        await self._send(opening)
        match await self._receive_within(Allowance(_SECONDS_TO_START)):
            case Opened():
                return
            case Failed(fault, words):
                raise failure(fault, words)
            case _:
                raise TemporarilyUnavailable("The database process did not start. Try again.")

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None

    async def answer(self, ask: Ask, allowance: Allowance) -> Parts:
        """Give the parts of an answer; of the allowance goes what is spent waiting for the child.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        self._answering = True
        await self._send(ask)
        while True:
            part = await self._receive_within(allowance)
            match part:
                case Heads() | Rows():
                    yield part
                case Failed(fault, words):
                    self._answering = False
                    raise failure(fault, words)
                case Ended():
                    self._answering = False
                    return
                case _:
                    raise ChildDied

    async def settle(self) -> bool:
        """End an answer that nobody reads any more; False when only a kill could."""
        if not self._answering:
            return self.is_alive
        settled = False
        try:
            async with asyncio.timeout(_SECONDS_TO_STOP):
                await self._send(Stop())
                while self._answering:
                    self._answering = isinstance(await self._receive(), Heads | Rows)
            settled = self.is_alive
        except TimeoutError:
            settled = False
        finally:
            if not settled:
                self.kill()
        return settled

    def kill(self) -> None:
        # A second signal could take the exit code away from the loop, which waits for it.
        if self.is_alive and not self._killed:
            self._killed = True
            with suppress(ProcessLookupError):
                self.process.kill()

    async def end(self) -> None:
        """Kill it, wait until it is gone, and remove what it put aside on disk."""
        self.kill()
        await self.process.wait()
        await asyncio.to_thread(rmtree, self.scratch, ignore_errors=True)

    async def _send(self, message: Message) -> None:
        stdin = self.process.stdin
        if stdin is None:
            raise TemporarilyUnavailable("The database process takes no questions. Try again.")
        with suppress(ConnectionError):
            stdin.write(encode(message))
            await stdin.drain()

    async def _receive(self) -> Message | None:
        stdout = self.process.stdout
        if not self._come and stdout is not None:
            self._come.extend(await receive(stdout))
        return self._come.popleft() if self._come else None

    async def _receive_within(self, allowance: Allowance) -> Message | None:
        if self._come:
            return self._come.popleft()
        try:
            return await allowance.spend(self._receive())
        except TimeoutError as error:
            raise too_slow(allowance.of) from error


def failure(fault: Fault, words: str) -> AnalystError:
    """Return the error that the core knows for what a child reported."""
    match fault:
        case Fault.REJECTED:
            return QueryRejected(words)
        case Fault.UNUSABLE | Fault.BUSY | Fault.STOPPED:
            return TemporarilyUnavailable(words)
