"""Says whether two results are the same, however their columns are called and ordered.

Numbers count to five significant digits whatever their type, a midnight is a day, a boolean is 0
or 1, text is taken without the space around it. Rows are a bag, or a list where order matters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from datetime import date
from decimal import Decimal

from core.domain.table import Cell, json_cell

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?(Z|[+-]00:?00)?")

Rows = Sequence[Sequence[Cell]]
Column = tuple[Hashable, ...]


def same_result(gold: Rows, given: Rows, *, ordered: bool, lenient: bool = False) -> bool:
    """Say whether `given` holds the rows of `gold`; when `lenient`, beside further columns."""
    if len(gold) != len(given):
        return False
    if not gold:
        return True
    wanted, offered = _columns(gold), _columns(given)
    if len(wanted) > len(offered) or (len(wanted) < len(offered) and not lenient):
        return False
    return _match(wanted, offered, (), ordered=ordered)


def normal(cell: Cell) -> Hashable:
    """Return the cell in the one form in which it is compared."""
    match cell:
        case None:
            return None
        case bool() | int() | float() | Decimal():
            return _figure(float(cell))
        case str():
            return _normal_text(cell.strip())
        case date():
            return _normal_text(cell.isoformat())
        case _:
            return _normal_text(str(json_cell(cell)))


def _match(
    wanted: Sequence[Column], offered: Sequence[Column], chosen: tuple[int, ...], *, ordered: bool
) -> bool:
    """Give each wanted column an offered one, so that the rows made of them are the same."""
    done = len(chosen)
    if done and not _same_rows(wanted[:done], [offered[at] for at in chosen], ordered=ordered):
        return False
    if done == len(wanted):
        return True
    free = (at for at in range(len(offered)) if at not in chosen)
    return any(_match(wanted, offered, (*chosen, at), ordered=ordered) for at in free)


def _same_rows(wanted: Sequence[Column], offered: Sequence[Column], *, ordered: bool) -> bool:
    one, other = zip(*wanted, strict=True), zip(*offered, strict=True)
    return list(one) == list(other) if ordered else Counter(one) == Counter(other)


def _columns(rows: Rows) -> list[Column]:
    return [tuple(map(normal, column)) for column in zip(*rows, strict=True)]


def _normal_text(text: str) -> Hashable:
    if _NUMBER.fullmatch(text):
        return _figure(float(text))
    midnight = _MIDNIGHT.fullmatch(text)
    if midnight:
        return midnight[1]
    return re.sub(r"^(\d{4}-\d\d-\d\d)T", r"\1 ", text)


def _figure(value: float) -> Hashable:
    if math.isnan(value):
        return "NaN"
    # "+ 0.0" turns a negative zero into zero.
    return float(f"{value:.5g}") + 0.0
