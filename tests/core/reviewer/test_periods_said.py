"""Periods as they are said, held against the rows that engines find by the same conditions."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import date, datetime, timedelta

import duckdb
import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.reviewer.conditions import OTHER, conditions_of


def catalog(dialect: Dialect) -> Catalog:
    made = CatalogColumn(name="made", type="timestamp", kind=ColumnKind.TIME)
    return Catalog(dialect=dialect, tables=(CatalogTable(name="orders", columns=(made,)),))


FIRST, DAYS = datetime.fromisoformat("2023-11-01"), 830
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
FORMS = {
    Dialect.SQLITE: (
        "{c} >= '{a}' AND {c} < '{b}'",
        "'{a}' <= {c} AND '{b}' > {c}",
        "date({c}) BETWEEN '{a}' AND '{b}'",
        "date({c}) > '{a}' AND date({c}) <= '{b}'",
        "date({c}) = '{a}'",
        "{c} > '{a} 12:00:00'",
        "{c} <= '{b} 23:59:59'",
        "strftime('%Y', {c}) = '{y}'",
        "CAST(strftime('%Y', {c}) AS INTEGER) > {y}",
        "CAST(strftime('%Y', {c}) AS INTEGER) BETWEEN {y} AND 2025",
        "strftime('%Y-%m', {c}) = '{m}'",
        "strftime('%Y-%m', {c}) <= '{m}'",
        "strftime('%Y-%m-01', {c}) >= '{m}-01'",
        "strftime('%Y', {c}) = '{y}' AND {c} >= '{a}'",
    ),
    Dialect.DUCKDB: (
        "{c} >= DATE '{a}' AND {c} < DATE '{b}'",
        "{c} BETWEEN '{a}' AND '{b}'",
        "{c} > '{a}' AND {c} <= '{b}'",
        "{c} < TIMESTAMP '{a} 12:00:00'",
        "{c} >= '{a} 06:30:00' AND {c} < '{b} 06:30:00'",
        "CAST({c} AS DATE) BETWEEN '{a}' AND '{b}'",
        "{c}::date = DATE '{a}'",
        "year({c}) = {y}",
        "EXTRACT(year FROM {c}) >= {y}",
        "year({c}) = {y} AND month({c}) = {n}",
        "date_part('year', {c}) = {y} AND quarter({c}) = {q}",
        "date_trunc('month', {c}) = DATE '{m}-01'",
        "date_trunc('quarter', {c}) > DATE '{k}'",
        "date_trunc('year', {c}) <= DATE '{y}-01-01'",
        "strftime({c}, '%Y-%m') BETWEEN '{m}' AND '2025-11'",
    ),
}


def moments(dialect: Dialect) -> list[datetime]:
    # SQLite compares a moment at midnight with a day as texts: no phrase is that fine.
    minutes = (390, 1_439) if dialect is Dialect.SQLITE else (0, 390, 1_439)
    return [FIRST + timedelta(days=day, minutes=more) for day in range(DAYS) for more in minutes]


BOUNDS = (
    (date(2024, 1, 1), date(2025, 1, 1)),
    (date(2025, 7, 1), date(2025, 10, 1)),
    (date(2024, 2, 29), date(2024, 3, 15)),
    (date(2025, 3, 5), date(2026, 1, 11)),
    (date(2024, 12, 1), date(2025, 3, 1)),
)


def asked(condition: str) -> str:
    return " FROM orders WHERE " + condition


def filled(form: str, first: date, last: date) -> str:
    quarter = (first.month + 2) // 3
    return form.format(
        c="made",
        a=first,
        b=last,
        y=first.year,
        m=f"{first:%Y-%m}",
        n=first.month,
        q=quarter,
        k=date(first.year, quarter * 3 - 2, 1),
    )


def found_by(dialect: Dialect, condition: str) -> set[datetime]:
    rows = moments(dialect)
    statement = "SELECT made" + asked(condition)
    if dialect is Dialect.SQLITE:
        with closing(sqlite3.connect(":memory:")) as lite:
            lite.execute("CREATE TABLE orders (made DATETIME)")
            lite.executemany("INSERT INTO orders VALUES (?)", [(f"{each}",) for each in rows])
            found = lite.execute(statement).fetchall()
            return {datetime.fromisoformat(each) for (each,) in found}
    with duckdb.connect() as duck:
        duck.execute(
            "CREATE TABLE orders AS SELECT ($first::TIMESTAMP + INTERVAL (d) DAY"
            " + INTERVAL (m) MINUTE) AS made FROM range($days) a(d),"
            " (VALUES (0), (390), (1439)) b(m)",
            {"first": FIRST, "days": DAYS},
        )
        return {each for (each,) in duck.execute(statement).fetchall()}


def meant_by(period: str, rows: list[datetime]) -> set[datetime]:
    """Read a phrase as a person does, with none of the code that wrote it."""
    first, last = _bounds(period)
    after, before = "after " in period, "before " in period
    return {
        each
        for each in rows
        if (first is None or (each > first if after else each >= first))
        and (last is None or (each < last if before else each <= last))
    }


_WHEN = r"(?:(?:(\d+) )?([A-Z][a-z]{2}) )?(\d{4})(?:, (\d\d:\d\d(?::\d\d)?))?"


def _bounds(period: str) -> tuple[datetime | None, datetime | None]:
    if quarter := re.fullmatch(r"Q(\d) (\d{4})", period):
        number, year = map(int, quarter.groups())
        months = f"{MONTHS[number * 3 - 3]} {year} to {MONTHS[number * 3 - 1]} {year}"
        return _bounds(months)
    if same_year := re.fullmatch(r"(\d+ [A-Z][a-z]{2}) to (.* (\d{4}))", period):
        period = f"{same_year[1]} {same_year[3]} to {same_year[2]}"
    if both := re.fullmatch(r"((?:since|after) .*), ((?:until|before) .*)", period):
        return _bounds(both[1])[0], _bounds(both[2])[1]
    word, _, rest = period.partition(" ")
    if word in {"since", "after"}:
        return _edges(rest)[0], None
    if word in {"until", "before"}:
        return None, _edges(rest)[1]
    first, _, last = period.partition(" to ")
    return _edges(first)[0], _edges(last or first)[1]


def _edges(text: str) -> tuple[datetime, datetime]:
    found = re.fullmatch(_WHEN, text)
    assert found is not None, text
    day, month, year, clock = found.groups()
    number = MONTHS.index(month) + 1 if month else 1
    first = datetime.fromisoformat(f"{year}-{number:02}-{int(day or 1):02} {clock or '00:00'}")
    if clock:
        return first, first
    if day:
        last = first + timedelta(days=1)
    else:
        last = (first + timedelta(days=31 if month else 366)).replace(day=1)
    return first, last - timedelta(seconds=1)


@pytest.mark.parametrize(
    ("dialect", "form"), [(dialect, form) for dialect, forms in FORMS.items() for form in forms]
)
def test_a_period_means_the_rows_that_the_engine_finds(dialect: Dialect, form: str):
    for first, last in BOUNDS:
        condition = filled(form, first, last)
        said = conditions_of("SELECT COUNT(*)" + asked(condition), catalog(dialect))

        found = found_by(dialect, condition)
        if said.period:
            assert (said.filters, meant_by(said.period, moments(dialect))) == ((), found), said
        else:
            assert said.filters == (OTHER,)
            assert not found, condition  # only what leaves nothing is left unsaid
