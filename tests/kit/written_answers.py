"""Answers written by hand in the manner of language models, with the results they are about."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure
from core.reviewer.grounding import unsupported

_ANSWERS = Path(__file__).parents[1] / "fixtures" / "grounding" / "answers.yaml"
WRITTEN: Mapping[str, Any] = yaml.safe_load(_ANSWERS.read_text(encoding="utf-8"))
RIGHT, WRONG = ("right", "held_back"), ("wrong", "not_seen")


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """One text, and the name of the result that it is about."""

    result: str
    text: str


def answers(*lots: str) -> list[WrittenAnswer]:
    """Return the texts of some lots, in their order."""
    return [WrittenAnswer(result, text) for lot in lots for result, text in WRITTEN[lot]]


def results(demo: Path) -> dict[str, Table]:
    """Read every result that the texts are about."""
    with closing(sqlite3.connect(demo)) as opened:
        return {name: _table(opened.execute(sql)) for name, sql in WRITTEN["results"].items()}


def found_in(answer: WrittenAnswer, tables: Mapping[str, Table]) -> tuple[Figure, ...]:
    """Return the figures of a text that its result does not support."""
    return unsupported(answer.text, Evidence([tables[answer.result]]))


def _table(cursor: sqlite3.Cursor) -> Table:
    names = [column[0] for column in cursor.description]
    rows = tuple(
        tuple(_cell(name, cell) for name, cell in zip(names, row, strict=True)) for row in cursor
    )
    return Table(columns=tuple(Column(name, _kind(name)) for name in names), rows=rows)


def _cell(name: str, cell: Cell) -> Cell:
    return date.fromisoformat(str(cell)) if name == "month" else cell


def _kind(name: str) -> ColumnKind:
    if name == "month":
        return ColumnKind.TIME
    return ColumnKind.DIMENSION if name in WRITTEN["labels"] else ColumnKind.MEASURE
