"""A small result that has left the warehouse."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

Cell = (
    None
    | bool
    | int
    | float
    | Decimal
    | str
    | bytes
    | date
    | datetime
    | time
    | timedelta
    | UUID
    | Sequence["Cell"]
    | Mapping[str, "Cell"]
)
Row = tuple[Cell, ...]
JsonCell = None | bool | int | float | str


SHARE, PERCENT = "share", "percent"  # units: 0.12 and 12, both shown as 12%
PERCENTAGES = frozenset({SHARE, PERCENT})


def in_words(name: str) -> str:
    """Write a name as words: total_revenue is "total revenue"."""
    return " ".join(name.replace("_", " ").split()) or name


class ColumnKind(StrEnum):
    """What a column is good for: a time axis, something to add up, to group by, or to read."""

    TIME = "time"
    MEASURE = "measure"
    DIMENSION = "dimension"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Column:
    """`unit` is empty, "share" (0.12 shows as 12%), "percent" (12 does), a currency or "days".

    `called` is what its values are where the name does not say so: the name of a region is a
    region.
    """

    name: str
    kind: ColumnKind
    unit: str = ""
    called: str = ""

    @property
    def heading(self) -> str:
        """Return what stands over the column: words, not a name of a database."""
        return self.called or in_words(self.name)

    @property
    def shown_unit(self) -> str:
        """Return the unit to be named; percentages have their sign with each figure."""
        return "" if self.unit in PERCENTAGES else self.unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows in order; `truncated` says that the query had more of them."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    truncated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def values(self, column: str) -> tuple[Cell, ...]:
        """Return one column, top to bottom.

        Raises:
            KeyError: there is no column of that name.
        """
        if column not in self.names:
            raise KeyError(column)
        at = self.names.index(column)
        return tuple(row[at] for row in self.rows)


EMPTY = Table(columns=(), rows=())


def number(cell: Cell) -> float:
    """Return a cell as a float; NULL counts as zero.

    Raises:
        TypeError: the cell is no number.
    """
    if cell is None:
        return 0.0
    if isinstance(cell, bool | int | float | Decimal):
        return float(cell)
    raise TypeError(f"{cell!r} is no number")


PLAIN_DIGITS = 12  # a double written in so few characters has no noise behind its last digit
_NOISE = 1e-13  # beside the number itself
_EXACT_DIGITS = 15  # every decimal with that many digits survives the way through a double
LARGEST_EXACT_INTEGER = 2**53


def json_cell(cell: Cell) -> JsonCell:
    """Return a cell as JSON can hold it, without losing a digit that counts.

    Integers and decimals stay numbers where a double keeps them exactly and become text where
    not; doubles lose what adding up put behind their last digit. NaN and infinity become "NaN",
    "Infinity" and "-Infinity"; dates are ISO 8601; bytes are hexadecimal.
    """
    match cell:
        case None | bool() | str():
            return cell
        case int():
            return cell if abs(cell) <= LARGEST_EXACT_INTEGER else str(cell)
        case float():
            return _json_float(cell)
        case Decimal():
            return _json_decimal(cell)
        case _:
            return _as_text(cell)


def _json_float(cell: float) -> JsonCell:
    if not math.isfinite(cell):
        return _not_finite(cell)
    if len(repr(cell)) <= PLAIN_DIGITS:
        return cell
    # A sum of cents ends in .7500000019: what a shorter number says as well is noise.
    shorter = float(f"{cell:.{PLAIN_DIGITS}g}")
    return shorter if math.isclose(cell, shorter, rel_tol=_NOISE) else cell


def _json_decimal(cell: Decimal) -> JsonCell:
    if cell.is_nan():
        return "NaN"  # a signalling one is no double
    if not cell.is_finite():
        return _not_finite(float(cell))
    if len(cell.as_tuple().digits) > _EXACT_DIGITS:
        return format(cell, "f")
    return float(cell) if cell % 1 else int(cell)


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _as_text(cell: Cell) -> str:
    match cell:
        case datetime() | date() | time():
            return cell.isoformat()
        case timedelta():
            return str(cell)
        case bytes():
            return "0x" + cell.hex()
        case Mapping():
            return (
                "{" + ", ".join(f"{key}: {json_cell(value)}" for key, value in cell.items()) + "}"
            )
        case list() | tuple():
            return "[" + ", ".join(str(json_cell(value)) for value in cell) + "]"
        case _:
            return str(cell)
