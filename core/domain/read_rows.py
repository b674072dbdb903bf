"""What the statements behind an answer read, in the words of its last line."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import ExecutedSql

_SCALES = ((1e9, "bn"), (1e6, "M"), (1e3, "k"))
_BYTES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
_FIRST_SHORTENED = 10_000


def read_in_words(statements: Sequence[ExecutedSql]) -> str:
    """Say how many rows and bytes were read: "about 181k rows read", "1.2 GB read".

    Empty where it is not known of every statement.
    """
    known = [each.read for each in statements if each.read is not None]
    if not known or len(known) < len(statements):
        return ""
    about = "" if all(each.confidence == "exact" for each in known) else "about "
    rows = _sum([each.rows for each in known])
    size = _sum([each.bytes for each in known])
    parts = [
        f"{_short(rows)} row{'' if rows == 1 else 's'}" if rows is not None else "",
        _size(size) if size else "",
    ]
    said = ", ".join(part for part in parts if part)
    return f"{about}{said} read" if said else ""


def _sum(figures: Sequence[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known and len(known) == len(figures) else None


def _short(rows: float) -> str:
    if rows < _FIRST_SHORTENED:
        return f"{rows:,.0f}"
    return next(f"{_three(rows / scale)}{name}" for scale, name in _SCALES if rows >= scale)


def _size(size: float) -> str:
    return next(
        (f"{_three(size / scale)} {name}" for scale, name in _BYTES if size >= scale),
        f"{size:,.0f} bytes",
    )


def _three(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"
