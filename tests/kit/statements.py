"""The statements in tests/fixtures/sql, read once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from core.domain.query import Dialect

_HERE = Path(__file__).parent.parent / "fixtures" / "sql"


@dataclass(frozen=True, slots=True)
class Sample:
    """One line; `kind` is that of an attack or the source of an honest query."""

    dialect: Dialect
    sql: str
    kind: str


@cache
def samples(name: str) -> tuple[Sample, ...]:
    lines = (_HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_sample(cast("dict[str, str]", json.loads(line))) for line in lines)


def _sample(line: dict[str, str]) -> Sample:
    kind = line.get("kind") or line.get("source") or "ours"
    return Sample(dialect=Dialect(line["dialect"]), sql=line["sql"], kind=kind)


ATTACKS = samples("attacks")
MORE_ATTACKS = samples("attacks_of_ours")
HONEST = samples("honest")
MORE_HONEST = samples("honest_of_ours")
GOLDS = samples("golds")
