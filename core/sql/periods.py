"""Days, periods and their bounds, right for each engine; re-exported by `core.sql.builder`.

SQLite keeps dates as text; its periods are text 'YYYY-MM-DD' (hours 'YYYY-MM-DD HH:00:00').
Everywhere else a period is a DATE, an hour a timestamp. Weeks begin on Monday.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.fragments import chosen, fill


class Grain(StrEnum):
    """The length of a period."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


def bucket(column: exp.Expr, grain: Grain, dialect: Dialect) -> exp.Expr:
    """Return the first day of the period that a date or timestamp lies in; an hour's start."""
    return fill(_BUCKETS[dialect][grain], dialect, x=column)


def _truncated(template: str, hour: str) -> dict[Grain, str]:
    by_grain = {grain: template.format(grain=grain) for grain in Grain}
    return {**by_grain, Grain.HOUR: hour}


_TRUNC = _truncated("CAST(DATE_TRUNC('{grain}', _x_) AS DATE)", "DATE_TRUNC('hour', _x_)")

_BUCKETS: dict[Dialect, dict[Grain, str]] = {
    Dialect.POSTGRES: _TRUNC,
    Dialect.REDSHIFT: _TRUNC,
    Dialect.DUCKDB: _TRUNC,
    Dialect.TRINO: _TRUNC,
    Dialect.DATABRICKS: _TRUNC,
    Dialect.SPARK: _TRUNC,
    Dialect.ORACLE: {
        Grain.HOUR: "TRUNC(_x_, 'HH24')",
        Grain.DAY: "TRUNC(_x_, 'DD')",
        Grain.WEEK: "TRUNC(_x_, 'IW')",
        Grain.MONTH: "TRUNC(_x_, 'MM')",
        Grain.QUARTER: "TRUNC(_x_, 'Q')",
        Grain.YEAR: "TRUNC(_x_, 'YYYY')",
    },
    Dialect.SNOWFLAKE: {
        **_TRUNC,
        # A session may begin its weeks on Sunday; the ISO day of the week never moves.
        Grain.WEEK: "DATEADD(DAY, 1 - DAYOFWEEKISO(_x_), CAST(_x_ AS DATE))",
    },
    Dialect.SQLITE: {
        Grain.HOUR: "STRFTIME('%Y-%m-%d %H:00:00', _x_)",
        Grain.DAY: "STRFTIME('%Y-%m-%d', _x_)",
        Grain.WEEK: "STRFTIME('%Y-%m-%d', _x_, 'weekday 0', '-6 days')",
        Grain.MONTH: "STRFTIME('%Y-%m-01', _x_)",
        Grain.QUARTER: (
            "STRFTIME('%Y-', _x_) || "
            "SUBSTR('01040710', (CAST(STRFTIME('%m', _x_) AS INTEGER) - 1) / 3 * 2 + 1, 2) || '-01'"
        ),
        Grain.YEAR: "STRFTIME('%Y-01-01', _x_)",
    },
    Dialect.MYSQL: {
        Grain.HOUR: "CAST(DATE_FORMAT(_x_, '%Y-%m-%d %H:00:00') AS DATETIME)",
        Grain.DAY: "CAST(_x_ AS DATE)",
        Grain.WEEK: "DATE_SUB(CAST(_x_ AS DATE), INTERVAL WEEKDAY(_x_) DAY)",
        Grain.MONTH: "CAST(DATE_FORMAT(_x_, '%Y-%m-01') AS DATE)",
        Grain.QUARTER: "DATE_ADD(MAKEDATE(YEAR(_x_), 1), INTERVAL (QUARTER(_x_) - 1) * 3 MONTH)",
        Grain.YEAR: "MAKEDATE(YEAR(_x_), 1)",
    },
    Dialect.BIGQUERY: {
        Grain.HOUR: "TIMESTAMP_TRUNC(CAST(_x_ AS TIMESTAMP), HOUR)",
        Grain.DAY: "CAST(_x_ AS DATE)",
        Grain.WEEK: "DATE_TRUNC(CAST(_x_ AS DATE), ISOWEEK)",
        Grain.MONTH: "DATE_TRUNC(CAST(_x_ AS DATE), MONTH)",
        Grain.QUARTER: "DATE_TRUNC(CAST(_x_ AS DATE), QUARTER)",
        Grain.YEAR: "DATE_TRUNC(CAST(_x_ AS DATE), YEAR)",
    },
    Dialect.CLICKHOUSE: {
        Grain.HOUR: "toStartOfHour(_x_)",
        Grain.DAY: "toDate(_x_)",
        Grain.WEEK: "toMonday(_x_)",
        Grain.MONTH: "toStartOfMonth(_x_)",
        Grain.QUARTER: "toStartOfQuarter(_x_)",
        Grain.YEAR: "toStartOfYear(_x_)",
    },
    Dialect.TSQL: {
        Grain.HOUR: "DATEADD(HOUR, DATEPART(HOUR, _x_), CAST(CAST(_x_ AS DATE) AS DATETIME2))",
        Grain.DAY: "CAST(_x_ AS DATE)",
        # 1900-01-01 was a Monday, and a difference in days does not ask for the session's week.
        Grain.WEEK: "DATEADD(DAY, -(DATEDIFF(DAY, '19000101', _x_) % 7), CAST(_x_ AS DATE))",
        Grain.MONTH: "DATEFROMPARTS(YEAR(_x_), MONTH(_x_), 1)",
        Grain.QUARTER: "DATEFROMPARTS(YEAR(_x_), (DATEPART(QUARTER, _x_) - 1) * 3 + 1, 1)",
        Grain.YEAR: "DATEFROMPARTS(YEAR(_x_), 1, 1)",
    },
}


def day_of(column: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the day of a timestamp."""
    return bucket(column, Grain.DAY, dialect)


# Bounds

# SQLite keeps dates as text. BigQuery reads a text literal as the type that it is compared with,
# and does not compare a TIMESTAMP with a DATE.
_COMPARES_TEXT = {Dialect.SQLITE, Dialect.BIGQUERY}


def date_literal(day: date, dialect: Dialect) -> exp.Expr:
    """Write a day as this engine compares it with dates and timestamps alike."""
    text = exp.Literal.string(day.isoformat())
    if dialect is Dialect.ORACLE:
        return fill("TO_DATE(_x_, 'YYYY-MM-DD')", dialect, x=text)
    return text if dialect in _COMPARES_TEXT else exp.cast(text, "date")


def moment_literal(moment: datetime, dialect: Dialect) -> exp.Expr:
    """Write a date with its time as this engine compares it."""
    text = moment.isoformat(sep=" ")
    if dialect in _COMPARES_TEXT:
        return exp.Literal.string(text)
    zoned = moment.tzinfo is not None
    return exp.cast(exp.Literal.string(text), "timestamptz" if zoned else "timestamp")


def on_or_after(column: exp.Expr, day: date, dialect: Dialect) -> exp.Expr:
    return exp.GTE(this=column.copy(), expression=date_literal(day, dialect))


def before(column: exp.Expr, day: date, dialect: Dialect) -> exp.Expr:
    return exp.LT(this=column.copy(), expression=date_literal(day, dialect))


def between_dates(column: exp.Expr, dialect: Dialect, *, first: date, until: date) -> exp.Expr:
    """Hold from the start of `first` up to, not with, `until`: right for dates and timestamps."""
    return exp.and_(on_or_after(column, first, dialect), before(column, until, dialect))


# Parts and distances


def weekday(column: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the day of the week: 1 is Monday, 7 is Sunday."""
    return fill(chosen(_WEEKDAY, dialect, otherwise="EXTRACT(ISODOW FROM _x_)"), dialect, x=column)


_WEEKDAY = {
    Dialect.SQLITE: "(CAST(STRFTIME('%w', _x_) AS INTEGER) + 6) % 7 + 1",
    Dialect.MYSQL: "WEEKDAY(_x_) + 1",
    Dialect.BIGQUERY: "MOD(EXTRACT(DAYOFWEEK FROM _x_) + 5, 7) + 1",
    Dialect.SNOWFLAKE: "DAYOFWEEKISO(_x_)",
    Dialect.REDSHIFT: "MOD(CAST(EXTRACT(DOW FROM _x_) AS INTEGER) + 6, 7) + 1",
    Dialect.DATABRICKS: "WEEKDAY(_x_) + 1",
    Dialect.SPARK: "WEEKDAY(_x_) + 1",
    Dialect.ORACLE: "TRUNC(_x_) - TRUNC(_x_, 'IW') + 1",
    Dialect.CLICKHOUSE: "toDayOfWeek(_x_)",
    Dialect.TRINO: "DAY_OF_WEEK(_x_)",
    Dialect.TSQL: "DATEDIFF(DAY, '19000101', _x_) % 7 + 1",
}


def month_of_year(column: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the month: 1 is January."""
    return fill(chosen(_MONTH, dialect, otherwise="EXTRACT(MONTH FROM _x_)"), dialect, x=column)


_MONTH = {
    Dialect.SQLITE: "CAST(STRFTIME('%m', _x_) AS INTEGER)",
    Dialect.CLICKHOUSE: "toMonth(_x_)",
    Dialect.TSQL: "MONTH(_x_)",
}


def hour_of_day(column: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the hour: 0 to 23."""
    return fill(chosen(_HOUR, dialect, otherwise="EXTRACT(HOUR FROM _x_)"), dialect, x=column)


_HOUR = {
    Dialect.SQLITE: "CAST(STRFTIME('%H', _x_) AS INTEGER)",
    Dialect.CLICKHOUSE: "toHour(_x_)",
    Dialect.TSQL: "DATEPART(HOUR, _x_)",
    Dialect.ORACLE: "EXTRACT(HOUR FROM CAST(_x_ AS TIMESTAMP))",
}


def days_between(first: exp.Expr, last: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Count the midnights from `first` to `last`; negative when `last` is earlier."""
    template = chosen(_DAYS, dialect, otherwise="DATEDIFF(DAY, _a_, _b_)")
    return fill(template, dialect, a=first, b=last)


_DAYS = {
    Dialect.POSTGRES: "CAST(_b_ AS DATE) - CAST(_a_ AS DATE)",
    Dialect.SQLITE: "CAST(JULIANDAY(DATE(_b_)) - JULIANDAY(DATE(_a_)) AS INTEGER)",
    Dialect.MYSQL: "DATEDIFF(_b_, _a_)",
    Dialect.DUCKDB: "DATE_DIFF('day', CAST(_a_ AS DATE), CAST(_b_ AS DATE))",
    Dialect.BIGQUERY: "DATE_DIFF(CAST(_b_ AS DATE), CAST(_a_ AS DATE), DAY)",
    Dialect.DATABRICKS: "DATEDIFF(CAST(_b_ AS DATE), CAST(_a_ AS DATE))",
    Dialect.SPARK: "DATEDIFF(CAST(_b_ AS DATE), CAST(_a_ AS DATE))",
    Dialect.ORACLE: "TRUNC(_b_) - TRUNC(_a_)",
    Dialect.CLICKHOUSE: "dateDiff('day', toDate(_a_), toDate(_b_))",
    Dialect.TRINO: "DATE_DIFF('day', CAST(_a_ AS DATE), CAST(_b_ AS DATE))",
}


def periods_between(first: exp.Expr, last: exp.Expr, grain: Grain, dialect: Dialect) -> exp.Expr:
    """Count the periods from the one of `first` to the one of `last`: 0 within the same.

    Hours are counted as days are: give DAY or longer.

    Raises:
        ValueError: the grain is HOUR.
    """
    match grain:
        case Grain.HOUR:
            raise ValueError("periods_between counts days and longer periods")
        case Grain.DAY:
            return days_between(first, last, dialect)
        case Grain.WEEK:
            whole = f"CAST(_x_ / 7 AS {chosen(_INTEGER, dialect, otherwise='BIGINT')})"
            monday, later = bucket(first, grain, dialect), bucket(last, grain, dialect)
            return fill(whole, dialect, x=days_between(monday, later, dialect))
        case _:
            index = _index_of(grain, dialect)
            return fill(
                "_b_ - _a_",
                dialect,
                a=fill(index, dialect, x=first),
                b=fill(index, dialect, x=last),
            )


def _index_of(grain: Grain, dialect: Dialect) -> str:
    year = chosen(_YEAR, dialect, otherwise="EXTRACT(YEAR FROM _x_)")
    month = chosen(_MONTH, dialect, otherwise="EXTRACT(MONTH FROM _x_)")
    match grain:
        case Grain.QUARTER:
            quarter = chosen(_QUARTER, dialect, otherwise="EXTRACT(QUARTER FROM _x_)")
            return f"{year} * 4 + {quarter}"
        case Grain.MONTH:
            return f"{year} * 12 + {month}"
        case _:
            return year


_YEAR = {
    Dialect.SQLITE: "CAST(STRFTIME('%Y', _x_) AS INTEGER)",
    Dialect.CLICKHOUSE: "toYear(_x_)",
    Dialect.TSQL: "YEAR(_x_)",
}
_QUARTER = {
    Dialect.ORACLE: "TO_NUMBER(TO_CHAR(_x_, 'Q'))",
    Dialect.SQLITE: "(CAST(STRFTIME('%m', _x_) AS INTEGER) + 2) / 3",
    Dialect.CLICKHOUSE: "toQuarter(_x_)",
    Dialect.TSQL: "DATEPART(QUARTER, _x_)",
}
_INTEGER = {
    Dialect.ORACLE: "NUMBER(19)",
    Dialect.SQLITE: "INTEGER",
    Dialect.MYSQL: "SIGNED",
    Dialect.BIGQUERY: "INT64",
    Dialect.CLICKHOUSE: "Nullable(Int64)",
}


def add_periods(column: exp.Expr, count: int, grain: Grain, dialect: Dialect) -> exp.Expr:
    """Move a date by `count` periods, back where it is negative; hours give a timestamp.

    The 31st moved to a shorter month is its last day (SQLite: the days that are over count on).
    """
    if dialect is Dialect.ORACLE:
        return fill(_MOVED_IN_ORACLE[grain].format(count=count), dialect, x=column)
    template = chosen(_MOVED, dialect, otherwise="DATEADD({unit}, {count}, _x_)")
    unit, length = _UNITS.get(grain, (str(grain), 1))
    moved = fill(template.format(count=count * length, unit=unit), dialect, x=column)
    return moved if grain is Grain.HOUR else day_of(moved, dialect)


_MOVED_IN_ORACLE = {
    Grain.HOUR: "_x_ + {count} / 24",
    Grain.DAY: "TRUNC(_x_) + {count}",
    Grain.WEEK: "TRUNC(_x_) + {count} * 7",
    Grain.MONTH: "ADD_MONTHS(TRUNC(_x_), {count})",
    Grain.QUARTER: "ADD_MONTHS(TRUNC(_x_), {count} * 3)",
    Grain.YEAR: "ADD_MONTHS(TRUNC(_x_), {count} * 12)",
}
_UNITS = {Grain.WEEK: ("day", 7), Grain.QUARTER: ("month", 3)}
_MOVED = {
    Dialect.POSTGRES: "_x_ + INTERVAL '{count} {unit}'",
    Dialect.DUCKDB: "_x_ + INTERVAL ({count}) {unit}",
    Dialect.SQLITE: "DATETIME(_x_, '{count} {unit}')",
    Dialect.MYSQL: "DATE_ADD(_x_, INTERVAL {count} {unit})",
    Dialect.BIGQUERY: "DATETIME_ADD(CAST(_x_ AS DATETIME), INTERVAL {count} {unit})",
    Dialect.CLICKHOUSE: "_x_ + INTERVAL {count} {unit}",
    Dialect.DATABRICKS: "_x_ + INTERVAL '{count}' {unit}",
    Dialect.SPARK: "_x_ + INTERVAL '{count}' {unit}",
    Dialect.TRINO: "DATE_ADD('{unit}', {count}, _x_)",
}
