"""Casts, aggregates, shares and windows; re-exported by `core.sql.builder`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from core.domain.query import Dialect
from core.sql.fragments import chosen, fill

# Casts


def as_text(value: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Turn a value into text."""
    return fill(f"CAST(_x_ AS {chosen(_TEXT, dialect, otherwise='VARCHAR')})", dialect, x=value)


_TEXT = {
    Dialect.POSTGRES: "TEXT",
    Dialect.SQLITE: "TEXT",
    Dialect.MYSQL: "CHAR",
    Dialect.BIGQUERY: "STRING",
    Dialect.DATABRICKS: "STRING",
    Dialect.SPARK: "STRING",
    Dialect.ORACLE: "VARCHAR2(4000)",
    Dialect.CLICKHOUSE: "Nullable(String)",
    Dialect.REDSHIFT: "VARCHAR(65535)",
    Dialect.TSQL: "NVARCHAR(4000)",
}


def as_number(value: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Turn a value into a floating-point number, so that nothing after it cuts off."""
    return fill(f"CAST(_x_ AS {chosen(_DOUBLE, dialect, otherwise='DOUBLE')})", dialect, x=value)


_DOUBLE = {
    Dialect.POSTGRES: "DOUBLE PRECISION",
    Dialect.REDSHIFT: "DOUBLE PRECISION",
    Dialect.SQLITE: "REAL",
    Dialect.BIGQUERY: "FLOAT64",
    Dialect.CLICKHOUSE: "Nullable(Float64)",
    Dialect.TSQL: "FLOAT",
    Dialect.ORACLE: "BINARY_DOUBLE",
}


# Aggregates


def count_rows() -> exp.Expr:
    return exp.Count(this=exp.Star(), big_int=True)


def count_values(column: exp.Expr) -> exp.Expr:
    """Count the rows in which the column is not NULL."""
    return exp.Count(this=column.copy(), big_int=True)


def count_distinct(column: exp.Expr) -> exp.Expr:
    """Count the different values; NULL is none of them."""
    return exp.Count(this=exp.Distinct(expressions=[column.copy()]), big_int=True)


def null_count(column: exp.Expr) -> exp.Expr:
    """Count the rows in which the column is NULL; 0 of no rows."""
    return count_where(exp.Is(this=column.copy(), expression=exp.null()))


def count_where(holds: exp.Expr) -> exp.Expr:
    """Count the rows for which a condition holds; 0 of no rows."""
    return exp.Count(this=exp.case().when(holds.copy(), exp.Literal.number(1)), big_int=True)


def total(measure: exp.Expr) -> exp.Expr:
    """Add up; NULL of no rows."""
    return exp.Sum(this=measure.copy())


def total_where(measure: exp.Expr, holds: exp.Expr) -> exp.Expr:
    """Add up the rows for which a condition holds; NULL of no such rows."""
    return exp.Sum(this=exp.case().when(holds.copy(), measure.copy()))


def average(measure: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Average as a floating-point number: some engines cut off the average of whole numbers."""
    return fill("AVG(_x_)", dialect, x=as_number(measure, dialect))


def smallest(column: exp.Expr) -> exp.Expr:
    return exp.Min(this=column.copy())


def largest(column: exp.Expr) -> exp.Expr:
    return exp.Max(this=column.copy())


def variance(measure: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Sample variance (n - 1); NULL of fewer than two values."""
    if dialect is Dialect.SQLITE:
        return fill(_VARIANCE_FROM_SUMS, dialect, x=as_number(measure, dialect))
    name = chosen(
        {Dialect.CLICKHOUSE: "varSamp", Dialect.TSQL: "VAR"}, dialect, otherwise="VAR_SAMP"
    )
    return fill(f"{name}(_x_)", dialect, x=as_number(measure, dialect))


# Sums of squares lose digits, but the engine has nothing better; a rounding below zero is a zero.
_VARIANCE_FROM_SUMS = (
    "CASE WHEN COUNT(_x_) > 1 THEN MAX(0.0, "
    "(SUM(_x_ * _x_) - SUM(_x_) * SUM(_x_) / COUNT(_x_)) / (COUNT(_x_) - 1)) END"
)


def deviation(measure: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Sample standard deviation; NULL of fewer than two values."""
    return fill("SQRT(_x_)", dialect, x=variance(measure, dialect))


def correlation(one: exp.Expr, other: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Pearson's r over the rows that have both; NULL where one of them does not vary."""
    x, y = as_number(one, dialect), as_number(other, dialect)
    if dialect not in _WITHOUT_CORR:
        return fill("CORR(_x_, _y_)", dialect, x=x, y=y)
    both_x = exp.case().when(exp.Is(this=y.copy(), expression=exp.null()).not_(), x)
    both_y = exp.case().when(exp.Is(this=x.copy(), expression=exp.null()).not_(), y)
    return fill(_CORRELATION_FROM_SUMS, dialect, x=both_x, y=both_y)


_WITHOUT_CORR = {Dialect.SQLITE, Dialect.MYSQL, Dialect.TSQL, Dialect.REDSHIFT}
_CORRELATION_FROM_SUMS = (
    "(COUNT(_x_) * SUM(_x_ * _y_) - SUM(_x_) * SUM(_y_)) / NULLIF("
    "SQRT(COUNT(_x_) * SUM(_x_ * _x_) - SUM(_x_) * SUM(_x_)) * "
    "SQRT(COUNT(_x_) * SUM(_y_ * _y_) - SUM(_y_) * SUM(_y_)), 0)"
)


# Shares and bins


def ratio(part: exp.Expr, whole: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Divide without cutting off; NULL where the divisor is zero or NULL."""
    return fill(
        "_part_ / NULLIF(_whole_, 0)",
        dialect,
        part=as_number(part, dialect),
        whole=whole,
    )


def share_of_total(
    value: exp.Expr, dialect: Dialect, *, within: Sequence[exp.Expr] = ()
) -> exp.Expr:
    """Divide a grouped value by its sum over all groups, or over those that share `within`."""
    whole = exp.Window(
        this=exp.Sum(this=value.copy()), partition_by=[each.copy() for each in within]
    )
    return ratio(value, whole, dialect)


def histogram_bin(measure: exp.Expr, dialect: Dialect, *, low: float, width: float) -> exp.Expr:
    """Return the bin's number, from 0: k holds low + k * width up to, not with, the next."""
    position = fill(
        "(_x_ - _low_) / _width_",
        dialect,
        x=as_number(measure, dialect),
        low=as_number(exp.convert(low), dialect),
        width=as_number(exp.convert(width), dialect),
    )
    return fill(
        chosen(_FLOOR, dialect, otherwise="CAST(FLOOR(_x_) AS BIGINT)"), dialect, x=position
    )


_FLOOR = {
    # Not every build of SQLite has FLOOR, and a cast rounds towards zero.
    Dialect.SQLITE: "CAST(_x_ AS INTEGER) - (_x_ < CAST(_x_ AS INTEGER))",
    Dialect.MYSQL: "CAST(FLOOR(_x_) AS SIGNED)",
    Dialect.BIGQUERY: "CAST(FLOOR(_x_) AS INT64)",
    Dialect.CLICKHOUSE: "CAST(FLOOR(_x_) AS Nullable(Int64))",
    Dialect.ORACLE: "FLOOR(_x_)",
}


# Windows


def row_number(*, order_by: Sequence[exp.Expr], within: Sequence[exp.Expr] = ()) -> exp.Expr:
    """Count the rows from 1 in an order, anew for each group of `within`."""
    return exp.Window(
        this=exp.RowNumber(),
        partition_by=[each.copy() for each in within],
        order=exp.Order(expressions=[each.copy() for each in order_by]),
    )


def running(
    aggregate: exp.Expr,
    *,
    order_by: Sequence[exp.Expr],
    within: Sequence[exp.Expr] = (),
    last: int | None = None,
) -> exp.Expr:
    """Lay an aggregate over the rows so far, or over the `last` rows with the current one."""
    rows_before = "UNBOUNDED" if last is None else exp.Literal.number(last - 1)
    return exp.Window(
        this=aggregate.copy(),
        partition_by=[each.copy() for each in within],
        order=exp.Order(expressions=[each.copy() for each in order_by]),
        spec=exp.WindowSpec(
            kind="ROWS",
            start=rows_before,
            start_side="PRECEDING",
            end="CURRENT ROW",
        ),
    )
