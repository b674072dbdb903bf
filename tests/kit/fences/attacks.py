"""The attacks on the four engines that can be run here, and what became of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import cast

from core.domain.query import Dialect

_FILE = Path(__file__).parents[2] / "fixtures" / "sql" / "attacks.jsonl"
ENGINES = (Dialect.POSTGRES, Dialect.MYSQL, Dialect.SQLITE, Dialect.DUCKDB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One statement of the corpus. A bomb is one that limits may stop instead of the guard."""

    id: str
    dialect: Dialect
    kind: str
    sql: str
    is_bomb: bool


class Outcome(StrEnum):
    """What became of an attack; `CHANGED` and `OUTLIVED` are the ones that do harm."""

    STOPPED = "stopped"  # refused, or an error of the engine
    ANSWERED = "answered"  # it ran, and left everything as it was
    TIMED_OUT = "timed out"  # ended at the time limit
    CHANGED = "changed"  # something is not as it was before
    OUTLIVED = "outlived"  # it goes on although its answer is not wanted any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """`changes` are the parts of the world that are not as before, `told` what was read."""

    attack: Attack
    outcome: Outcome
    words: str = ""
    told: str = ""
    changes: Mapping[str, tuple[str, str]]

    def __str__(self) -> str:
        words = self.words.splitlines()[:1]
        return f"{self.attack.id} {self.outcome} {self.attack.sql!r} {words} {dict(self.changes)}"


@cache
def attacks_on(dialect: Dialect) -> tuple[Attack, ...]:
    """Return the attacks of the corpus that are written for an engine, none left out."""
    lines = map(json.loads, _FILE.read_text(encoding="utf-8").splitlines())
    return tuple(_attack(each) for each in lines if each["dialect"] == dialect)


def _attack(line: object) -> Attack:
    fields = cast("dict[str, str]", line)
    return Attack(
        id=fields["id"],
        dialect=Dialect(fields["dialect"]),
        kind=fields["kind"],
        sql=fields["sql"],
        is_bomb=fields["expect"] == "reject_or_gate",
    )
