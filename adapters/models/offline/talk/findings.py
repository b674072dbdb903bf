"""Says what a result shows, in figures that stand in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.models.offline.talk.situation import ToolAnswer

_NAMES_SHOWN = 5
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?([T ].*)?$")
Row = Sequence[object]


def finding(answer: ToolAnswer, *, title: str, figures: Sequence[bool], percent: bool) -> str:
    """Return one to three sentences; `figures` marks the columns that are figures."""
    rows = answer.rows
    if not rows or answer.row_count == 0:
        return f"No rows match: {_lower(title)}."
    if len(rows) == 1 and answer.row_count == 1 and any(figures):
        return _single(answer, title, percent=percent)
    at = _figure_column(rows, figures)
    if at is None:
        return _listed(answer, title)
    return _ranked(answer, at, title)


def _single(answer: ToolAnswer, title: str, *, percent: bool) -> str:
    [row] = answer.rows
    if len(row) == 1:
        value = shown(row[0])
        sign = " %" if percent and isinstance(row[0], int | float) else ""
        return f"{title}: {value}{sign}."
    said = ", ".join(f"{_plain(n)} {shown(c)}" for n, c in zip(answer.columns, row, strict=False))
    return f"{title}: {said}."


def _figure_column(rows: Sequence[Row], figures: Sequence[bool]) -> int | None:
    """Return the column of figures that the rows are about."""
    width = len(rows[0])
    marked = [at for at in range(width) if at < len(figures) and figures[at]]
    numeric = [at for at in marked if all(_is_number(row[at]) or row[at] is None for row in rows)]
    return numeric[-1] if numeric and width > len(marked) else None


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _listed(answer: ToolAnswer, title: str) -> str:
    names = [_name(row, ()) for row in answer.rows[:_NAMES_SHOWN]]
    more = answer.row_count - len(names)
    listed = ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
    at_least = "at least " if answer.truncated else ""
    rows = "1 row" if answer.row_count == 1 else f"{answer.row_count:,} rows"
    return f"{title}: {at_least}{rows}. {listed}."


def _ranked(answer: ToolAnswer, at: int, title: str) -> str:
    """Name the highest and the lowest, and for a series its last period."""
    rows = [row for row in answer.rows if _is_number(row[at])]
    if not rows:
        return f"{title}: {answer.row_count:,} rows, none with a figure."
    skipped = frozenset({at})
    best = max(rows, key=lambda row: _number(row[at]))
    worst = min(rows, key=lambda row: _number(row[at]))
    text = f"{title}: highest is {_name(best, skipped)} with {shown(best[at])}"
    text += f", lowest {_name(worst, skipped)} with {shown(worst[at])}" if worst is not best else ""
    text += f" ({answer.row_count:,} rows)."
    if _is_series(answer.rows):
        last = answer.rows[-1]
        text += f" The last period, {shown(last[0])}, has {shown(last[at])}."
    return text


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def _is_series(rows: Sequence[Row]) -> bool:
    return all(isinstance(row[0], str) and _DATE.match(row[0]) for row in rows)


def _name(row: Row, skipped: frozenset[int] | Sequence[int]) -> str:
    """Return what stands for a row: its first cells that are no figures."""
    cells = [shown(cell) for at, cell in enumerate(row) if at not in skipped]
    words = [cell for cell in cells[:3] if cell]
    return " ".join(words[:2]) if words else "(none)"


def shown(cell: object) -> str:
    """Write a cell for a reader: figures with their thousands, two decimals where they matter."""
    match cell:
        case None:
            return "(none)"
        case bool():
            return "yes" if cell else "no"
        case int():
            return f"{cell:,}" if abs(cell) >= 10_000 else str(cell)
        case float():
            return _decimal(cell)
        case _:
            text = str(cell).strip()
            return text[:10] if re.match(r"\d{4}-\d{2}-\d{2}[T ]00:00:00", text) else text


def _decimal(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return shown(int(value))
    digits = 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]
