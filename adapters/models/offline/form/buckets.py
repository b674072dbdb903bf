"""Periods and times as expressions: the month of a date, the days between two."""

from __future__ import annotations

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.frame import Frame, NotUnderstood, OutOfReach
from adapters.models.offline.form.joining import equal
from adapters.models.offline.form.pieces import Piece, plain
from adapters.models.offline.form.sqltext import column_of, number, text
from adapters.models.offline.reading.lemmas import plural
from adapters.models.offline.reading.periods import WEEKDAY_NAMES, Grain
from adapters.models.offline.sketch.sketch import Aggregate, Bucket, Span
from adapters.models.offline.world.roles import hour_column, month_column, weekday_column
from adapters.models.offline.world.schema import Column, Table


def bucket(term: Bucket, frame: Frame) -> Piece:
    mention = term.mention
    held = {Grain.WEEKDAY: weekday_column, Grain.HOUR: hour_column}.get(term.grain)
    for name in frame.measured_tables() if held is not None else ():
        named = held(frame.table(name)) if held is not None else None
        if named is not None:
            return plain(named)
    option = frame.reading.option(mention)
    column = option.column if option is not None else None
    column = column or frame.date_column(frame.measured_tables())
    if column.is_year:
        return _named_bucket(column, term.grain, frame)
    if term.grain is Grain.WEEKDAY:
        return _weekday(column, frame)
    if term.grain is Grain.HOUR:
        return _hour(column, frame)
    sql = calendar.bucket(column, term.grain, frame.dialect)
    return Piece(sql, term.grain.value, (column.table,), column=column, grain=term.grain)


def _hour(column: Column, frame: Frame) -> Piece:
    if not column.has_hours:
        raise OutOfReach(f"{column.table}.{column.name} holds days and no time of day")
    part = calendar.part(column, "HOUR", frame.dialect)
    frame.notes.append(f"the hour is that of {column.table}.{column.name}, as it is stored")
    return Piece(part, "hour", (column.table,), column=column, grain=Grain.HOUR)


def _weekday(column: Column, frame: Frame) -> Piece:
    """Name the day of the week; Monday comes first."""
    part = calendar.part(column, "WEEKDAY", frame.dialect)
    named = exp.Case(this=part)
    for place, name in enumerate(WEEKDAY_NAMES, start=1):
        named = named.when(number(place), text(name))
    return Piece(named, "weekday", (column.table,), column=column, grain=Grain.WEEKDAY, sort=part)


def _named_bucket(year: Column, grain: Grain, frame: Frame) -> Piece:
    """Group by a column of years, or by the column of months beside it."""
    month = month_column(frame.table(year.table))
    column = month if grain is Grain.MONTH and month is not None else year
    if column is year and grain is not Grain.YEAR:
        raise NotUnderstood(f"{year.name} knows years only")
    return Piece(column_of(column), column.name, (column.table,), column=column)


def _whole_days(first: Column, last: Column, frame: Frame) -> tuple[exp.Expr, exp.Expr]:
    """Leave the hours of a moment out beside a mere day: what ships on that day ships after it."""
    sides = column_of(first), column_of(last)
    if frame.dialect != "sqlite" or ("time" in first.type.lower()) == ("time" in last.type.lower()):
        return sides
    one, other = (exp.Anonymous(this="DATE", expressions=[each]) for each in sides)
    return one, other


def span(term: Span, frame: Frame) -> Piece:
    first, last = frame.option(term.first), frame.option(term.last)
    if first.column is None or last.column is None:
        raise NotUnderstood("a time needs two dates")
    tables = (first.table.name, last.table.name)
    if term.unit is Grain.HOUR:
        sides = column_of(first.column), column_of(last.column)
        time = calendar.hours_between(*sides, frame.dialect)
    else:
        one, other = _whole_days(first.column, last.column, frame)
        if term.pick:
            other = _picked(other, term.pick, first.table, last.table, frame)
            tables = tables[:1]
        time = calendar.days_between(one, other, frame.dialect)
    unit = "hours" if term.unit is Grain.HOUR else "days"
    if frame.sketch.decimals is not None and term.aggregate is Aggregate.AVG:
        rounded = exp.Round(this=exp.Avg(this=time), decimals=number(frame.sketch.decimals))
        return Piece(rounded, f"average_{unit}", tables, aggregated=True)
    if term.aggregate is None:
        return Piece(time, unit, tables)
    if term.aggregate is Aggregate.AVG:
        return Piece(exp.Avg(this=time), f"average_{unit}", tables, aggregated=True)
    kind = exp.Max if term.aggregate is Aggregate.MAX else exp.Min
    return Piece(kind(this=time), unit, tables, aggregated=True)


def _picked(day: exp.Expr, pick: str, own: Table, other: Table, frame: Frame) -> exp.Expr:
    """Return the first or the last day among the rows that belong to a row of a table."""
    way = frame.joins.path([own.name], other.name)
    if not way or own is other:
        raise OutOfReach(f"No {other.label} belongs to a {own.label} here, so none is the {pick}.")
    found = (exp.Max if pick == "last" else exp.Min)(this=day)
    select = exp.select(found).from_(frame.source(frame.table(way[0].right.table)))
    for join in way[1:]:
        select = select.join(frame.source(frame.table(join.right.table)), on=equal(join))
    frame.notes.append(f"of the {plural(other.label)} of each {own.label} the {pick} one counts")
    return exp.Subquery(this=select.where(equal(way[0])))
