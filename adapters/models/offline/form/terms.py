"""Terms of a sketch as SQL, with the tables that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import as_number, column_of, number, text
from adapters.models.offline.reading.periods import WEEKDAY_NAMES, Grain
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Bucket,
    Everything,
    Field,
    Gap,
    Measure,
    Mention,
    Ratio,
    Span,
    Term,
)
from adapters.models.offline.world.roles import (
    count_column,
    display_columns,
    is_mean,
    money_columns,
    month_column,
    name_columns,
    weekday_column,
)
from adapters.models.offline.world.schema import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One expression of a query: its SQL, the tables it reads, and what to call it."""

    sql: exp.Expr
    name: str
    tables: tuple[str, ...]
    aggregated: bool = False
    column: Column | None = None
    table: Table | None = None
    grain: Grain | None = None
    median: bool = False
    sort: exp.Expr | None = None

    def same_as(self, other: Piece) -> bool:
        return self.sql == other.sql


def tables_needed(term: Term, frame: Frame) -> tuple[str, ...]:
    """Return the tables that a term reads, before it can be written."""
    match term:
        case Field(mention=mention):
            return (frame.option(mention).table.name,)
        case Measure(mention=mention):
            return (frame.option(mention).table.name,) if mention is not None else ()
        case Everything(mention=mention):
            return (frame.option(mention).table.name,) if mention is not None else ()
        case Bucket(mention=mention):
            return (frame.option(mention).table.name,) if mention is not None else ()
        case Span(first=first, last=last):
            return (frame.option(first).table.name, frame.option(last).table.name)
        case Ratio(top=top, bottom=bottom) | Gap(top=top, bottom=bottom):
            return (*tables_needed(top, frame), *tables_needed(bottom, frame))


def pieces_of(term: Term, frame: Frame) -> tuple[Piece, ...]:
    """Write a term; a table stands for what its rows are called by."""
    match term:
        case Field(mention=mention):
            return _field(mention, frame)
        case Measure():
            return (measure(term, frame),)
        case Everything(mention=mention):
            return _everything(mention, frame)
        case Bucket():
            return (bucket(term, frame),)
        case Span():
            return (_span(term, frame),)
        case Gap():
            return (_gap(term, frame),)
        case Ratio():
            raise NotUnderstood("a ratio is written with its conditions")


def _gap(term: Gap, frame: Frame) -> Piece:
    (one,), (other,) = pieces_of(term.top, frame), pieces_of(term.bottom, frame)
    sql: exp.Expr = exp.Sub(this=one.sql, expression=other.sql)
    tables = (*one.tables, *other.tables)
    if term.aggregate is None:
        return Piece(sql, "difference", tables, aggregated=one.aggregated)
    kind = {Aggregate.AVG: exp.Avg, Aggregate.SUM: exp.Sum, Aggregate.MIN: exp.Min}
    made = kind.get(term.aggregate, exp.Max)(this=sql)
    name = f"{_PREFIXES[term.aggregate]}_difference"
    return Piece(made, name, tables, aggregated=True)


def plain(column: Column) -> Piece:
    return Piece(column_of(column), column.name, (column.table,), column=column)


def _field(mention: Mention, frame: Frame) -> tuple[Piece, ...]:
    option = frame.option(mention)
    if option.column is None:
        columns = display_columns(option.table)
        return tuple(replace(plain(column), table=option.table) for column in columns)
    return tuple(plain(column) for column in _whole_name(mention, option))


def _whole_name(mention: Mention, option: Option) -> Sequence[Column]:
    """Take first and last name where just the name was asked for and there is no other."""
    column = option.column
    words = mention.text.lower().split()
    named = name_columns(option.table)
    whole = not set(words) & {"first", "last", "given", "family"} or "and" in words
    if column in named and len(named) == 2 and words[-1] in {"name", "names"} and whole:
        return named
    return (column,) if column is not None else ()


def _everything(mention: Mention | None, frame: Frame) -> tuple[Piece, ...]:
    table = frame.option(mention).table if mention is not None else frame.subject()
    if table is None:
        raise NotUnderstood("everything of what?")
    return tuple(plain(column) for column in table.columns)


def measure(term: Measure, frame: Frame) -> Piece:
    """Write an aggregate."""
    if term.mention is None:
        return Piece(exp.Count(this=exp.Star()), "count", (), aggregated=True)
    option = frame.option(term.mention)
    if term.aggregate is Aggregate.COUNT:
        return _count(term, option, frame)
    if term.aggregate is Aggregate.SUM and _are_events(option):
        return _count(term, option, frame)
    column = option.column or _figure_of(option.table, frame)
    if column.is_key and term.aggregate in _RECKONING:
        raise NotUnderstood(f"{column.name} tells rows apart and measures nothing")
    sql = _AGGREGATES[term.aggregate](column, frame)
    if frame.sketch.decimals is not None:
        sql = exp.Round(this=sql, decimals=number(frame.sketch.decimals))
    prefix = _PREFIXES[term.aggregate]
    name = column.name.lower().removeprefix(f"{prefix}_")
    name = f"{prefix}_{name}"
    median = term.aggregate is Aggregate.MEDIAN
    return Piece(sql, name, (column.table,), aggregated=True, column=column, median=median)


def _are_events(option: Option) -> bool:
    """Say whether `total signups` can only be counted."""
    if option.column is not None:
        return option.column.is_time
    return not money_columns(option.table)


def _count(term: Measure, option: Option, frame: Frame) -> Piece:
    table, column = option.table, option.column
    name = f"number_of_{(table if column is None else column).name.rsplit('.', 1)[-1]}".lower()
    if column is None:
        return Piece(
            _count_rows(table, frame, distinct=term.distinct), name, (table.name,), aggregated=True
        )
    if column.is_measure and not term.distinct and _is_row_figure(column, frame):
        return plain(column)
    if column.is_measure and not term.distinct:
        return Piece(
            exp.Sum(this=column_of(column)), name, (table.name,), aggregated=True, column=column
        )
    if column.is_time and not term.distinct:
        return Piece(exp.Count(this=column_of(column)), name, (table.name,), aggregated=True)
    if column in table.key and not term.distinct:
        return Piece(
            _count_rows(table, frame, distinct=False), name, (table.name,), aggregated=True
        )
    return Piece(_distinct(column_of(column)), name, (table.name,), aggregated=True, column=column)


def _is_row_figure(column: Column, frame: Frame) -> bool:
    """Say whether `number of pages` is one figure of each row shown, not a sum of them."""
    shown = [frame.option(item.mention) for item in frame.sketch.items if isinstance(item, Field)]
    return (
        bool(shown) and all(o.table.name == column.table for o in shown) and not frame.sketch.groups
    )


def _distinct(sql: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[sql]))


def _count_rows(table: Table, frame: Frame, *, distinct: bool) -> exp.Expr:
    """Count rows of a table once each, however many rows the other tables make of them."""
    counts = count_column(table)
    if counts is not None and not distinct:
        return exp.Sum(this=column_of(counts))
    if frame.multiplies(table.name) and len(table.key) == 1:
        return _distinct(column_of(table.key[0]))
    if distinct and name_columns(table):
        return _distinct(column_of(name_columns(table)[0]))
    return exp.Count(this=exp.Star())


def _figure_of(table: Table, frame: Frame) -> Column:
    """Return what a table's rows are worth, for `total sales` and the like."""
    found = money_columns(table)
    if not found:
        raise NotUnderstood(f"nothing to add up in {table.name}")
    frame.notes.append(f"{table.label} are measured by {found[0].label}")
    return found[0]


def _median(column: Column, frame: Frame) -> exp.Expr:
    plain_column = as_number(column)
    if frame.dialect == "duckdb":
        return exp.Anonymous(this="MEDIAN", expressions=[plain_column])
    if frame.dialect in {"sqlite", "mysql"}:
        return plain_column  # a query of its own takes the middle of them: form/median.py
    order = exp.Order(expressions=[exp.Ordered(this=plain_column)])
    half = exp.PercentileCont(this=number(0.5))
    return exp.WithinGroup(this=half, expression=order)


_AGGREGATES: dict[Aggregate, Callable[[Column, Frame], exp.Expr]] = {
    Aggregate.SUM: lambda column, _: exp.Sum(this=as_number(column)),
    Aggregate.AVG: lambda column, _: exp.Avg(this=as_number(column)),
    Aggregate.MIN: lambda column, _: exp.Min(this=column_of(column)),
    Aggregate.MAX: lambda column, _: exp.Max(this=column_of(column)),
    Aggregate.MEDIAN: _median,
}
_PREFIXES = {
    Aggregate.SUM: "total", Aggregate.AVG: "average", Aggregate.MIN: "lowest",
    Aggregate.MAX: "highest", Aggregate.MEDIAN: "median", Aggregate.COUNT: "number_of",
}  # fmt: skip


_RECKONING = frozenset({Aggregate.SUM, Aggregate.AVG, Aggregate.MEDIAN})


def aggregated(column: Column, *, descending: bool) -> exp.Expr:
    """Make one figure of several rows: ratings are averaged, amounts are added up."""
    if not column.is_number:
        return exp.Max(this=column_of(column)) if descending else exp.Min(this=column_of(column))
    return exp.Avg(this=column_of(column)) if is_mean(column) else exp.Sum(this=column_of(column))


def bucket(term: Bucket, frame: Frame) -> Piece:
    mention = term.mention
    if term.grain is Grain.WEEKDAY:
        named = [weekday_column(frame.table(name)) for name in frame.measured_tables()]
        for column in named:
            if column is not None:
                return plain(column)
    option = frame.reading.option(mention)
    column = option.column if option is not None else None
    column = column or frame.date_column(frame.measured_tables())
    if column.is_year:
        return _named_bucket(column, term.grain, frame)
    if term.grain is Grain.WEEKDAY:
        return _weekday(column, frame)
    sql = calendar.bucket(column, term.grain, frame.dialect)
    return Piece(sql, term.grain.value, (column.table,), column=column, grain=term.grain)


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


def _span(term: Span, frame: Frame) -> Piece:
    first, last = frame.option(term.first), frame.option(term.last)
    if first.column is None or last.column is None:
        raise NotUnderstood("a time needs two dates")
    days = calendar.days_between(*_whole_days(first.column, last.column, frame), frame.dialect)
    tables = (first.table.name, last.table.name)
    if frame.sketch.decimals is not None and term.aggregate is Aggregate.AVG:
        rounded = exp.Round(this=exp.Avg(this=days), decimals=number(frame.sketch.decimals))
        return Piece(rounded, "average_days", tables, aggregated=True)
    if term.aggregate is None:
        return Piece(days, "days", tables)
    if term.aggregate is Aggregate.AVG:
        return Piece(exp.Avg(this=days), "average_days", tables, aggregated=True)
    kind = exp.Max if term.aggregate is Aggregate.MAX else exp.Min
    return Piece(kind(this=days), "days", tables, aggregated=True)
