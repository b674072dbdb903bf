"""P13: the tables that a question is about, among a thousand and among ten thousand."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

from bench.frame import Line
from bench.made_schema import MadeSchema, make_schema, recall_at
from core.domain.catalog import Catalog
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.memory.recall import TableIndex

GOALS = ("P13",)
BEST = 10


async def measure() -> list[Line]:
    """Index, ask and change a catalog; every question once for its recall, then for its time."""
    small = make_schema(1_000, questions=500)
    large = make_schema(10_000, questions=1_000)
    index, seconds = _indexed(large)
    times = _times(index, large)
    p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
    return [
        _at_least("recall@10 among 1,000 tables", _recall(_indexed(small)[0], small), 0.98),
        _at_least("recall@10 among 10,000 tables", _recall(index, large), 0.85),
        _at_most("p99 of a search of 10,000", p99 * 1_000, 2, "ms", f"p50 {p50 * 1_000:.2f} ms"),
        _at_most("index of 10,000 tables", seconds, 1.5, "s"),
        _at_most("a changed table of 10,000", _change(index) * 1_000, 5, "ms"),
    ]


def _indexed(made: MadeSchema) -> tuple[TableIndex, float]:
    started = time.perf_counter()
    index = TableIndex(made.catalog)
    return index, time.perf_counter() - started


def _recall(index: TableIndex, made: MadeSchema) -> float:
    found = [
        [table.name for table in index.find(each.text, at_most=BEST)] for each in made.questions
    ]
    return recall_at(found, made.questions)


def _times(index: TableIndex, made: MadeSchema) -> list[float]:
    """Return what each question takes: the best of three, since others use the machine, too."""
    return [min(_time(index, each.text) for _ in range(3)) for each in made.questions]


def _time(index: TableIndex, question: str) -> float:
    started = time.perf_counter()
    index.find(question, at_most=BEST)
    return time.perf_counter() - started


def _change(index: TableIndex) -> float:
    """Return the median seconds of taking over one table that has got a comment."""
    taken: list[float] = []
    for at in range(50, 1_050, 50):
        tables = list(index.tables)
        first, *others = tables[at].columns
        column = replace(first, name=f"zebra_{at}", kind=ColumnKind.TEXT)
        tables[at] = replace(tables[at], columns=(column, *others), comment="Counts zebras")
        catalog = Catalog(dialect=Dialect.SQLITE, tables=tuple(tables))
        started = time.perf_counter()
        assert index.update(catalog) == 1
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def _at_least(what: str, value: float, bound: float) -> Line:
    return Line(goal="P13", what=what, value=value, bound=bound, unit="", at_least=True)


def _at_most(what: str, value: float, bound: float, unit: str, note: str = "") -> Line:
    return Line(goal="P13", what=what, value=value, bound=bound, unit=unit, note=note)
