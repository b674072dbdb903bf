"""The child's side: opens one database and answers one question after another.

It imports little, since it is started while somebody waits.
"""

import asyncio
import gc
import os
import resource
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from shutil import rmtree
from typing import Protocol

from adapters.warehouses.child.frames import encode, receive
from adapters.warehouses.child.messages import (
    Ask,
    Ended,
    Failed,
    Fault,
    Message,
    Open,
    Opened,
)
from adapters.warehouses.parts import Heads, Parts, Rows
from adapters.warehouses.sizes import FIRST_ROWS, weight
from core.domain.table import Row

_SECONDS_BETWEEN_INTERRUPTS = 0.02
_HELD_BYTES = 16 * 1024
_LARGEST_TEMPORARY_FILE = 4 * 1024 * 1024 * 1024


class EngineFailure(Exception):
    """The engine did not do it."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(words)
        self.fault = fault
        self.words = words


class Engine(Protocol):
    """One open database.

    - `answer` gives Heads, then Rows; it raises EngineFailure and nothing else on purpose.
    - `interrupt` makes a running `answer` end soon, if the engine listens; it never blocks.
    """

    def answer(self, ask: Ask) -> Parts: ...

    def interrupt(self) -> None: ...


Opener = Callable[[Open], Awaitable[Engine]]
Sender = Callable[[Message], Awaitable[None]]


async def serve(opener: Opener, reader: asyncio.StreamReader, send: Sender) -> None:
    """Open what the first message names and answer until the parent closes the pipe."""
    opening = next(iter(await receive(reader)), None)
    if not isinstance(opening, Open):
        return
    try:
        engine = await opener(opening)
    except EngineFailure as failure:
        await send(Failed(failure.fault, failure.words))
        return
    await send(Opened())
    await _answer_all(engine, reader, send)


async def _answer_all(engine: Engine, reader: asyncio.StreamReader, send: Sender) -> None:
    # What goes wrong unexpectedly in an answer ends the group, and with it the process.
    async with asyncio.TaskGroup() as answers:
        answer: asyncio.Task[None] | None = None
        while messages := await receive(reader):
            for message in messages:
                if isinstance(message, Ask):
                    if answer is not None:
                        await answer
                    answer = answers.create_task(_answer(engine, message, send))
                elif answer is not None:
                    answers.create_task(_interrupt(engine, answer))
        if answer is not None:
            answer.cancel()


async def _interrupt(engine: Engine, answer: asyncio.Task[None]) -> None:
    # An interrupt that comes before the engine has begun is lost, so it is told again.
    while not answer.done():
        engine.interrupt()
        await asyncio.wait({answer}, timeout=_SECONDS_BETWEEN_INTERRUPTS)


async def _answer(engine: Engine, ask: Ask, send: Sender) -> None:
    try:
        async with aclosing(engine.answer(ask)) as parts:
            async for part in parts:
                await send(part)
        await send(Ended())
    except EngineFailure as failure:
        await send(Failed(failure.fault, failure.words))
    except MemoryError:
        await send(Failed(Fault.REJECTED, "out of memory: the query needs more than it may use"))


def run(opener: Opener) -> None:
    """Be a child process: serve on standard input and output until the parent is gone."""
    # Whatever a library prints must not end up between the frames.
    frames_out = os.dup(1)
    os.dup2(2, 1)
    # Rows are no rubbish: looking for it among them would take a tenth of the time.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    asyncio.run(_serve_on_pipes(opener, frames_out))


async def _serve_on_pipes(opener: Opener, frames_out: int) -> None:
    loop = asyncio.get_running_loop()
    opened: list[Open] = []
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: _EndsWithParent(reader, opened), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(frames_out, "wb")
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)

    held: list[Message] = []

    async def send(message: Message) -> None:
        # What belongs together goes together: each waking of the parent costs as much as the rows.
        held.append(message)
        if isinstance(message, Heads) or (isinstance(message, Rows) and _are_few(message.rows)):
            return
        writer.write(encode(*held))
        held.clear()
        await writer.drain()

    async def open_here(opening: Open) -> Engine:
        opened.append(opening)
        return await opener(opening)

    try:
        await serve(open_here, reader, send)
    finally:
        _leave(opened)


def _are_few(rows: Sequence[Row]) -> bool:
    """Say whether the rows are a small piece, as the last one mostly is."""
    return len(rows) < FIRST_ROWS and weight(rows) < _HELD_BYTES


class _EndsWithParent(asyncio.StreamReaderProtocol):
    """Ends the process when the parent closes the pipe, whatever the engine is doing."""

    def __init__(self, reader: asyncio.StreamReader, opened: Sequence[Open]) -> None:
        super().__init__(reader)
        self._opened = opened

    def eof_received(self) -> bool:
        _leave(self._opened)
        return False


def _leave(opened: Sequence[Open]) -> None:
    error = sys.exception()
    if error is not None:
        traceback.print_exception(error)
    for opening in opened:
        rmtree(opening.scratch, ignore_errors=True)
    sys.stderr.flush()
    # A thread that hangs inside the engine would keep the interpreter from ending.
    os._exit(0 if error is None else 1)


def limit_memory(memory_bytes: int) -> None:
    """Bound what this process may hold in memory and write in one temporary file."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_TEMPORARY_FILE, _LARGEST_TEMPORARY_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
