"""Conditions on dates: on a date column, on a year, or on a month or weekday that stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.sqltext import all_of, as_number, column_of, number, text
from adapters.models.offline.reading.periods import MONTH_NAMES, WEEKDAY_NAMES, Period
from adapters.models.offline.sketch.sketch import Dated
from adapters.models.offline.world.roles import (
    date_columns,
    month_column,
    weekday_column,
    year_column,
)
from adapters.models.offline.world.schema import Column, Table


def dated(condition: Dated, frame: Frame) -> tuple[exp.Expr, tuple[str, ...]]:
    """Write when something happened, and name the table that knows it."""
    column = _column(condition, frame)
    period = condition.period
    if period.recurring:
        if period.months and not any(map(_has_year, frame.sketch.conditions)):
            frame.notes.append(f"{period.text} of every year, as no year was named")
        return _recurring(column, period, frame), (column.table,)
    start, end = _bounds(condition)
    table = frame.table(column.table)
    if column.is_time:
        sql = all_of(calendar.within(column, start, end, frame.dialect))
    elif column.is_year:
        sql = _in_years(table, column, start, end)
    elif column.is_number:
        sql = _whole_years(column, start, end)
    else:
        raise NotUnderstood(f"{column.name} is no date")
    return sql, (column.table,)


def _has_year(condition: object) -> bool:
    """Say whether a condition may name the year."""
    return not isinstance(condition, Dated) or not condition.period.recurring


def _column(condition: Dated, frame: Frame) -> Column:
    """Find the date that is meant: the one named, or that of what is named or counted."""
    option = frame.reading.option(condition.mention)
    if option is not None and option.column is not None:
        column = option.column
        parts = {"month", "day", "year"} & set(column.words)
        counts = column.is_number and (bool(parts) or not column.is_measure)
        if column.is_time or counts or column.is_year or condition.period.recurring:
            return column
    near = (option.table.name,) if option is not None else ()
    if condition.period.recurring:
        return _recurring_column(condition.period, (*near, *frame.measured_tables()), frame)
    return frame.date_column((*near, *frame.measured_tables()))


def _recurring_column(period: Period, near: Sequence[str], frame: Frame) -> Column:
    for name in dict.fromkeys((*near, *frame.core)):
        table = frame.table(name)
        named = weekday_column(table) if period.weekdays else month_column(table)
        if named is not None:
            return named
    return frame.date_column(near)


def _bounds(condition: Dated) -> tuple[date | None, date | None]:
    period, until = condition.period, condition.until
    match condition.relation:
        case "before":
            return None, period.start
        case "after":
            return period.end, None
        case "since":
            return period.start, None
        case "until":
            return None, period.end
        case "between" if until is not None:
            return period.start, until.end
        case _:
            return period.start, period.end


def _recurring(column: Column, period: Period, frame: Frame) -> exp.Expr:
    """Write `in March`, `on weekends`: by the date's part, or by a column that names it."""
    numbers = period.months or tuple(day + 1 for day in period.weekdays)
    if column.is_time:
        unit = "MONTH" if period.months else "WEEKDAY"
        return _among(calendar.part(column, unit, frame.dialect), [number(n) for n in numbers])
    if column.is_number:
        return _among(column_of(column), [number(n) for n in numbers])
    names = MONTH_NAMES if period.months else WEEKDAY_NAMES
    wanted = [names[n - 1] for n in numbers]
    written = [_as_written(column, name) for name in wanted]
    return _among(column_of(column), [text(name) for name in written])


def _as_written(column: Column, name: str) -> str:
    """Write a month or weekday as the column does: `Jan`, `january`, `January`."""
    for value in column.values:
        folded = value.lower()
        if folded == name.lower() or (len(folded) == 3 and name.lower().startswith(folded)):
            return value
    return name


def _among(sql: exp.Expr, values: list[exp.Expr]) -> exp.Expr:
    if len(values) == 1:
        return exp.EQ(this=sql, expression=values[0])
    return exp.In(this=sql, expressions=values)


def _in_years(table: Table, year: Column, start: date | None, end: date | None) -> exp.Expr:
    """Write a period over a year column, with a month column beside it where one is needed."""
    month = month_column(table)
    whole = all(bound is None or (bound.month, bound.day) == (1, 1) for bound in (start, end))
    if whole:
        return _whole_years(year, start, end)
    if month is None:
        raise NotUnderstood(f"{year.name} knows years only")
    return _months(year, month, start, end)


def _whole_years(year: Column, start: date | None, end: date | None) -> exp.Expr:
    first = start.year if start is not None else None
    last = end.year - 1 if end is not None else None
    if first is not None and first == last:
        value = number(first) if year.is_number else text(str(first))
        return exp.EQ(this=column_of(year), expression=value)
    found: list[exp.Expr] = []
    if first is not None:
        found.append(exp.GTE(this=as_number(year), expression=number(first)))
    if last is not None:
        found.append(exp.LTE(this=as_number(year), expression=number(last)))
    return all_of(found)


def _months(year: Column, month: Column, start: date | None, end: date | None) -> exp.Expr:
    last = (end - timedelta(days=1)) if end is not None else None
    if (
        start is not None
        and last is not None
        and (start.year, start.month) == (last.year, last.month)
    ):
        wanted = _month_value(month, start.month)
        this_year = exp.EQ(this=column_of(year), expression=number(start.year))
        return all_of([this_year, exp.EQ(this=column_of(month), expression=wanted)])
    position = exp.Add(
        this=exp.Mul(this=as_number(year), expression=number(12)), expression=month_number(month)
    )
    found: list[exp.Expr] = []
    if start is not None:
        found.append(exp.GTE(this=position, expression=number(start.year * 12 + start.month)))
    if last is not None:
        found.append(exp.LTE(this=position.copy(), expression=number(last.year * 12 + last.month)))
    return all_of(found)


def _month_value(month: Column, value: int) -> exp.Expr:
    if month.is_number:
        return number(value)
    return text(_as_written(month, MONTH_NAMES[value - 1]))


def month_number(month: Column) -> exp.Expr:
    """Return the number of a month that may be written by its name."""
    if month.is_number:
        return column_of(month)
    return position_of(month, MONTH_NAMES)


def position_of(column: Column, names: Sequence[str]) -> exp.Expr:
    """Return at which place a value stands among names that have an order of their own."""
    case = exp.Case(this=column_of(column))
    for place, name in enumerate(names, start=1):
        case = case.when(text(_as_written(column, name)), number(place))
    return case


def natural_order(column: Column) -> Sequence[str]:
    """Return the names that a column's values follow, such as months; empty for others."""
    values = {value.strip().lower() for value in column.values}
    for names in (MONTH_NAMES, WEEKDAY_NAMES):
        known = {name.lower() for name in names} | {name.lower()[:3] for name in names}
        if values and values <= known:
            return names
    return ()


__all__ = ["date_columns", "dated", "month_number", "natural_order", "position_of", "year_column"]
