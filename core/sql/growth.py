"""Calls that make much out of little: long texts, long series, big arrays.

They are honest with small counts and stop a server with large ones, some of them in a single step
that no time limit interrupts. So the counts in their arguments are bounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from datetime import datetime

from sqlglot import exp

from core.sql.verdict import Refused

LONGEST_TEXT = 10_000
LONGEST_SERIES = 100_000
_LONGEST_TIME_SERIES = 1_000_000

_TEXT_TYPES = (exp.Repeat, exp.Pad, exp.Space, exp.Randstr, exp.Factorial)
_SERIES_TYPES = (
    exp.GenerateSeries,
    exp.ExplodingGenerateSeries,
    exp.GenerateDateArray,
    exp.GenerateTimestampArray,
    exp.Generator,
)
_TEXT_NAMES = frozenset(
    {
        "bar",
        "factorial",
        "leftpad",
        "lpad",
        "randomblob",
        "randstr",
        "repeat",
        "replicate",
        "rightpad",
        "rpad",
        "space",
        "zeroblob",
    }
)
_SERIES_NAMES = frozenset(
    {
        "array_fill",
        "array_generate_range",
        "array_repeat",
        "array_resize",
        "arrayrange",
        "arraywithconstant",
        "bitstring",
        "generate_array",
        "generate_range_array",
        "generate_series",
        "generateseries",
        "list_resize",
        "ngrams",
        "numbers",
        "numbers_mt",
        "range",
        "repeat_row",
        "sequence",
        "zeros",
        "zeros_mt",
    }
)
_RANGE_NAMES = frozenset(
    {
        "array_generate_range",
        "generate_array",
        "generate_date_array",
        "generate_series",
        "generate_timestamp_array",
        "generateseries",
        "numbers",
        "numbers_mt",
        "range",
        "sequence",
        "zeros",
        "zeros_mt",
    }
)
_FORMAT_NAMES = frozenset(
    {"format", "format_number", "format_string", "formatrow", "printf", "sformat", "to_char"}
)
_FORMAT_TYPES = (exp.Format, exp.ToChar, exp.NumberToStr)

GROWING_TYPES: tuple[type[exp.Expr], ...] = (*_TEXT_TYPES, *_SERIES_TYPES, *_FORMAT_TYPES)
GROWING_NAMES = _TEXT_NAMES | _SERIES_NAMES | _FORMAT_NAMES


def check_growth(call: exp.Expr, name: str) -> None:
    """Refuse a call whose counts are too large.

    Raises:
        Refused
    """
    if isinstance(call, _FORMAT_TYPES) or name in _FORMAT_NAMES:
        _check_format(call, name)
    elif isinstance(call, _TEXT_TYPES) or name in _TEXT_NAMES:
        _check_numbers(call, name, at_most=LONGEST_TEXT)
    else:
        _check_series(call, name)


def series_length(call: exp.Expr) -> float | None:
    """Return how many items a series with constant bounds has; None where that is not known."""
    if isinstance(call, exp.Generator):
        return constant(call.args.get("rowcount"))
    start, end, step = _bounds(call)
    numbers = [constant(each) for each in (start, end)]
    by = constant(step) if step is not None else 1.0
    if None not in numbers and by is not None:
        return _count(numbers[0], numbers[1], by)
    return _time_series_length(start, end, step)


def is_series(call: object) -> bool:
    """Say whether a call makes a series of rows or items."""
    if isinstance(call, exp.Anonymous):
        return call.name.lower() in _RANGE_NAMES
    return isinstance(call, _SERIES_TYPES)


def _bounds(call: exp.Expr) -> tuple[object, object, object]:
    """Return start, end and step; a single bound is the end, and begins at 0."""
    if not isinstance(call, exp.Anonymous):
        return call.args.get("start"), call.args.get("end"), call.args.get("step")
    given = call.expressions
    if len(given) == 1:
        return exp.Literal.number(0), given[0], None
    start, end, step = [*given, None, None, None][:3]
    return start, end, step


def constant(node: object) -> float | None:
    """Return the value of arithmetic on numbers alone; None of anything else."""
    match node:
        case exp.Literal():
            return None if node.is_string else _number(node.this)
        case exp.Paren():
            return constant(node.this)
        case exp.Cast():
            inner = node.this
            text = isinstance(inner, exp.Literal) and inner.is_string
            return _number(inner.this) if text else constant(inner)
        case exp.Neg():
            value = constant(node.this)
            return None if value is None else -value
        case exp.Binary() | exp.Pow():
            return _computed(node)
        case _:
            return None


def _computed(node: exp.Expr) -> float | None:
    left, right = constant(node.this), constant(node.args.get("expression"))
    compute = _OPERATORS.get(type(node))
    if left is None or right is None or compute is None:
        return None
    try:
        return compute(left, right)
    except (ArithmeticError, TypeError):
        return math.inf


_OPERATORS: dict[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: lambda one, other: one + other,
    exp.Sub: lambda one, other: one - other,
    exp.Mul: lambda one, other: one * other,
    exp.Div: lambda one, other: one / other,
    exp.IntDiv: lambda one, other: one // other,
    exp.Pow: lambda one, other: one**other,
    exp.BitwiseXor: lambda one, other: one**other,  # PostgreSQL's spelling of a power
    exp.BitwiseLeftShift: lambda one, other: one * 2.0**other,
}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _count(start: float | None, end: float | None, step: float | None) -> float:
    if start is None or end is None:
        return math.inf
    return max(0.0, (end - start) / step + 1) if step else math.inf


def _check_series(call: exp.Expr, name: str) -> None:
    length = series_length(call) if is_series(call) else None
    if length is None and isinstance(call, exp.Generator):
        length = math.inf  # without a number of rows it runs until its time is over
    if name == "array_fill":
        _check_product(call, name)
    if length is not None:
        timed = _is_timed(call)
        if length > (_LONGEST_TIME_SERIES if timed else LONGEST_SERIES) + 1:
            raise _too_large(name, length, LONGEST_SERIES)
        return
    _check_numbers(call, name, at_most=LONGEST_SERIES)
    _check_step(call, name)


def _check_numbers(call: exp.Expr, name: str, *, at_most: float) -> None:
    for value in _numbers_in(call):
        if abs(value) > at_most or math.isnan(value):
            raise _too_large(name, value, at_most)


def _check_product(call: exp.Expr, name: str) -> None:
    items = math.prod(max(1.0, abs(value)) for value in _numbers_in(call))
    if items > LONGEST_SERIES:
        raise _too_large(name, items, LONGEST_SERIES)


def _too_large(name: str, value: float, at_most: float) -> Refused:
    return Refused(
        "size.count",
        f"{name}() with {value:,.0f} would make too much; at most {at_most:,.0f} is allowed. "
        "Use a smaller count.",
    )


def _numbers_in(call: exp.Expr) -> Iterator[float]:
    """Yield every constant in a call's arguments, not the ones of growing calls inside."""
    waiting = list(call.iter_expressions())
    while waiting:
        node = waiting.pop()
        value = constant(node)
        if value is not None:
            yield value
        elif not isinstance(node, GROWING_TYPES):
            waiting.extend(node.iter_expressions())


def _check_format(call: exp.Expr, name: str) -> None:
    for literal in call.find_all(exp.Literal):
        widths = _WIDTH.findall(literal.this) if literal.is_string else ()
        if any(int(width) > LONGEST_TEXT for pair in widths for width in pair if width):
            raise Refused(
                "size.count",
                f"{name}() with a width above {LONGEST_TEXT:,} is not allowed. Use a smaller one.",
            )
        if literal.is_string and len(literal.this) > LONGEST_TEXT:
            raise Refused("size.count", f"The pattern of {name}() is too long. Use a shorter one.")
    if any(each.is_string and "*" in each.this for each in call.find_all(exp.Literal)):
        _check_numbers(call, name, at_most=LONGEST_TEXT)


# As in "%5000s", "%.5000f" and "{:>5000}".
_WIDTH = re.compile(r"%[-+ 0#',.$]*(\d{1,18})|\{[^{}0-9]*(\d{1,18})")


# Series of dates


def _is_timed(call: exp.Expr) -> bool:
    return _moment(_bounds(call)[0]) is not None


def _time_series_length(start: object, end: object, step: object) -> float | None:
    first, last = _moment(start), _moment(end)
    seconds = _seconds(step) if step is not None else 86_400.0
    if first is None or last is None or seconds is None:
        return None
    if not seconds:
        return math.inf
    return abs((last - first).total_seconds() / seconds) + 1


def _moment(node: object) -> datetime | None:
    while isinstance(node, exp.Cast | exp.Paren | exp.Date | exp.Timestamp | exp.TsOrDsToDate):
        node = node.this
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    try:
        return datetime.fromisoformat(node.this).replace(tzinfo=None)
    except ValueError:
        return None


def _seconds(step: object) -> float | None:
    """Return the length of an interval literal; None where it is not one number and one unit."""
    while isinstance(step, exp.Cast | exp.Paren):
        step = step.this
    if isinstance(step, exp.Interval):
        text = f"{step.this.name if step.this else ''} {step.text('unit')}"
    elif isinstance(step, exp.Literal) and step.is_string:
        text = step.this
    else:
        return None
    found = _INTERVAL.fullmatch(text.strip().lower())
    return abs(float(found[1])) * _UNITS[found[2]] if found else None


_UNITS = {
    "microsecond": 1e-6,
    "millisecond": 1e-3,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3_600.0,
    "day": 86_400.0,
    "week": 604_800.0,
    "month": 2_592_000.0,
    "quarter": 7_776_000.0,
    "year": 31_536_000.0,
}
_INTERVAL = re.compile(rf"(-?\d+(?:\.\d+)?)\s*({'|'.join(_UNITS)})s?")


def _check_step(call: exp.Expr, name: str) -> None:
    seconds = _seconds(_bounds(call)[2]) if is_series(call) else None
    if seconds is not None and seconds < 1:
        raise Refused(
            "size.count",
            f"{name}() in steps shorter than a second is not allowed. Use a longer step.",
        )
