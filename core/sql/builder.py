"""What tools build queries from: names, aggregates, ratios and conditions, right for each engine.

Everything here is pure and gives a tree. Rendering differs by engine in more than spelling (how
a week begins, whether `/` cuts off), so whatever can differ takes the `dialect`, and a tree is
rendered in the dialect that it was built for. Everything is imported from here; aggregates live
in `core.sql.aggregates`, periods in `core.sql.periods`, quantiles in `core.sql.quantiles`.

    orders = table_of(ctx.table("orders"))
    amount = column_of(ctx.column(table, "amount"))
    period = bucket(column_of(day), Grain.MONTH, ctx.dialect)
    Query(
        exp.select(period.as_("period"), total(amount).as_("value"))
        .from_(orders)
        .where(on_or_after(column_of(day), since, ctx.dialect))
        .group_by("1")
        .order_by("1")
    )
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import BadArguments
from core.domain.query import Dialect
from core.sql.aggregates import (
    as_number,
    as_text,
    average,
    correlation,
    count_distinct,
    count_rows,
    count_values,
    count_where,
    deviation,
    histogram_bin,
    largest,
    null_count,
    ratio,
    row_number,
    running,
    share_of_total,
    smallest,
    total,
    total_where,
    variance,
)
from core.sql.periods import (
    Grain,
    add_periods,
    before,
    between_dates,
    bucket,
    date_literal,
    day_of,
    days_between,
    hour_of_day,
    moment_literal,
    month_of_year,
    on_or_after,
    periods_between,
    weekday,
)
from core.sql.quantiles import quantiles_query

__all__ = [
    "Grain",
    "add_periods",
    "as_number",
    "as_text",
    "average",
    "before",
    "between_dates",
    "bucket",
    "column_of",
    "condition",
    "contains",
    "correlation",
    "count_distinct",
    "count_rows",
    "count_values",
    "count_where",
    "date_literal",
    "day_of",
    "days_between",
    "deviation",
    "equals",
    "histogram_bin",
    "hour_of_day",
    "is_any_of",
    "largest",
    "literal",
    "moment_literal",
    "month_of_year",
    "null_count",
    "on_or_after",
    "periods_between",
    "quantiles_query",
    "ratio",
    "row_number",
    "running",
    "share_of_total",
    "smallest",
    "table_of",
    "total",
    "total_where",
    "variance",
    "weekday",
]

Value = None | bool | int | float | Decimal | str | date | datetime


# Names


def table_of(table: CatalogTable, *, alias: str = "") -> exp.Table:
    """Name a table as the catalog writes it, quoted, so that odd names and letter case hold."""
    catalog, _, schema = table.schema.rpartition(".")
    return exp.table_(
        exp.to_identifier(table.name, quoted=True),
        db=exp.to_identifier(schema, quoted=True) if schema else None,
        catalog=exp.to_identifier(catalog, quoted=True) if catalog else None,
        alias=exp.to_identifier(alias, quoted=True) if alias else None,
    )


def column_of(column: CatalogColumn | str, *, of: str = "") -> exp.Column:
    """Name a column as the catalog writes it, quoted; `of` is the table's alias in the query."""
    name = column if isinstance(column, str) else column.name
    return exp.column(
        exp.to_identifier(name, quoted=True),
        table=exp.to_identifier(of, quoted=True) if of else None,
    )


# Values


def literal(value: Value, dialect: Dialect) -> exp.Expr:
    """Write a value as this engine reads it; text is escaped, a date is a date."""
    match value:
        case None:
            return exp.null()
        case bool():
            return exp.Literal.number(int(value)) if dialect in _NO_BOOLEANS else exp.convert(value)
        case int() | float() | Decimal():
            return exp.convert(value)
        case str():
            return exp.Literal.string(value)
        case datetime():
            return moment_literal(value, dialect)
        case date():
            return date_literal(value, dialect)


_NO_BOOLEANS = {Dialect.TSQL, Dialect.ORACLE}


# Conditions


def condition(text: str, dialect: Dialect) -> exp.Expr | None:
    """Read what a model wrote as it would stand after WHERE; None of empty text.

    Raises:
        BadArguments: it is not one condition in this dialect.
    """
    if not text.strip():
        return None
    try:
        tree = sqlglot.parse_one(f"SELECT 1 WHERE {text}", dialect=dialect)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise BadArguments(_no_condition(text, dialect)) from error
    where = tree.args.get("where")
    parts = {name for name, value in tree.args.items() if value}
    if not isinstance(where, exp.Where) or not parts <= {"expressions", "where"}:
        raise BadArguments(_no_condition(text, dialect))
    return where.this


def _no_condition(text: str, dialect: Dialect) -> str:
    return (
        f"{text!r} is not one condition in {dialect} SQL. Write it as after WHERE, without the "
        "word and without ORDER BY, LIMIT or a semicolon: status = 'paid' AND amount > 10."
    )


def equals(column: exp.Expr, value: Value, dialect: Dialect) -> exp.Expr:
    """Compare with a value; with None, ask for NULL."""
    if value is None:
        return exp.Is(this=column.copy(), expression=exp.null())
    return exp.EQ(this=column.copy(), expression=literal(value, dialect))


def is_any_of(column: exp.Expr, values: Sequence[Value], dialect: Dialect) -> exp.Expr:
    """Say that a column has one of these values; None among them asks for NULL, too."""
    given = [literal(each, dialect) for each in values if each is not None]
    listed = exp.In(this=column.copy(), expressions=given) if given else exp.false()
    if None not in values:
        return listed
    missing = equals(column, None, dialect)
    return exp.or_(listed, missing) if given else missing


def contains(column: exp.Expr, part: str, dialect: Dialect) -> exp.Expr:
    """Say that a column's text holds a part, whatever the letter case; `%` and `_` are letters."""
    pattern = part.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return exp.Escape(
        this=exp.Like(
            this=exp.Lower(this=as_text(column, dialect)),
            expression=exp.Literal.string(f"%{pattern}%"),
        ),
        expression=exp.Literal.string("!"),
    )
