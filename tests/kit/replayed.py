"""Drivers of cloud services, played from what they would give; strict about what they are asked.

A statement that no answer was written down for fails the test, and so does a call that the real
driver does not have: `tests/adapters/warehouses/test_driver_calls.py` holds the calls against the
real ones where they are installed.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import pytest

Rows = Sequence[Sequence[object]]


class DriverError(Exception):
    """What a driver raises; `errno`, `code` and the like are set by the test."""


@dataclass(frozen=True)
class Answer:
    """What is given to a statement that matches: columns with the driver's types, and rows."""

    pattern: str
    columns: Sequence[tuple[str, object]] = ()
    rows: Rows = ()
    error: Exception | None = None
    waits: bool = False


@dataclass
class Tape:
    """What is answered, and what was asked.

    `cancelled` is set once a query is to end, `endless`
    queries are still running whenever their status is asked for.
    """

    answers: list[Answer] = field(default_factory=list[Answer])
    asked: list[str] = field(default_factory=list[str])
    connected: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    closed: int = 0
    endless: bool = False
    cancelled: threading.Event = field(default_factory=threading.Event)
    running: threading.Event = field(default_factory=threading.Event)

    def answer(self, statement: str) -> Answer:
        self.asked.append(" ".join(statement.split()))
        found = next((a for a in self.answers if re.search(a.pattern, statement, re.DOTALL)), None)
        assert found is not None, f"nothing was written down for: {statement}"
        if found.waits:
            self.running.set()
            assert self.cancelled.wait(10), "nobody cancelled"
            raise DriverError("57014", "cancelled")
        if found.error is not None:
            raise found.error
        return found


@dataclass
class ReplayedCursor:
    tape: Tape
    description: list[tuple[object, ...]] | None = None
    _rows: Iterator[Sequence[object]] = field(default_factory=lambda: iter(()))

    def execute(self, operation: str) -> ReplayedCursor:
        self.play(self.tape.answer(operation))
        return self

    def play(self, answer: Answer) -> None:
        self.description = [
            (*each, None, None, None, None, None) for each in answer.columns
        ] or None
        self._rows = iter(answer.rows)

    def fetchmany(self, size: int) -> list[Sequence[object]]:
        return [row for _, row in zip(range(size), self._rows, strict=False)]

    def cancel(self) -> None:
        self.tape.cancelled.set()

    def close(self) -> None:
        self.description = None


@dataclass
class SnowflakeCursor(ReplayedCursor):
    """Gives a query an id, its columns only once something was read."""

    sfqid: str | None = None
    _answer: Answer | None = None

    def execute_async(self, command: str, *, num_statements: int) -> dict[str, str]:
        assert num_statements == 1
        self.sfqid = f"query-{len(self.tape.asked)}"
        self._answer = self.tape.answer(command)
        return {"queryId": self.sfqid}

    def get_results_from_sfqid(self, sfqid: str) -> None:
        assert sfqid == self.sfqid
        self.description = None

    def fetchmany(self, size: int) -> list[Sequence[object]]:
        if self._answer is not None:
            self.play(self._answer)
            self._answer = None
        return super().fetchmany(size)

    def abort_query(self, qid: str) -> bool:
        self.tape.asked.append(f"abort {qid}")
        self.tape.cancelled.set()
        return True


@dataclass
class ReplayedConnection:
    tape: Tape
    cursor_class: Callable[[Tape], ReplayedCursor] = ReplayedCursor
    autocommit: bool = False
    timeout: int = 0
    statuses: int = 2

    def cursor(self) -> ReplayedCursor:
        return self.cursor_class(self.tape)

    def rollback(self) -> None:
        self.tape.asked.append("rollback()")

    def get_query_status_throw_if_error(self, sf_qid: str) -> str:
        self.statuses -= 1
        self.tape.running.set()
        return "RUNNING" if self.statuses > 0 or self.tape.endless else "SUCCESS"

    def is_still_running(self, status: str) -> bool:
        return status == "RUNNING"

    def close(self) -> None:
        self.tape.closed += 1


def installed(
    monkeypatch: pytest.MonkeyPatch,
    tape: Tape,
    modules: Mapping[str, Mapping[str, object]],
    *,
    cursor: Callable[[Tape], ReplayedCursor] = ReplayedCursor,
) -> None:
    """Put a driver in the place of the real one; the first module of them connects."""

    def connect(*args: object, **options: object) -> ReplayedConnection:
        tape.connected.append((args, options))
        return ReplayedConnection(tape, cursor_class=cursor)

    for at, (name, content) in enumerate(modules.items()):
        module = ModuleType(name)
        module.__dict__.update(content)
        if at == 0:
            module.__dict__["connect"] = connect
        monkeypatch.setitem(sys.modules, name, module)
