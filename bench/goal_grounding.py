"""Grounding: wrong texts about real results that are caught, right ones that are let through."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

from bench.frame import Line
from bench.made_texts import KINDS, MadeText, make_texts
from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.evidence import Evidence
from core.reviewer.grounding import unsupported
from tests.kit.dataset import to_sqlite

GOALS = ("GROUNDING",)

BY_LABEL = (
    'SELECT "Country Name", ROUND(SUM(amount), 2) AS revenue FROM orders JOIN customers'
    ' USING (customer_id) WHERE "Country Name" IS NOT NULL GROUP BY 1',
    'SELECT "Country Name", COUNT(*) AS orders FROM orders JOIN customers'
    ' USING (customer_id) WHERE "Country Name" IS NOT NULL GROUP BY 1',
    "SELECT category, SUM(i.quantity) AS units_sold FROM order_items i JOIN products"
    " USING (product_id) WHERE category IS NOT NULL GROUP BY 1",
    "SELECT segment, ROUND(SUM(amount), 2) AS revenue FROM orders JOIN customers"
    " USING (customer_id) GROUP BY 1",
    "SELECT status, COUNT(*) AS orders FROM orders GROUP BY 1",
    "SELECT title, SUM(i.quantity) AS units FROM order_items i JOIN products"
    " USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 12",
)
BY_MONTH = (
    "SELECT strftime('%Y-%m-01', ordered_at), ROUND(SUM(amount), 2) AS revenue FROM orders"
    " GROUP BY 1 ORDER BY 1",
    "SELECT strftime('%Y-%m-01', ordered_at), COUNT(*) AS orders FROM orders GROUP BY 1 ORDER BY 1",
)


async def measure() -> list[Line]:
    """Trace every text against its result and count."""
    with tempfile.TemporaryDirectory() as folder:
        texts = real_texts(to_sqlite(Path(folder) / "shop.sqlite"))
    wrong = [each for each in texts if each.kind != "right"]
    right = [each for each in texts if each.kind == "right"]
    caught = sum(map(is_caught, wrong))
    mangled = sum(map(is_caught, right))
    note = f"{len(wrong)} wrong texts, {len(right)} right ones, {mangled} of them held back"
    return [
        _line("precision of what is held back", caught / (caught + mangled), 0.97, note),
        _line("recall of wrong texts", caught / len(wrong), 0.9, note),
        *(_line(f"recall: {kind}", recall(texts, kind), 0.8, "") for kind in KINDS),
    ]


def real_texts(path: Path) -> list[MadeText]:
    """Ask the shop and write texts about what it says."""
    with closing(sqlite3.connect(path)) as shop:
        labels = [_table(shop, sql, ColumnKind.DIMENSION) for sql in BY_LABEL]
        months = [_table(shop, sql, ColumnKind.TIME) for sql in BY_MONTH]
    return make_texts(labels, months)


def is_caught(each: MadeText) -> bool:
    return bool(unsupported(each.text, Evidence([each.table])))


def recall(texts: list[MadeText], kind: str) -> float:
    those = [each for each in texts if each.kind == kind]
    return sum(map(is_caught, those)) / len(those)


def _table(shop: sqlite3.Connection, sql: str, kind: ColumnKind) -> Table:
    cursor = shop.execute(sql)
    columns = (Column("label", kind), Column(cursor.description[1][0], ColumnKind.MEASURE))
    return Table(columns=columns, rows=tuple(_rows(cursor, kind)))


def _rows(cursor: sqlite3.Cursor, kind: ColumnKind) -> Iterator[tuple[Cell, ...]]:
    for label, value in cursor:
        yield (date.fromisoformat(label) if kind is ColumnKind.TIME else label), value


def _line(what: str, value: float, bound: float, note: str) -> Line:
    return Line(
        goal="GROUNDING", what=what, value=value, bound=bound, unit="", at_least=True, note=note
    )
