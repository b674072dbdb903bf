"""Says what a result shows, in figures that stand in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.talk.situation import ToolAnswer
from core.domain.table import PERCENT, SHARE, ColumnKind
from core.domain.writing import writing_of, written

_NAMES_SHOWN = 5
_WHOLE = 1e15
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})([T ].*)?$")
_ID = re.compile(r"(?:^|_)(?:id|number|no|year)$|Id$|ID$")
Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a result is about: `figures` marks its columns that are figures over many rows.

    `percent` figures are out of a hundred, `share` figures out of one; `grain` is how long the
    periods are that its rows are grouped by, if they are. `first` says that its rows are the first
    of a ranking (highest or lowest), `within` that each is the first of a group, whose name stands
    before its own.
    """

    title: str
    figures: Sequence[bool] = ()
    percent: bool = False
    share: bool = False
    grain: Grain | None = None
    first: str = ""
    within: bool = False
    changes: bool = False
    develops: bool = False
    runs: bool = False


def finding(answer: ToolAnswer, subject: Subject) -> str:
    """Return one to three sentences on a result."""
    answer = replace(answer, rows=_plain_numbers(answer, subject))
    rows = answer.rows
    if not rows or answer.row_count == 0:
        return f"No rows match: {_lower(subject.title)}."
    if len(rows) == 1 and answer.row_count == 1 and any(subject.figures):
        return _single(answer, subject)
    at = _figure_column(rows, subject.figures)
    if at is None:
        return _listed(answer, subject)
    return _ranked(answer, at, subject)


def _single(answer: ToolAnswer, subject: Subject) -> str:
    [row] = answer.rows
    cells = [_figure_cell(at, answer, subject) for at in range(len(row))]
    if len(row) == 1:
        return f"{subject.title}: {cells[0]}."
    said = [
        cell if cell.startswith(f"the {name}") else f"{_plain(name)} {cell}"
        for name, cell in zip(answer.columns, cells, strict=False)
    ]
    return f"{subject.title}: {', '.join(said)}."


def _figure_cell(at: int, answer: ToolAnswer, subject: Subject) -> str:
    """Write a cell of a single row; the year of something is a name, not a figure."""
    cell = answer.rows[0][at]
    is_figure = at < len(subject.figures) and subject.figures[at]
    name = answer.columns[at].lower() if at < len(answer.columns) else ""
    if is_figure and "year" not in name:
        return worths(answer, at, subject if len(answer.rows[0]) == 1 else Subject(""))(cell)
    return told_cell(cell, subject)


def worths(answer: ToolAnswer, at: int, subject: Subject) -> Callable[[object], str]:
    """Return how the figures of a column are written: as its table and its chart write them."""
    name = answer.columns[at] if at < len(answer.columns) else ""
    unit = PERCENT if subject.percent or name.endswith("_percent") else ""
    unit = SHARE if subject.share else unit
    figures = [row[at] for row in answer.rows]
    known = [cell for cell in figures if isinstance(cell, bool | int | float | str)]
    writing = writing_of(name, ColumnKind.MEASURE, unit, known)

    def write(cell: object) -> str:
        is_known = isinstance(cell, bool | int | float | str)
        return written(cell, unit, writing) if is_known else shown(cell)

    return write


def _figure_column(rows: Sequence[Row], figures: Sequence[bool]) -> int | None:
    """Return the column of figures that the rows are about."""
    width = len(rows[0])
    marked = [at for at in range(width) if at < len(figures) and figures[at]]
    numeric = [at for at in marked if all(_is_number(row[at]) or row[at] is None for row in rows)]
    return numeric[-1] if numeric and width > len(marked) else None


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _listed(answer: ToolAnswer, subject: Subject) -> str:
    names = [_name(row, subject) for row in answer.rows[:_NAMES_SHOWN]]
    more = answer.row_count - len(names)
    listed = ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
    at_least = "at least " if answer.truncated else ""
    if answer.row_count == 1:
        return f"{subject.title}: {listed}."
    rows = f"{answer.row_count:,} rows"
    return f"{subject.title}: {at_least}{rows}. {listed}."


def _ranked(answer: ToolAnswer, at: int, subject: Subject) -> str:
    """Name the highest and the lowest, and for a series its last period."""
    rows = [row for row in answer.rows if _is_number(row[at])]
    if not rows:
        return f"{subject.title}: {answer.row_count:,} rows, none with a figure."
    worth = worths(answer, at, subject)
    if subject.within:
        return _first_of_each(answer, rows, at, subject, worth)
    if subject.first and len(rows) > 1:
        return _first_ones(rows, at, subject, worth)
    best = max(rows, key=lambda row: _number(row[at]))
    worst = min(rows, key=lambda row: _number(row[at]))
    text = f"{subject.title}: highest is {_name(best, subject, at)} with {worth(best[at])}"
    if worst is not best:
        text += f", lowest {_name(worst, subject, at)} with {worth(worst[at])}"
    text += f" ({answer.row_count:,} rows{', cut' if answer.truncated else ''})."
    if _is_series(answer.rows) and answer.row_count == len(answer.rows):
        last = max(answer.rows, key=lambda row: str(row[0]))
        text += f" The last period, {told_cell(last[0], subject)}, has {worth(last[at])}."
    return text


def _first_ones(
    rows: Sequence[Row], at: int, subject: Subject, worth: Callable[[object], str]
) -> str:
    """Name the first of a ranking, the one behind it and the last that is shown."""
    first, second, *others = rows
    text = f"{subject.title}: {subject.first} is {_name(first, subject, at)}"
    text += f" with {worth(first[at])}"
    text += f", then {_name(second, subject, at)} with {worth(second[at])}"
    if others:
        last = others[-1]
        text += f"; number {len(rows)} is {_name(last, subject, at)} with {worth(last[at])}"
    return f"{text}."


def _first_of_each(
    answer: ToolAnswer,
    rows: Sequence[Row],
    at: int,
    subject: Subject,
    worth: Callable[[object], str],
) -> str:
    """Name the first of each group."""
    firsts = [
        f"{told_cell(row[0], subject)}: {_name(row[1:], subject, at - 1)} with {worth(row[at])}"
        for row in rows[:_NAMES_SHOWN]
    ]
    more = answer.row_count - len(firsts)
    rest = f"; and {more:,} more" if more > 0 else ""
    return f"{subject.title}. {'; '.join(firsts)}{rest}."


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def _is_series(rows: Sequence[Row]) -> bool:
    """Say whether each row is one period."""
    periods = {row[0] for row in rows if isinstance(row[0], str) and _DATE.match(row[0])}
    return len(periods) == len(rows)


def _plain_numbers(answer: ToolAnswer, subject: Subject) -> tuple[tuple[object, ...], ...]:
    """Write numbers that are names, such as order_id, without the commas of a figure."""
    figures = {at for at, is_figure in enumerate(subject.figures) if is_figure}
    names = {at for at, name in enumerate(answer.columns) if _ID.search(name)} - figures
    return tuple(
        tuple(str(c) if at in names and _is_number(c) else c for at, c in enumerate(row))
        for row in answer.rows
    )


def _name(row: Row, subject: Subject, figure: int | None = None) -> str:
    """Return what stands for a row: its first cells that are not the figure."""
    cells = [told_cell(cell, subject) for at, cell in enumerate(row) if at != figure]
    words = [cell for cell in cells[:3] if cell]
    return " ".join(words[:2]) if words else "(no value)"


def told_cell(cell: object, subject: Subject) -> str:
    """Write a cell for a reader, the first day of a period as the period."""
    found = _DATE.match(cell) if isinstance(cell, str) and subject.grain is not None else None
    if found is None:
        return shown(cell)
    year, month = found[1], int(found[2])
    match subject.grain:
        case Grain.MONTH:
            return f"{date(int(year), month, 1):%B} {year}"
        case Grain.QUARTER:
            return f"Q{(month + 2) // 3} {year}"
        case Grain.WEEK:
            return f"the week of {shown(cell)}"
        case _:
            return shown(cell)


def shown(cell: object) -> str:
    """Write a cell for a reader: figures with their thousands, two decimals where they matter."""
    match cell:
        case None:
            return "(no value)"
        case bool():
            return "yes" if cell else "no"
        case int():
            return f"{cell:,}" if abs(cell) >= 10_000 else str(cell)
        case float():
            return _decimal(cell)
        case _:
            text = str(cell).strip()
            return text[:10] if re.match(r"\d{4}-\d{2}-\d{2}[T ]00:00:00", text) else text


def figure(cell: object) -> str:
    """Write a figure for a reader, with its thousands apart."""
    match cell:
        case bool():
            return shown(cell)
        case int():
            return f"{cell:,}"
        case float() if cell.is_integer() and abs(cell) < _WHOLE:
            return f"{cell:,.0f}"
        case _:
            return shown(cell)


def _decimal(value: float) -> str:
    if value.is_integer() and abs(value) < _WHOLE:
        return shown(int(value))
    digits = 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]
