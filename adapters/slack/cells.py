"""Cells of a result as a Slack table holds them."""

import re

from adapters.slack.wire import Object
from core.domain.answer import ShownColumn
from core.domain.figures import rounded
from core.domain.table import ColumnKind, JsonCell

NO_VALUE = "-"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_LEAST = 0.0001  # below it, a figure would be written with an exponent
_CURRENCY = re.compile(r"[A-Z]{3}")


def shown(cell: JsonCell, column: ShownColumn) -> str:
    """Write a cell for a reader, on one line; never empty, since Slack takes no empty cell."""
    match cell:
        case None:
            return NO_VALUE
        case bool():
            return "yes" if cell else "no"
        case int() | float():
            return _figure(cell, column)
        case str():
            return label(cell)


def native(cell: JsonCell, column: ShownColumn) -> Object:
    """Return a cell that sorts as a number where it is one."""
    text = shown(cell, column)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return {"type": "raw_number", "value": cell, "text": text}
    return {"type": "raw_text", "text": text}


def head(column: ShownColumn) -> str:
    unit = f" ({column.unit})" if column.unit not in {"", "share"} else ""
    return " ".join((column.name.replace("_", " ") + unit).split()) or NO_VALUE


def label(text: str) -> str:
    """Write a category of a chart as its table writes it."""
    return _moment(" ".join(text.split())) or NO_VALUE


def _figure(value: float, column: ShownColumn) -> str:
    if column.kind is not ColumnKind.MEASURE:
        return str(value)
    if column.unit == "share":
        return f"{rounded(value * 100, 1)}%"
    if _CURRENCY.fullmatch(column.unit):
        return rounded(value, 2)
    if float(value).is_integer():
        return f"{value:,.0f}"
    if abs(value) >= 1:
        return rounded(value, 2)
    return f"{value:.4g}" if abs(value) >= _LEAST else rounded(value, 6)


def _moment(text: str) -> str:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return text
    day, minute = found[1], found[2]
    midnight = minute == "00:00" and found[3] in {None, ":00"} and found[5] in {None, "Z", "+00:00"}
    return day if midnight else f"{day} {minute}{found[3] or ''}{found[5] or ''}"
