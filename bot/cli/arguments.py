"""Values of arguments, read in one way by every command; what does not fit is a sentence."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from datetime import date


def a_day(given: str) -> date:
    """Read a day such as 2026-03-31."""
    try:
        return date.fromisoformat(given)
    except ValueError as error:
        raise ArgumentTypeError(f"{given!r} is no day; write it like 2026-03-31") from error


def number_from(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers from `least` to `most`."""
    span = f"from {least} on" if most is None else f"from {least} to {most}"

    def read(given: str) -> int:
        number = int(given) if given.isascii() and given.isdigit() else None
        if number is None or number < least or (most is not None and number > most):
            raise ArgumentTypeError(f"{given!r} is no whole number {span}")
        return number

    return read
