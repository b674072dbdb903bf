"""Text as a terminal shows it: how wide it is, and nothing in it that could steer the terminal."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from core.domain.answer import ShownColumn
from core.domain.figures import rounded
from core.domain.table import ColumnKind, JsonCell

NO_VALUE = "-"
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d.*)")
_MIDNIGHT = re.compile(r"00:00:00(\.0+)?(Z|\+00:00)?")


def clean(text: str) -> str:
    """Drop what is no visible character: an answer's text must never move the cursor."""
    return "".join(each for each in text if each in "\n\t" or unicodedata.category(each)[0] != "C")


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def display_width(text: str) -> int:
    """Return how many columns the text takes: two for a wide character, none for a mark on one."""
    return sum(_width(each) for each in text)


def fit(text: str, width: int) -> str:
    """Cut the text to `width` columns, with an ellipsis where something was cut."""
    if display_width(text) <= width:
        return text
    kept, used = "", 0
    for each in text:
        used += _width(each)
        if used > width - 1:
            break
        kept += each
    return kept + "…"


def is_numeric(column: ShownColumn, cells: Sequence[JsonCell]) -> bool:
    """Say whether a column is to be written to the right."""
    present = [cell for cell in cells if cell is not None]
    if column.kind is ColumnKind.MEASURE:
        return all(_number(cell) is not None for cell in present)
    return bool(present) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in present
    )


def writer(column: ShownColumn, cells: Sequence[JsonCell]) -> Callable[[JsonCell], str]:
    """Return how the cells of one column are written: its figures with the same decimals."""
    figures = [figure for cell in cells if (figure := _number(cell)) is not None]
    if column.kind is not ColumnKind.MEASURE or not figures:
        return plain
    if column.unit == "share":
        return _share
    decimals = _decimals(column, figures)

    def write(cell: JsonCell) -> str:
        figure = _number(cell)
        if figure is None or isinstance(cell, str):
            return plain(cell)
        return rounded(figure, decimals)

    return write


def _share(cell: JsonCell) -> str:
    share = _number(cell)
    return plain(cell) if share is None else f"{rounded(share * 100, 1)}%"


def plain(cell: JsonCell) -> str:
    """Write a cell as it is; a moment at midnight is a day."""
    match cell:
        case None:
            return NO_VALUE
        case bool():
            return "yes" if cell else "no"
        case str():
            return one_line(_day_or_moment(cell))
        case _:
            return str(cell)


def _day_or_moment(text: str) -> str:
    moment = _MOMENT.fullmatch(text)
    if moment is None:
        return text
    day, time = moment.groups()
    return day if _MIDNIGHT.fullmatch(time) else f"{day} {time}"


def _number(cell: JsonCell) -> float | None:
    match cell:
        case None | bool():
            return None
        case str():
            return float(cell) if _NUMBER.fullmatch(cell) else None
        case _:
            return float(cell)


def _decimals(column: ShownColumn, figures: Sequence[float]) -> int:
    if all(figure.is_integer() for figure in figures):
        return 0
    if _CURRENCY.fullmatch(column.unit):
        return 2
    largest = max(abs(figure) for figure in figures)
    return 2 if largest >= 1 else 4 if largest >= 0.01 else 6


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
