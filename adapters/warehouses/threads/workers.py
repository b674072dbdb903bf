"""Threads that do not keep a process alive: a driver that never comes back ends with it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")


@dataclass(slots=True)
class Workers:
    """At most so many threads; they start when they are needed."""

    name: str
    most: int
    _waiting: SimpleQueue[Callable[[], None] | None] = field(
        default_factory=SimpleQueue["Callable[[], None] | None"]
    )
    _started: int = 0

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Have a thread do this, after what was submitted before where all of them are busy."""
        future: Future[_T] = Future()
        self._waiting.put(lambda: _do(work, future))
        if self._started < self.most:
            self._started += 1
            # The interpreter waits at its end for every thread that is not a daemon.
            Thread(target=self._work, name=f"{self.name}_{self._started}", daemon=True).start()
        return future

    def shutdown(self) -> None:
        """Let the threads end when what was submitted is done; nobody waits for them."""
        for _ in range(self._started):
            self._waiting.put(None)

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None:
            work()


def _do(work: Callable[[], _T], future: Future[_T]) -> None:
    if future.set_running_or_notify_cancel():
        with _Told(future):
            future.set_result(work())


@dataclass(frozen=True, slots=True)
class _Told:
    """Whatever is raised concerns whoever waits for the future, and never the thread."""

    future: Future[Any]

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if error is not None:
            self.future.set_exception(error)
        return True
