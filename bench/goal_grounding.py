"""Grounding: wrong texts about real results that are caught, right ones that are let through.

Three lots of texts: those that the rules were made with, others in the manner of language models,
which were held back until the rules stood, and answers that were written by hand. The figures of
the first meetings are in docs/decisions/0154 and 0191.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

from bench.frame import Line
from bench.made_answers import make_answers
from bench.made_texts import KINDS, MadeText, make_texts
from bench.real_results import DEMO_BY_MONTH, by_label, by_month
from bot.demo.make import make_demo
from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.evidence import Evidence
from core.reviewer.grounding import unsupported
from tests.kit.dataset import to_sqlite
from tests.kit.written_answers import RIGHT, WRONG, answers, found_in, results

GOALS = ("GROUNDING",)

_DATABASES = Path(__file__).parents[1] / "tests" / "fixtures" / "eval" / "sqlite"
_A_DATABASE = 6
_OF_THE_DEMO = 12
_SEED = 11
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
        known, unknown = known_texts(Path(folder)), held_out_texts(Path(folder))
        by_hand = _written_lines(results(make_demo(Path(folder) / "written.sqlite")))
        return [
            *_lines(known, "made with the rules"),
            *_lines(unknown, "in a model's manner"),
            *by_hand,
        ]


def known_texts(folder: Path) -> list[MadeText]:
    """Write texts by the patterns beside which the rules were made, about the small shop."""
    with closing(sqlite3.connect(to_sqlite(folder / "shop.sqlite"))) as shop:
        labels = [_table(shop, sql, ColumnKind.DIMENSION) for sql in BY_LABEL]
        months = [_table(shop, sql, ColumnKind.TIME) for sql in BY_MONTH]
    demo = make_demo(folder / "demo.sqlite")
    labels += by_label(demo, at_most=_OF_THE_DEMO)
    return make_texts(labels, [*months, *by_month(demo, DEMO_BY_MONTH)])


def held_out_texts(folder: Path) -> list[MadeText]:
    """Write texts as models do, about the demo and the databases of the evaluation."""
    demo = make_demo(folder / "demo.sqlite")
    databases = sorted(_DATABASES.glob("*.sqlite"))
    labels = [table for path in databases for table in by_label(path, at_most=_A_DATABASE)]
    labels += by_label(demo, at_most=_OF_THE_DEMO)
    return make_answers(labels, by_month(demo, DEMO_BY_MONTH), seed=_SEED)


def is_caught(each: MadeText) -> bool:
    return bool(unsupported(each.text, Evidence([each.table])))


def recall(texts: list[MadeText], kind: str) -> float:
    those = [each for each in texts if each.kind == kind]
    return sum(map(is_caught, those)) / len(those)


def _lines(texts: list[MadeText], which: str) -> Iterator[Line]:
    right = [each for each in texts if each.kind == "right"]
    caught = sum(map(is_caught, [each for each in texts if each.kind != "right"]))
    mangled = sum(map(is_caught, right))
    wrong = len(texts) - len(right)
    note = f"{wrong} wrong texts, {len(right)} right ones, {mangled} of them held back"
    yield _line(f"precision, {which}", caught / (caught + mangled), 0.99, note)
    yield _line(f"recall, {which}", caught / wrong, 0.95, note)
    for kind in KINDS:
        n = sum(each.kind == kind for each in texts)
        yield _line(f"recall of {kind}, {which}", recall(texts, kind), 0.9, f"{n} texts")


def _written_lines(tables: Mapping[str, Table]) -> list[Line]:
    right, wrong = answers(*RIGHT), answers(*WRONG)
    mangled = sum(bool(found_in(each, tables)) for each in right)
    caught = sum(bool(found_in(each, tables)) for each in wrong)
    note = f"{len(wrong)} wrong texts, {len(right)} right ones, {mangled} of them held back"
    return [
        _line("precision, written by hand", caught / (caught + mangled), 0.95, note),
        _line("recall, written by hand", caught / len(wrong), 0.95, note),
        _line("right ones left whole, written by hand", 1 - mangled / len(right), 0.95, note),
    ]


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
