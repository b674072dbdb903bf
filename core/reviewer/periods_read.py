"""Reads the first day of a period out of a cell."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime

from core.domain.table import Cell

_QUARTER = re.compile(r"(\d{4})[ -]?Q([1-4])|Q([1-4])[ /-](\d{4})", re.IGNORECASE)


def day_of(cell: Cell) -> date | None:
    """Return the day of a cell, also of one that is text: 2025-03, 2025-03-01, 2025-Q1."""
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    if not isinstance(cell, str):
        return None
    if cell[4:5] == "-":
        with suppress(ValueError):
            return date.fromisoformat((cell if len(cell) > 7 else f"{cell}-01")[:10])
    found = _QUARTER.fullmatch(cell.strip())
    if found is None:
        return None
    year, quarter = found[1] or found[4], int(found[2] or found[3])
    return date(int(year), 3 * quarter - 2, 1)


def is_quarter(cell: Cell) -> bool:
    """Say whether a cell is text that names a quarter of a year."""
    return isinstance(cell, str) and _QUARTER.fullmatch(cell.strip()) is not None
