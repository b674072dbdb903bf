"""What a state database is to the stores: it runs jobs, each in a transaction.

A job is a plain function of a transaction, so that one spelling of it serves every engine: in a
thread of its own for SQLite, inside of SQLAlchemy's asyncio bridge for PostgreSQL. Statements are
written in the SQL that both read, with values by name (`:name`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

Value = None | int | float | str
Record = Sequence[Any]
Result = TypeVar("Result")


class Transaction(Protocol):
    """One transaction: kept when its job returns, undone when it raises."""

    def execute(self, statement: str, **values: Value) -> Sequence[Record]:
        """Run one statement and return its rows."""
        ...


class Database(Protocol):
    """Jobs may come at any time, also several at once. `place` says where it is, without a secret.

    - `run` returns what the job returned once its changes are kept for good, and raises what it
      raised. A job may be run a second time when the first one was undone.
    - It raises StateUnusable when the database cannot be opened, reached or written to.
    - It opens the database, and brings its tables up to date, with the first job.
    """

    @property
    def place(self) -> str: ...

    async def run(self, job: Callable[[Transaction], Result]) -> Result: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Only:
    """The job that is one statement: it needs no transaction around it."""

    statement: str
    values: Mapping[str, Value]

    def __call__(self, transaction: Transaction) -> Sequence[Record]:
        return transaction.execute(self.statement, **self.values)


def only(statement: str, **values: Value) -> Only:
    """Return the job that is this one statement."""
    return Only(statement, values)


def moment(at: datetime) -> str:
    """Return a moment as text that sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
