"""Dates in each dialect: the period of a date, its parts, the time between two."""

from __future__ import annotations

from datetime import date

from sqlglot import exp

from adapters.models.offline.form.sqltext import column_of, number, text
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.world.schema import Column


def bucket(column: Column, grain: Grain, dialect: str) -> exp.Expr:
    """Return the first day of the period that a date lies in; for a year, its number."""
    if grain is Grain.YEAR:
        return part(column, "YEAR", dialect)
    match dialect:
        case "sqlite":
            return _bucket_sqlite(column, grain)
        case "mysql":
            return _bucket_mysql(column, grain)
        case _:
            truncated = exp.func("DATE_TRUNC", text(grain.value), _moment(column))
            return exp.cast(truncated, exp.DataType.Type.DATE)


def _bucket_sqlite(column: Column, grain: Grain) -> exp.Expr:
    plain = column_of(column)
    match grain:
        case Grain.WEEK:
            return _call("DATE", plain, text("weekday 0"), text("-6 days"))
        case Grain.MONTH:
            return _call("DATE", plain, text("start of month"))
        case Grain.QUARTER:
            month = part(column, "MONTH", "sqlite")
            back = exp.Mod(
                this=exp.Paren(this=exp.Sub(this=month, expression=number(1))), expression=number(3)
            )
            steps = exp.DPipe(
                this=exp.DPipe(this=text("-"), expression=exp.Paren(this=back)),
                expression=text(" months"),
            )
            return _call("DATE", plain, text("start of month"), steps)
        case _:
            return _call("DATE", plain)


def _bucket_mysql(column: Column, grain: Grain) -> exp.Expr:
    plain = column_of(column)
    match grain:
        case Grain.WEEK:
            day = _call("DATE", plain)
            return _call("SUBDATE", day, _call("WEEKDAY", plain.copy()))
        case Grain.MONTH:
            return _call("CAST_DATE", _call("DATE_FORMAT", plain, text("%Y-%m-01")))
        case Grain.QUARTER:
            first = _call("MAKEDATE", _call("YEAR", plain), number(1))
            months = exp.Mul(
                this=exp.Paren(
                    this=exp.Sub(this=_call("QUARTER", plain.copy()), expression=number(1))
                ),
                expression=number(3),
            )
            return exp.Add(
                this=first,
                expression=exp.Interval(this=exp.Paren(this=months), unit=exp.var("MONTH")),
            )
        case _:
            return _call("DATE", plain)


def period_before(start: exp.Expr, grain: Grain, dialect: str) -> exp.Expr:
    """Return where the period before begins; for a year, its number."""
    if grain is Grain.YEAR:
        return exp.Sub(this=start, expression=number(1))
    unit, count = {
        Grain.QUARTER: ("MONTH", 3),
        Grain.MONTH: ("MONTH", 1),
        Grain.WEEK: ("DAY", 7),
    }.get(grain, ("DAY", 1))
    if dialect == "sqlite":
        return _call("DATE", start, text(f"-{count} {unit.lower()}"))
    back = exp.Interval(this=text(str(count)), unit=exp.var(unit))
    return exp.cast(exp.Sub(this=start, expression=back), exp.DataType.Type.DATE)


def part(column: Column, name: str, dialect: str) -> exp.Expr:
    """Return YEAR, MONTH, QUARTER, HOUR or WEEKDAY (Monday is 1, Sunday 7) as a number."""
    if dialect == "sqlite":
        return _part_sqlite(column_of(column), name)
    if dialect == "mysql":
        plain = column_of(column)
        if name == "WEEKDAY":
            return exp.Add(this=_call("WEEKDAY", plain), expression=number(1))
        return _call(name, plain)
    unit = "ISODOW" if name == "WEEKDAY" else name
    return exp.Extract(this=exp.var(unit), expression=_moment(column))


def _part_sqlite(plain: exp.Expr, name: str) -> exp.Expr:
    if name == "QUARTER":
        month = _part_sqlite(plain, "MONTH")
        return exp.Paren(
            this=exp.Div(
                this=exp.Paren(this=exp.Add(this=month, expression=number(2))),
                expression=number(3),
                typed=True,
            )
        )
    if name == "WEEKDAY":
        sunday_first = exp.cast(_call("STRFTIME", text("%w"), plain), exp.DataType.Type.INT)
        shifted = exp.Paren(this=exp.Add(this=sunday_first, expression=number(6)))
        return exp.Add(
            this=exp.Paren(this=exp.Mod(this=shifted, expression=number(7))), expression=number(1)
        )
    form = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H"}[name]
    return exp.cast(_call("STRFTIME", text(form), plain), exp.DataType.Type.INT)


def within(column: Column, start: date | None, end: date | None, dialect: str) -> list[exp.Expr]:
    """Return the conditions that a date lies from `start` to before `end`."""
    found: list[exp.Expr] = []
    if start is not None:
        found.append(exp.GTE(this=column_of(column), expression=day(start, column, dialect)))
    if end is not None:
        found.append(exp.LT(this=column_of(column), expression=day(end, column, dialect)))
    return found


def day(value: date, column: Column, dialect: str) -> exp.Expr:
    if dialect in {"sqlite", "mysql"} or _is_text(column):
        return text(value.isoformat())
    return exp.cast(text(value.isoformat()), exp.DataType.Type.DATE)


def _is_text(column: Column) -> bool:
    lower = column.type.lower()
    return "date" not in lower and "time" not in lower


def _moment(column: Column) -> exp.Expr:
    plain = column_of(column)
    return exp.cast(plain, exp.DataType.Type.TIMESTAMP) if _is_text(column) else plain


def days_between(first: exp.Expr, last: exp.Expr, dialect: str) -> exp.Expr:
    """Return the days from one date to another."""
    match dialect:
        case "sqlite":
            return exp.Sub(this=_call("JULIANDAY", last), expression=_call("JULIANDAY", first))
        case "mysql":
            return _call("DATEDIFF", last, first)
        case "postgres" | "redshift":
            date_type = exp.DataType.Type.DATE
            return exp.Sub(this=exp.cast(last, date_type), expression=exp.cast(first, date_type))
        case _:
            date_type = exp.DataType.Type.DATE
            return exp.DateDiff(
                this=exp.cast(last, date_type),
                expression=exp.cast(first, date_type),
                unit=exp.var("DAY"),
            )


def hours_between(first: exp.Expr, last: exp.Expr, dialect: str) -> exp.Expr:
    """Return the hours from one moment to another, with their parts."""
    match dialect:
        case "sqlite":
            days = exp.Paren(this=days_between(first, last, dialect))
            return exp.Mul(this=days, expression=number(24))
        case "mysql":
            seconds = _call("TIMESTAMPDIFF", exp.var("SECOND"), first, last)
        case "postgres" | "redshift":
            passed = exp.Paren(this=exp.Sub(this=last, expression=first))
            seconds = exp.Extract(this=exp.var("EPOCH"), expression=passed)
        case _:
            seconds = exp.DateDiff(this=last, expression=first, unit=exp.var("SECOND"))
    return exp.Div(this=seconds, expression=exp.Literal.number("3600.0"))


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """Call a function by the dialect's own name for it."""
    if name == "CAST_DATE":
        return exp.cast(arguments[0], exp.DataType.Type.DATE)
    return exp.Anonymous(this=name, expressions=list(arguments))
