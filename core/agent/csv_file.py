"""A result as CSV: in chunks, with nothing in it that a spreadsheet would run."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import AsyncIterator, Iterator, Sequence

from core.domain.table import Cell, Row, Table, json_cell

_ROWS_A_CHUNK = 500  # written within a few milliseconds, so that the loop is never held up
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_NO_FILE_NAME = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 60


async def csv_chunks(tables: AsyncIterator[Table]) -> AsyncIterator[bytes]:
    """Write tables of the same columns one below the other, the heads once."""
    has_head = False
    async for table in tables:
        if not has_head:
            has_head = True
            yield _written([table.names])
        for chunk in _parted(table.rows):
            yield _written(chunk)
            await asyncio.sleep(0)


def _parted(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), _ROWS_A_CHUNK):
        yield rows[start : start + _ROWS_A_CHUNK]


def _written(rows: Sequence[Sequence[Cell]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_field(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _field(cell: Cell) -> str:
    """Return a cell as text; text that a spreadsheet would take for a formula gets a quote."""
    if cell is None:
        return ""
    value = json_cell(cell)
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    # A number written out in full, such as a long decimal, stays a number.
    is_formula = value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
    return "'" + value if is_formula else value


def file_name(title: str, ending: str) -> str:
    """Return a name for a file that every system takes."""
    name = _NO_FILE_NAME.sub("_", title).strip("_.-")[:_LONGEST_NAME].strip("_.-")
    return f"{name or 'result'}.{ending}"
