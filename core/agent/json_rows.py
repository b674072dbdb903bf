"""Rows for orjson: what it writes rightly by itself is not looked at cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import orjson

from core.domain.table import LARGEST_EXACT_INTEGER, PLAIN_DIGITS, Cell, Row, json_cell

LONGEST_CELL = 300

_AS_THEY_ARE = frozenset({bool, date})
_NOTHING = type(None)


def json_rows(rows: Sequence[Row]) -> list[tuple[object, ...]]:
    """Return rows of which orjson makes what `json_cell` makes of each cell, long texts cut.

    A column of one type is judged as a whole, since each look at a cell costs more than writing
    it; only the others are gone through.
    """
    return list(zip(*map(_column, zip(*rows, strict=True)), strict=True))


def _column(cells: Sequence[Cell]) -> Sequence[object]:
    types = set(map(type, cells))
    there = [cell for cell in cells if cell is not None] if _NOTHING in types else cells
    types.discard(_NOTHING)
    if not types or (len(types) == 1 and _is_right(there, *types)):
        return cells
    return [_written(cell) for cell in cells]


def _is_right(cells: Sequence[Any], kind: type) -> bool:
    """Say whether orjson writes cells of one type as they shall be."""
    if kind is float:
        return _are_plain(cells)
    if kind is str:
        return max(map(len, cells)) <= LONGEST_CELL
    if kind is int:
        return min(cells) >= -LARGEST_EXACT_INTEGER and max(cells) <= LARGEST_EXACT_INTEGER
    return kind in _AS_THEY_ARE


def _are_plain(cells: Sequence[float]) -> bool:
    """Say whether doubles are finite and short, so that no noise stands behind a last digit."""
    written = orjson.dumps(cells)[1:-1]
    return b"null" not in written and max(map(len, written.split(b","))) <= PLAIN_DIGITS


def _written(cell: Cell) -> object:
    value = json_cell(cell)
    return _shortened(value) if isinstance(value, str) else value


def _shortened(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else cell[:LONGEST_CELL] + "…"
