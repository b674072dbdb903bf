"""The process that draws: it reads charts from its standard input and writes pictures back.

It ends when its input does, so it never outlives the server.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable
from typing import BinaryIO

from adapters.charts.wire import HEAD, Outcome, Reply, unpack
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.table import Column, ColumnKind, Table

Draw = Callable[[Chart], bytes]


def main() -> None:
    """Draw one chart after the other until there are no more."""
    replies = _own_output()
    try:
        draw, cannot_draw = _warmed_up()
    except ImportError as error:
        replies.write(Reply(Outcome.UNABLE, f"{error}".encode()).packed())
        replies.flush()
        return
    replies.write(Reply(Outcome.READY, b"").packed())
    replies.flush()
    requests = sys.stdin.buffer
    while head := requests.read(HEAD):
        message = requests.read(int.from_bytes(head, "big"))
        replies.write(_answer(message, draw, cannot_draw).packed())
        replies.flush()
        gc.collect()  # a figure is a circle of references: better now than during the next one


def _own_output() -> BinaryIO:
    """Keep standard output for replies; whatever else is printed goes to standard error."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return replies


def _warmed_up() -> tuple[Draw, type[Exception]]:
    """Load matplotlib and its fonts by drawing something, so that the first chart is a fast one."""
    draw: Draw = importlib.import_module("adapters.charts.drawing").draw
    cannot_draw: type[Exception] = importlib.import_module("adapters.charts.grid").CannotDraw
    for chart in _samples():
        draw(chart)
    gc.collect()
    gc.freeze()
    gc.disable()
    return draw, cannot_draw


def _samples() -> tuple[Chart, ...]:
    columns = (Column("month", ColumnKind.TIME), Column("value", ColumnKind.MEASURE))
    rows = tuple((f"2025-{month:02d}", month * 1000.5) for month in range(1, 13))
    table = Table(columns=columns, rows=rows)
    return (
        Chart(spec=LineChart(x="month", y="value"), title="Ready: é", table=table),
        Chart(spec=BarChart(x="month", y="value"), title="Ready", table=table),
    )


def _answer(message: bytes, draw: Draw, cannot_draw: type[Exception]) -> Reply:
    try:
        return Reply(Outcome.DRAWN, draw(unpack(message)))
    except cannot_draw as reason:
        return Reply(Outcome.REFUSED, f"{reason}".encode())
    except Exception as error:
        return Reply(Outcome.FAILED, f"{type(error).__name__}: {error}".encode())


if __name__ == "__main__":
    main()
