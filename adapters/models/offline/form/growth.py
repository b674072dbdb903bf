"""What grew most: a figure in one period beside the same figure in the period before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.conditions import parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import joined, placed
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import all_of, as_number, number
from adapters.models.offline.form.terms import pieces_of
from adapters.models.offline.reading.periods import Grain, Period, shift, year_period
from adapters.models.offline.sketch.sketch import Aggregate, AnyOf, Condition, Dated, Field, Measure
from adapters.models.offline.world.roles import is_mean, money_columns
from adapters.models.offline.world.schema import Column, Table

_FARTHEST = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """What is added up or counted (`column` is None), and the date that tells the periods apart."""

    table: Table
    column: Column | None
    day: Column
    now: Period
    before: Period


def growth_query(frame: Frame) -> exp.Select:
    """Return each group with the figure before, the figure now, and the difference."""
    groups = _groups(frame)
    compared = _compared(frame)
    frame.core.clear()
    frame.add_core([compared.table.name, compared.day.table])
    frame.add_core(table for piece in groups for table in piece.tables)
    rest = [c for c in frame.sketch.conditions if not any(True for _ in _dates(c))]
    rows = placed([part for condition in rest for part in parts_of(condition, frame)], frame)
    earlier, later = (_figure(compared, p, frame) for p in (compared.before, compared.now))
    name = (compared.column or compared.table).name.lower()
    difference = exp.Sub(this=later.copy(), expression=earlier.copy())
    select = exp.select(
        *(exp.alias_(piece.sql.copy(), piece.name) for piece in groups),
        exp.alias_(earlier, f"{name}_{_label(compared.before)}"),
        exp.alias_(later, f"{name}_{_label(compared.now)}"),
        exp.alias_(difference, "change"),
        *([_percent(difference, earlier)] if frame.sketch.percent_growth else []),
    )
    both = calendar.within(compared.day, compared.before.start, compared.now.end, frame.dialect)
    select = joined(select, frame).where(*both, *rows)
    if groups:
        select = select.group_by(*(piece.sql.copy() for piece in groups))
        ordered = exp.Ordered(
            this=exp.column("change"), desc=frame.sketch.growth != "min", nulls_first=False
        )
        select = select.order_by(ordered)
    what = (
        compared.column.label
        if compared.column is not None
        else f"number of {compared.table.label}"
    )
    frame.notes.append(
        f"growth is the change of {what} from {compared.before.text} to {compared.now.text}"
    )
    return select.limit(frame.sketch.limit) if frame.sketch.limit and groups else select


def _percent(difference: exp.Expr, earlier: exp.Expr) -> exp.Expr:
    part = exp.Div(
        this=exp.cast(exp.Paren(this=difference.copy()), exp.DataType.Type.DOUBLE),
        expression=exp.Nullif(this=earlier.copy(), expression=number(0)),
    )
    return exp.alias_(exp.Mul(this=number(100), expression=part), "change_percent")


def _groups(frame: Frame) -> list[Piece]:
    terms = [item for item in frame.sketch.items if isinstance(item, Field)]
    terms += [group for group in frame.sketch.groups if isinstance(group, Field)]
    return [p for term in terms if not _is_figure(term, frame) for p in pieces_of(term, frame)]


def _is_figure(term: Field, frame: Frame) -> bool:
    """Say whether a name is what grows: a column of figures, or rows whose part is asked for."""
    column = frame.option(term.mention).column
    if column is None:
        return frame.sketch.percent_growth and not frame.sketch.which
    return column.is_measure


def _compared(frame: Frame) -> _Compared:
    table, column = _figure_column(frame)
    day = frame.date_column([table.name])
    if not day.is_time:
        raise NotUnderstood("growth needs dates")
    before, now = compared_periods(frame.sketch.conditions, frame.today)
    return _Compared(table, column, day, now, before)


def compared_periods(conditions: Sequence[Condition], today: date) -> tuple[Period, Period]:
    """Return the two that were named, else the one that was, or last year, and the one before."""
    found = sorted(
        (
            period
            for condition in conditions
            for period in _dates(condition)
            if period.start is not None and period.end is not None
        ),
        key=lambda period: period.start or date.min,
    )
    if len(found) > 1:
        return found[0], found[-1]
    now = found[0] if found else year_period(today.year - 1)
    return _previous(now), now


def _dates(condition: Condition) -> Iterator[Period]:
    if isinstance(condition, Dated):
        yield condition.period
        yield from (condition.until,) if condition.until is not None else ()
    elif isinstance(condition, AnyOf):
        for each in condition.conditions:
            yield from _dates(each)


def _previous(period: Period) -> Period:
    """Return the period of the same length right before."""
    start, end = period.start or date.min, period.end or date.max
    grain = period.grain
    first = _as_long_before(start, end)
    whole = grain is Grain.YEAR and shift(grain, start, 1) == end
    text = str(first.year) if whole else f"{first.isoformat()} to {start.isoformat()}"
    return Period(text, first, start, grain)


def _as_long_before(start: date, end: date) -> date:
    """Return where a period of the same length begins that ends at `start`; months are whole."""
    if start.day == end.day == 1:
        return shift(Grain.MONTH, start, (start.year - end.year) * 12 + start.month - end.month)
    return start - (end - start)


def _figure_column(frame: Frame) -> tuple[Table, Column | None]:
    """Return the figure that was named, else the money of the nearest table that has dates."""
    for item in frame.sketch.items:
        if isinstance(item, Measure) and item.mention is not None:
            option = frame.option(item.mention)
            counted = item.aggregate is Aggregate.COUNT
            column = option.column or next(iter(money_columns(option.table)), None)
            return option.table, None if counted else column
        if isinstance(item, Field) and _is_figure(item, frame):
            option = frame.option(item.mention)
            return option.table, option.column
    near = [
        (table.name in _named(frame), distance, table.name, table)
        for table in frame.schema.tables
        for distance in (frame.joins.distance(_named(frame), table.name),)
        if distance is not None and distance <= _FARTHEST and _worth(table) is not None
    ]
    for *_, table in sorted(near, key=lambda each: each[:3]):
        if all(frame.is_single_from(table.name, name) for name in _named(frame)):
            return table, _worth(table)
    raise NotUnderstood("nothing that could grow")


def _worth(table: Table) -> Column | None:
    """Return what may be added up: money, but no prices of one."""
    return next((column for column in money_columns(table) if not is_mean(column)), None)


def _named(frame: Frame) -> list[str]:
    return [
        frame.option(item.mention).table.name
        for item in frame.sketch.items
        if isinstance(item, Field)
    ]


def _figure(compared: _Compared, period: Period, frame: Frame) -> exp.Expr:
    inside = all_of(calendar.within(compared.day, period.start, period.end, frame.dialect))
    worth = as_number(compared.column) if compared.column is not None else number(1)
    return exp.Sum(this=exp.Case().when(inside, worth).else_(number(0)))


def _label(period: Period) -> str:
    start = period.start or date.min
    match period.grain:
        case Grain.YEAR:
            return str(start.year)
        case Grain.QUARTER:
            return f"{start.year}_q{(start.month + 2) // 3}"
        case Grain.MONTH:
            return f"{start:%Y_%m}"
        case _:
            return start.isoformat().replace("-", "_")
