"""Real results to write texts about: figures by a label and by month, from databases at hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from itertools import islice
from pathlib import Path

from core.domain.table import Cell, Column, ColumnKind, Table

_FEWEST, _MOST = 4, 14
_A_TABLE = 2

DEMO_BY_MONTH = (
    "SELECT STRFTIME('%Y-%m-01', ordered_at), SUM(order_total) AS revenue FROM orders"
    " WHERE ordered_at >= '2025-01-01' GROUP BY 1",
    "SELECT STRFTIME('%Y-%m-01', ordered_at), COUNT(*) AS orders FROM orders"
    " WHERE ordered_at < '2024-01-01' GROUP BY 1",
    "SELECT STRFTIME('%Y-%m-01', opened_at), COUNT(*) AS tickets FROM support_tickets"
    " WHERE opened_at >= '2024-07-01' GROUP BY 1",
    "SELECT STRFTIME('%Y-%m-01', refunded_on), SUM(amount) AS refunds FROM refunds"
    " WHERE refunded_on < '2025-01-01' AND refunded_on >= '2024-01-01' GROUP BY 1",
    "SELECT STRFTIME('%Y-%m-01', ordered_at), AVG(order_total) AS order_value FROM orders"
    " WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' GROUP BY 1",
    "SELECT STRFTIME('%Y-%m-01', signed_up_on), COUNT(*) AS customers FROM customers"
    " WHERE signed_up_on >= '2023-01-01' AND signed_up_on < '2024-01-01' GROUP BY 1",
)


def by_month(path: Path, statements: Sequence[str]) -> list[Table]:
    """Return each statement's months, oldest first, with one measure."""
    with closing(sqlite3.connect(path)) as database:
        return [_months(database.execute(f"{sql} ORDER BY 1")) for sql in statements]


def by_label(path: Path, *, at_most: int) -> list[Table]:
    """Return counts, sums and means by columns that have a few different texts, largest first."""
    with closing(sqlite3.connect(path)) as database:
        database.text_factory = _readable
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        found = (table for (name,) in names for table in _of_table(database, str(name)))
        return list(islice(found, at_most))


def _readable(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _of_table(database: sqlite3.Connection, name: str) -> Iterator[Table]:
    columns = database.execute(f'PRAGMA table_info("{name}")').fetchall()
    texts = [column[1] for column in columns if _is_text(column[2])]
    numbers = [
        column[1]
        for column in columns
        if not _is_text(column[2]) and not column[5] and not str(column[1]).lower().endswith("id")
    ]
    measures = ["COUNT(*)", *(f'SUM("{each}")' for each in numbers[:2])]
    made = 0
    for label in texts:
        for measure in measures:
            table = _labels(database, name, str(label), measure)
            if table is not None and made < _A_TABLE:
                made += 1
                yield table


def _is_text(declared: str) -> bool:
    return any(each in declared.upper() for each in ("CHAR", "TEXT"))


def _labels(database: sqlite3.Connection, name: str, label: str, measure: str) -> Table | None:
    rows = database.execute(
        f'SELECT "{label}", {measure} FROM "{name}" WHERE "{label}" IS NOT NULL'
        " GROUP BY 1 ORDER BY 2 DESC"
    ).fetchall()
    is_fit = _FEWEST <= len(rows) <= _MOST and all(_is_fit(row) for row in rows)
    if not is_fit or len({row[1] for row in rows}) < len(rows):
        return None
    head = Column("what", ColumnKind.DIMENSION), Column("number", ColumnKind.MEASURE)
    return Table(columns=head, rows=tuple((str(row[0]), row[1]) for row in rows))


def _is_fit(row: Sequence[Cell]) -> bool:
    label, value = row
    is_name = isinstance(label, str) and label[:1].isalpha() and len(label) < 30
    return is_name and isinstance(value, int | float) and value > 0


def _months(cursor: sqlite3.Cursor) -> Table:
    head = (
        Column("month", ColumnKind.TIME),
        Column(str(cursor.description[1][0]), ColumnKind.MEASURE),
    )
    rows = tuple((date.fromisoformat(str(month)), value) for month, value in cursor)
    return Table(columns=head, rows=rows)
