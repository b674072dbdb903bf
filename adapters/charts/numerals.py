"""How numbers are written, and where the marks of an axis stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.table import PERCENTAGES, SHARE

MINUS = "\N{MINUS SIGN}"

NOTHING = "\N{EN DASH}"  # written where there is no number

_SCALES = ((1e12, "T"), (1e9, "bn"), (1e6, "M"), (1e3, "k"))
_FIRST_SHORTENED = 1e4  # below it "1,250" is as short as "1.25k"
_TOO_LARGE = 1e16
_MOST_DECIMALS = 8
_NOTHING = 1e-290  # what is smaller cannot be divided any more
_NARROWEST = 1e-6  # an axis spans at least this part of its numbers, so that marks can differ


@dataclass(frozen=True, slots=True)
class Numerals:
    """How all numbers of one axis are written: on one scale, with the same decimals."""

    scale: float = 1.0
    suffix: str = ""
    decimals: int = 0

    def write(self, value: float) -> str:
        shown = value / self.scale
        if abs(shown) >= _TOO_LARGE:
            return _scientific(shown)
        digits = f"{abs(shown):,.{self.decimals}f}"
        zero = not any(digit in digits for digit in "123456789")
        sign = MINUS if shown < 0 and not zero else ""
        return f"{sign}{digits}" if zero else f"{sign}{digits}{self.suffix}"


def for_marks(marks: Sequence[float], unit: str) -> Numerals:
    """Return how the marks of an axis are written so that each is exact."""
    if unit in PERCENTAGES:
        scale = 0.01 if unit == SHARE else 1.0
        return Numerals(scale, "%", _decimals(marks, scale))
    scale, suffix = _scale(max((abs(mark) for mark in marks), default=0.0))
    return Numerals(scale, suffix, _decimals(marks, scale))


def _decimals(marks: Sequence[float], scale: float) -> int:
    largest = max((abs(mark) / scale for mark in marks), default=0.0)
    slack = max(largest * 1e-9, 1e-12)
    exact = (
        decimals
        for decimals in range(_MOST_DECIMALS)
        if all(abs(round(mark / scale, decimals) - mark / scale) <= slack for mark in marks)
    )
    return next(exact, _MOST_DECIMALS)


def write(value: float, unit: str = "") -> str:
    """Write one number with about three digits: 1.23M, 45.6k, 1,234, 0.0123, 12%."""
    if unit in PERCENTAGES:
        return _rounded(value * 100 if unit == SHARE else value, Numerals(suffix="%"))
    if abs(value) >= 1e15:
        return _scientific(value)
    scale, suffix = _scale(float(f"{value:.3g}"))
    return _rounded(value, Numerals(scale, suffix))


def _rounded(value: float, numerals: Numerals) -> str:
    size = abs(value / numerals.scale)
    if size == 0 or size >= 100:
        decimals = 0
    elif size < 1e-4:
        return _scientific(value / numerals.scale) + numerals.suffix
    else:
        decimals = max(0, 2 - math.floor(math.log10(size)))
        decimals = len(f"{size:.{decimals}f}".rstrip("0").partition(".")[2])
    half_up = 1 + 1e-12  # as people round
    return Numerals(numerals.scale, numerals.suffix, decimals).write(value * half_up)


def _scale(size: float) -> tuple[float, str]:
    if abs(size) < _FIRST_SHORTENED:
        return 1.0, ""
    return next((scale, suffix) for scale, suffix in _SCALES if abs(size) >= scale)


def _scientific(value: float) -> str:
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".").replace("-", MINUS)
    return f"{mantissa}e{int(exponent)}".replace("e-", f"e{MINUS}")


def marks(low: float, high: float, *, about: int, whole: bool = False) -> tuple[float, ...]:
    """Return evenly spaced round numbers from at most `low` to at least `high`.

    `whole`: no fractions between them, for counts.
    """
    span = max(high - low, max(abs(low), abs(high)) * _NARROWEST)
    span = span if span > _NOTHING else 1.0
    step = _round_step(span / max(about, 1))
    if whole:
        step = max(1.0, step)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    return tuple(_tidy(at * step) for at in range(first, last + 1))


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in (1, 2, 2.5, 5, 10) if power * step >= rough * 0.999)


def _tidy(value: float) -> float:
    return float(f"{value:.12g}")
