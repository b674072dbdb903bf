"""Cells of a result as a Slack table holds them."""

from adapters.slack.wire import Object
from core.domain.answer import ShownColumn
from core.domain.table import JsonCell
from core.domain.writing import NO_VALUE


def shown(cell: JsonCell, column: ShownColumn) -> str:
    """Write a cell for a reader, on one line; never empty, since Slack takes no empty cell."""
    return column.written(cell) or NO_VALUE


def native(cell: JsonCell, column: ShownColumn) -> Object:
    """Return a cell that sorts as a number where it is one."""
    text = shown(cell, column)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return {"type": "raw_number", "value": cell, "text": text}
    return {"type": "raw_text", "text": text}


def label(text: str) -> str:
    """Return a category or a series of a chart on one line."""
    return " ".join(text.split()) or NO_VALUE


def head(column: ShownColumn) -> str:
    unit = f" ({column.shown_unit})" if column.shown_unit else ""
    return " ".join((column.heading + unit).split()) or NO_VALUE
