"""What the data team has defined, as the prompt tells it: one JSON object a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

import orjson

from core.domain.definitions import Definition, Join, Metric, Place, Synonym, Term

_TOLD = re.compile(
    r"^# What the data team has defined$.*?^<data>$\n(?P<lines>.*?)\n^</data>$",
    re.MULTILINE | re.DOTALL,
)
_PROMPT = Place("prompt")


def definitions_in(system: str) -> tuple[Definition, ...]:
    """Return the definitions of a prompt; lines that are none are passed over."""
    blocks = [found["lines"] for found in _TOLD.finditer(system)]
    lines = blocks[-1].splitlines() if blocks else []
    return tuple(found for line in lines for found in _read(line))


def _read(line: str) -> Iterator[Definition]:
    try:
        body: object = orjson.loads(line)
    except orjson.JSONDecodeError:
        return
    if isinstance(body, dict):
        yield from _definition(_Fields(cast("dict[str, object]", body)))


class _Fields:
    def __init__(self, body: Mapping[str, object]) -> None:
        self._body = body

    def text(self, name: str) -> str:
        value = self._body.get(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._body.get(name)
        return tuple(map(str, cast("list[object]", value))) if isinstance(value, list) else ()


def _definition(fields: _Fields) -> Iterator[Definition]:
    text, also, meaning = fields.text, fields.texts("also"), fields.text("meaning")
    if text("metric") and text("expression"):
        yield Metric(
            name=text("metric"),
            place=_PROMPT,
            table=text("table"),
            expression=text("expression"),
            conditions=fields.texts("filters"),
            also=also,
            meaning=meaning,
            date=text("date"),
            unit=text("unit"),
            ranks=fields.texts("ranks"),
        )
    elif text("term"):
        yield Term(
            name=text("term"),
            place=_PROMPT,
            table=text("table"),
            condition=text("filter"),
            also=also,
            meaning=meaning,
        )
    elif text("word") and text("means"):
        table, _, column = text("means").rpartition(".")
        place, name = _PROMPT, text("word")
        # Which of the two it is, only the schema can tell: `sales.orders`, `orders.amount`.
        yield Synonym(name=name, place=place, table=table or column, column=column if table else "")
    elif text("join"):
        left, _, right = text("join").partition(" = ")
        (table, _, column), (to_table, _, to_column) = left.rpartition("."), right.rpartition(".")
        yield Join(
            place=_PROMPT, table=table, column=column, to_table=to_table, to_column=to_column
        )
