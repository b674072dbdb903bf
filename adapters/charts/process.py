"""One drawing process as the server holds it."""

from __future__ import annotations

import asyncio
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adapters.charts.wire import HEAD, Outcome, Reply, framed

_ROOT = Path(__file__).resolve().parents[2]
_SECONDS_TO_END = 5.0


class ProcessDied(Exception):
    """The process ended; another one may do better."""


@dataclass(slots=True)
class DrawingProcess:
    """Draws one chart at a time.

    A caller who stops waiting leaves a reply behind; it is read and dropped before the next
    request, so that nobody ever gets another one's picture.
    """

    _process: Process
    _requests: StreamWriter
    _replies: StreamReader
    _owed: int = 1  # the first reply says that it is ready
    _length: int | None = None  # of the reply whose head has been read

    @classmethod
    async def start(cls) -> DrawingProcess:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "adapters.charts.worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=_ROOT,
            start_new_session=True,  # a Ctrl-C in the terminal is for the server to handle
        )
        if process.stdin is None or process.stdout is None:
            raise ProcessDied("it has no pipes")
        return cls(process, process.stdin, process.stdout)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def draw(self, request: bytes) -> Reply:
        """Send a chart and wait for what becomes of it.

        Raises:
            ProcessDied: it ended on the way.
        """
        await self.settle()
        self._owed += 1
        try:
            self._requests.write(framed(request))
            await self._requests.drain()
        except OSError as error:
            raise ProcessDied(str(error)) from error
        return await self._reply()

    async def settle(self) -> None:
        """Wait until it is ready for the next chart.

        Raises:
            ProcessDied: it ended, or cannot draw at all; the message says why.
        """
        while self._owed:
            reply = await self._reply()
            if reply.outcome is Outcome.UNABLE:
                raise ProcessDied(reply.body.decode())

    async def _reply(self) -> Reply:
        try:
            if self._length is None:
                head = await self._replies.readexactly(HEAD)
                self._length = int.from_bytes(head, "big")
            message = await self._replies.readexactly(self._length)
        except (OSError, EOFError) as error:
            raise ProcessDied(str(error)) from error
        self._length = None
        self._owed -= 1
        return Reply.unpacked(message)

    async def close(self) -> None:
        """Let it end, and make it end when it does not."""
        self._requests.close()
        try:
            async with asyncio.timeout(_SECONDS_TO_END):
                await self._process.wait()
        except TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
