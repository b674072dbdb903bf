"""Text as a terminal shows it: how wide it is, and nothing in it that could steer the terminal."""

import unicodedata
from collections.abc import Sequence

from core.domain.answer import ShownColumn
from core.domain.table import ColumnKind, JsonCell
from core.domain.writing import figure_of


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
    """Say whether a column is to be written to the right; years are names and are not."""
    present = [cell for cell in cells if cell is not None]
    if column.kind is ColumnKind.MEASURE:
        return all(figure_of(cell) is not None for cell in present)
    if column.kind is ColumnKind.TIME:
        return False
    return bool(present) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in present
    )


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
