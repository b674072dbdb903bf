"""Brings the tables of a state database up to date, step by numbered step.

A step is a file `NNNN_name.sql`, or `NNNN_name.<engine>.sql` where engines differ; its statements
stand apart by an empty line. Steps are never changed after they were released: a later one mends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from adapters.storage.database import Transaction
from core.domain.errors import StateUnusable

_FOLDER = Path(__file__).parent / "migrations"
_WORDS = {
    "sqlite": {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "compact": "WITHOUT ROWID"},
    "postgres": {"serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "compact": ""},
}


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the tables."""

    number: int
    name: str
    statements: tuple[str, ...]


@cache
def steps_for(engine: str) -> tuple[Step, ...]:
    """Return every step for an engine, in order."""
    return tuple(sorted(_steps(engine), key=lambda step: step.number))


def _steps(engine: str) -> Iterator[Step]:
    for path in _FOLDER.glob("*.sql"):
        name, *only_for = path.name.removesuffix(".sql").split(".")
        if only_for in ([], [engine]):
            text = path.read_text(encoding="utf-8").strip()
            for word, meaning in _WORDS[engine].items():
                text = text.replace(f"{{{word}}}", meaning)
            yield Step(int(name[:4]), name, tuple(text.split("\n\n")))


def migrate(transaction: Transaction, engine: str) -> None:
    """Apply the steps that are missing; the transaction holds the lock that keeps others out.

    Raises:
        StateUnusable: the tables are of a newer version than this program.
    """
    transaction.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    )
    applied = {row[0] for row in transaction.execute("SELECT number FROM migrations")}
    steps = steps_for(engine)
    newest = max(applied, default=0)
    if newest > steps[-1].number:
        raise StateUnusable(
            f"The state database is of version {newest}, and this program knows no newer one than "
            f"{steps[-1].number}. Start the newer program, or set state_url to another database."
        )
    for step in steps:
        if step.number not in applied:
            for statement in step.statements:
                transaction.execute(statement)
            transaction.execute(
                "INSERT INTO migrations (number, name) VALUES (:number, :name)",
                number=step.number,
                name=step.name,
            )
