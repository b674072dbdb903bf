"""How the cells of a column are written for a reader: all in one way, on every surface.

The page writes cells by the same rules in `page/format.js`; a test holds the two together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from itertools import pairwise

from pydantic import BaseModel, ConfigDict

from core.domain.figures import rounded
from core.domain.periods import Length, length_of, name_of, read_moment
from core.domain.table import PERCENTAGES, SHARE, ColumnKind, JsonCell

NO_VALUE = "\N{EN DASH}"

_CURRENCY = re.compile(r"[A-Z]{3}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_LEAST_WRITTEN_OUT = 1e-4  # below it a figure of any worth has an exponent
_LEAST_OF_ANY_WORTH = 1e-15
_PERIODS = (Length.YEAR, Length.QUARTER, Length.MONTH)
_MONTHS_APART = {Length.QUARTER: 3, Length.MONTH: 1}


class Writing(BaseModel):
    """What all cells of a column have in common when they are written.

    decimals: of its figures; None where it has none that are to be rounded
    exponent: its figures are so small that they are written as 5.37e-7
    grain: the length of the periods that its dates begin; a day like any other is written as
        2025-03-09, "minute" leaves the seconds out, None leaves every cell as it is
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decimals: int | None = None
    exponent: bool = False
    grain: Length | None = None


def writing_of(name: str, kind: ColumnKind, unit: str, cells: Sequence[JsonCell]) -> Writing:
    """Decide how a column is written, from all of its cells that are shown."""
    if kind is ColumnKind.MEASURE:
        figures = [figure for cell in cells if (figure := figure_of(cell)) is not None]
        return _of_figures(figures, unit) if figures else Writing()
    return Writing(grain=_grain_of(name, [cell for cell in cells if cell is not None]))


def written(cell: JsonCell, unit: str, writing: Writing) -> str:
    """Write one cell, on one line; what is neither figure nor date stays as it is."""
    match cell:
        case None:
            return NO_VALUE
        case bool():
            return "yes" if cell else "no"
        case int() | float() if writing.decimals is not None:
            return _figure(cell, unit, writing)
        case str() if writing.decimals is not None and _NUMBER.fullmatch(cell):
            return _grouped(cell, unit)
        case str():
            return _date(cell, writing.grain)
        case _:
            return str(cell)


def figure_of(cell: JsonCell) -> float | None:
    """Return a cell as a number: one that no double holds exactly comes as text."""
    match cell:
        case None | bool():
            return None
        case str():
            return float(cell) if _NUMBER.fullmatch(cell) else None
        case _:
            return float(cell)


def _of_figures(figures: Sequence[float], unit: str) -> Writing:
    scale = 100 if unit == SHARE else 1
    known = [abs(figure) * scale for figure in figures if math.isfinite(figure)]
    largest = max(known, default=0.0)
    if unit in PERCENTAGES:
        return Writing(decimals=1 if largest >= 10 or largest == 0 else 2)
    if all(figure.is_integer() for figure in known):
        return Writing(decimals=0)
    if _CURRENCY.fullmatch(unit) or largest >= 1:
        return Writing(decimals=2)
    exponent = _LEAST_OF_ANY_WORTH <= largest < _LEAST_WRITTEN_OUT
    return Writing(decimals=4 if largest >= 0.01 else 6, exponent=exponent)


def _figure(value: int | float, unit: str, writing: Writing) -> str:
    decimals = writing.decimals or 0
    if unit in PERCENTAGES:
        return f"{rounded(Decimal(repr(value)) * (100 if unit == SHARE else 1), decimals)}%"
    if writing.exponent and value:
        mantissa, _, exponent = f"{value:.2e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    return rounded(value, decimals)


def _grouped(digits: str, unit: str) -> str:
    """Write a number that is exact in every digit, with its thousands apart."""
    number = Decimal(digits) * (100 if unit == SHARE else 1)
    return f"{number:,f}%" if unit in PERCENTAGES else f"{number:,f}"


def _grain_of(name: str, cells: Sequence[JsonCell]) -> Length | None:
    """Return the length of a column's periods; only what is called so or runs on is a period.

    Any other first of a month is a day like all others.
    """
    found = [_moment(cell) for cell in cells]
    moments = [moment for moment in found if moment is not None]
    if not moments or len(moments) < len(cells):
        return None
    if any(moment.second for moment in moments):
        return None
    length = length_of(moments, named=name)
    if length in {Length.HOUR, Length.MINUTE}:
        return Length.MINUTE
    is_period = length in name.casefold() or _run_on(moments, length)
    return length if length in _PERIODS and is_period else Length.DAY


def _moment(cell: JsonCell) -> datetime | None:
    return read_moment(cell) if isinstance(cell, str) and _DATE.fullmatch(cell) else None


def _run_on(moments: Sequence[datetime], length: Length) -> bool:
    months = sorted({each.year * 12 + each.month for each in moments})
    apart = {later - earlier for earlier, later in pairwise(months)}
    return len(months) > 2 and apart == {_MONTHS_APART.get(length)}


def _date(text: str, grain: Length | None) -> str:
    found = _DATE.fullmatch(text)
    if found is None:
        return " ".join(text.split())
    day, minute, second, zone = (found[1], found[2], found[3] or "", found[4] or "")
    moment = read_moment(text)
    if grain is not None and grain in _PERIODS and moment is not None:
        return name_of(moment, grain)
    if grain is Length.DAY or minute is None:
        return day
    zone = "" if zone in {"Z", "+00:00"} else zone
    return f"{day} {minute}{'' if grain is Length.MINUTE else second}{zone}"
