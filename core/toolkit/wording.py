"""How figures are written in findings and notes."""

from __future__ import annotations

from collections.abc import Sequence


def written(value: float) -> str:
    """Write a figure exactly enough to be found again in its row: 1,234, 12.35, 0.0123."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if 1 <= abs(value) < 1e15 else f"{value:.3g}"


def percent(share: float) -> str:
    """Write a share: 0.1234 is 12.3%."""
    return f"{share:.1%}"


def change(share: float) -> str:
    """Write a share of change with its sign: +12.3%."""
    return f"{share:+.1%}"


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence: a, b and c."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, one: str, many: str = "") -> str:
    """Write a number of things: 1 row, 2 rows."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
