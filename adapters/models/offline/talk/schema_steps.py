"""Gathers the schema: all tables at once where they fit, else table by table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from adapters.models.offline.talk.moves import Ask, Call
from adapters.models.offline.talk.situation import Situation, ToolAnswer, is_cut

GET_SCHEMA, LIST_TABLES = "get_schema", "list_tables"
_COLUMNS_A_CALL = 40
_MOST_CALLS = 10
_FROM_FINDING = re.compile(r"^\d+ columns of (?P<names>.+?)(?: and \d+ more)?\.$")
_FROM_NOTE = re.compile(r"ask for them by name: (?P<names>.+?)(?: and \d+ more)?\.?$")
_ABOUT = re.compile(r"^(?P<name>[^\s:]+): ")


@dataclass(frozen=True, slots=True)
class SeenSchema:
    """The schema as far as it was shown; `missing` tables are known by name only."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    missing: tuple[str, ...]
    remarks: tuple[str, ...]


def seen_schema(situation: Situation) -> SeenSchema | None:
    """Put together what the schema tool has shown in this turn; None where it was not asked."""
    answers = [answer for answer in situation.answers_of(GET_SCHEMA) if not answer.error]
    if not answers:
        return None
    columns = next((answer.columns for answer in answers if answer.columns), ())
    by_table: dict[str, list[tuple[object, ...]]] = {}
    whole = set[str]()
    for answer in answers:
        shown: dict[str, list[tuple[object, ...]]] = {}
        for row in filter(None, answer.rows):
            shown.setdefault(str(row[0]), []).append(_mended(row, columns))
        asked_alone = len(_asked(answer)) == 1
        for table, rows in shown.items():
            if table not in whole:
                by_table[table] = rows
            if answer.complete or asked_alone:
                whole.add(table)
    missing = [name for name in _known_names(situation, answers) if name not in whole]
    missing += [name for name in by_table if name not in whole and name not in missing]
    return SeenSchema(
        columns=columns,
        rows=tuple(row for rows in by_table.values() for row in rows),
        missing=tuple(dict.fromkeys(missing)),
        remarks=tuple(note for answer in answers for note in answer.notes),
    )


def _mended(row: tuple[object, ...], columns: Sequence[str]) -> tuple[object, ...]:
    """Leave out a list of values that was cut off: what is missing has to be looked up."""
    if "values" not in columns:
        return row
    at = columns.index("values")
    values = str(row[at] or "") if at < len(row) else ""
    return (*row[:at], "", *row[at + 1 :]) if is_cut(values) else row


def _asked(answer: ToolAnswer) -> list[object]:
    tables = answer.arguments.get("tables")
    return cast("list[object]", tables) if isinstance(tables, list) else []


def _known_names(situation: Situation, answers: Sequence[ToolAnswer]) -> Iterator[str]:
    for answer in situation.answers_of(LIST_TABLES):
        yield from (str(row[0]) for row in answer.rows)
    for answer in answers:
        found = _FROM_FINDING.match(answer.finding)
        yield from found["names"].split(", ") if found else ()
        for note in answer.notes:
            named = _FROM_NOTE.search(note)
            about = _ABOUT.match(note)
            if named:
                yield from named["names"].split(", ")
            elif about and about["name"] != "Rows":
                yield about["name"]


def next_schema_step(situation: Situation, seen: SeenSchema | None) -> Ask | None:
    """Return the calls that bring more of the schema; None once it is known or cannot be."""
    asked = situation.answers_of(GET_SCHEMA)
    if seen is None:
        if asked or not situation.offers(GET_SCHEMA):
            return None
        return Ask((Call(GET_SCHEMA, {}),))
    if not seen.missing or not situation.offers(GET_SCHEMA):
        return None
    incomplete = any(not answer.complete or answer.truncated for answer in asked)
    if incomplete and situation.offers(LIST_TABLES) and not situation.answers_of(LIST_TABLES):
        return Ask((Call(LIST_TABLES, {}),))
    room = _MOST_CALLS - len(asked)
    tried = [tuple(_asked(answer)) for answer in asked]
    batches = [batch for batch in _batches(situation, seen) if batch not in tried][: max(room, 0)]
    calls = tuple(Call(GET_SCHEMA, {"tables": list(batch)}) for batch in batches)
    return Ask(calls) if calls else None


def _batches(situation: Situation, seen: SeenSchema) -> Iterator[tuple[str, ...]]:
    """Part the missing tables so that each call shows about as many columns as fit."""
    widths = _widths(situation)
    repeated = len(situation.answers_of(GET_SCHEMA)) > 1
    batch: list[str] = []
    used = 0
    for name in seen.missing:
        width = _COLUMNS_A_CALL if repeated else widths.get(name, _COLUMNS_A_CALL // 3)
        if batch and used + width > _COLUMNS_A_CALL:
            yield tuple(batch)
            batch, used = [], 0
        batch.append(name)
        used += width
    if batch:
        yield tuple(batch)


def _widths(situation: Situation) -> dict[str, int]:
    widths: dict[str, int] = {}
    for answer in situation.answers_of(LIST_TABLES):
        if "columns" not in answer.columns:
            continue
        at = answer.columns.index("columns")
        for row in answer.rows:
            if len(row) > at and isinstance(row[at], int):
                widths[str(row[0])] = int(str(row[at]))
    return widths
