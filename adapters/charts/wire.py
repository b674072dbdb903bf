"""How a chart gets to the drawing process and a picture back: small JSON there, bytes back."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, cast

import orjson

from core.domain.artifact import (
    BarChart,
    Chart,
    ChartSpec,
    HeatMap,
    Histogram,
    LineChart,
    ScatterChart,
)
from core.domain.table import Column, ColumnKind, Table, json_cell

HEAD = 8  # bytes that say how long the rest of a message is

_KINDS: dict[str, type[ChartSpec]] = {
    kind.__name__: kind for kind in (LineChart, BarChart, ScatterChart, Histogram, HeatMap)
}


class Outcome(Enum):
    """What became of a request; its value is the first byte of the reply."""

    READY = b"r"
    UNABLE = b"u"
    DRAWN = b"d"
    REFUSED = b"n"
    FAILED = b"f"


@dataclass(frozen=True, slots=True)
class Reply:
    """`body` is a PNG when drawn, else the reason as text."""

    outcome: Outcome
    body: bytes

    def packed(self) -> bytes:
        return framed(self.outcome.value + self.body)

    @classmethod
    def unpacked(cls, message: bytes) -> Reply:
        return cls(Outcome(message[:1]), message[1:])


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(HEAD, "big") + message


def pack(chart: Chart) -> bytes:
    """Write a chart with the columns that it shows and no others."""
    wanted = [at for at, name in enumerate(chart.table.names) if name in chart.spec.columns]
    columns = [chart.table.columns[at] for at in wanted]
    return orjson.dumps(
        {
            "kind": type(chart.spec).__name__,
            "spec": asdict(chart.spec),
            "title": chart.title,
            "notes": chart.notes,
            "width": chart.width,
            "columns": [
                (column.name, column.kind, column.unit, column.called) for column in columns
            ],
            "rows": [[json_cell(row[at]) for at in wanted] for row in chart.table.rows],
        }
    )


def unpack(message: bytes) -> Chart:
    """Read what `pack` wrote; cells are JSON's: numbers, text, true, false and null."""
    read: dict[str, Any] = orjson.loads(message)
    return Chart(
        spec=_spec(read["kind"], read["spec"]),
        title=read["title"],
        notes=tuple(read["notes"]),
        width=read["width"],
        table=Table(
            columns=tuple(
                Column(name, ColumnKind(kind), unit, called)
                for name, kind, unit, called in read["columns"]
            ),
            rows=tuple(tuple(row) for row in read["rows"]),
        ),
    )


def _spec(kind: str, fields: dict[str, Any]) -> ChartSpec:
    names: dict[str, Any] = {
        name: tuple(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    return _KINDS[kind](**names)
