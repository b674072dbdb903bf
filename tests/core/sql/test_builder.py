"""The pieces that tools build queries from: their SQL, and what engines make of it."""

from __future__ import annotations

import sqlite3
import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime, timedelta

import duckdb
import numpy as np
import pytest
from sqlglot import exp
from syrupy.assertion import SnapshotAssertion

from core.domain.catalog import CatalogTable
from core.domain.errors import BadArguments
from core.domain.query import Dialect, Query
from core.sql import builder as b
from core.sql.builder import Grain
from core.sql.guard import Guard
from tests.kit.shop_catalog import MEASURE, column

T, X, Y = b.column_of("time", of="o"), b.column_of("amount"), b.column_of("other")
MOMENT = datetime.fromisoformat("2025-01-01 03:30")
ORDERS = exp.table_("orders", alias="o", quoted=True)


def pieces(d: Dialect) -> dict[str, exp.Expr]:
    return {
        **{f"bucket_{grain}": b.bucket(T, grain, d) for grain in Grain},
        **{f"add_{grain}": b.add_periods(T, -2, grain, d) for grain in Grain},
        **{
            f"{grain}s_between": b.periods_between(T, Y, grain, d)
            for grain in Grain
            if grain is not Grain.HOUR
        },
        "between_dates": b.between_dates(T, d, first=date(2025, 1, 1), until=date(2025, 2, 1)),
        "moment": b.moment_literal(MOMENT, d),
        "weekday": b.weekday(T, d),
        "month_of_year": b.month_of_year(T, d),
        "hour_of_day": b.hour_of_day(T, d),
        "count_rows": b.count_rows(),
        "count_distinct": b.count_distinct(X),
        "null_count": b.null_count(X),
        "total_where": b.total_where(X, b.equals(Y, "paid", d)),
        "average": b.average(X, d),
        "variance": b.variance(X, d),
        "deviation": b.deviation(X, d),
        "correlation": b.correlation(X, Y, d),
        "ratio": b.ratio(b.total(X), b.count_rows(), d),
        "share_of_total": b.share_of_total(b.total(X), d, within=[Y]),
        "histogram_bin": b.histogram_bin(X, d, low=-1.5, width=3.0),
        "row_number": b.row_number(order_by=[exp.Ordered(this=X.copy(), desc=True)], within=[Y]),
        "running": b.running(b.total(X), order_by=[T], last=3),
        "is_any_of": b.is_any_of(X, ["it's", 2.5, None], d),
        "literals": exp.Tuple(
            expressions=[
                b.literal(value, d)
                for value in (None, True, 3, 2.5, "it's", date(2025, 1, 1), MOMENT)
            ]
        ),
        "extremes": exp.Tuple(expressions=[b.smallest(X), b.largest(X)]),
        "contains": b.contains(Y, "50%_!", d),
        "as_text": b.as_text(X, d),
    }


@pytest.mark.parametrize("dialect", list(Dialect))
def test_the_sql_of_each_piece(dialect: Dialect, snapshot: SnapshotAssertion):
    written = {name: piece.sql(dialect) for name, piece in pieces(dialect).items()}
    quantiles = b.quantiles_query(
        ORDERS,
        X,
        {"median": 0.5, "p90": 0.9},
        dialect,
        by={"group": Y},
        where=b.equals(Y, 1, dialect),
    )

    assert written | {"quantiles": quantiles.sql(dialect)} == snapshot


@pytest.mark.parametrize("dialect", list(Dialect))
def test_the_guard_lets_every_piece_through(dialect: Dialect):
    guard = Guard.without_catalog(dialect)
    for name, piece in pieces(dialect).items():
        query = Query(exp.select(piece.as_("x")).from_(ORDERS))
        verdict = guard.judge(query)
        assert verdict.allowed, (name, verdict.reason)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_names_are_quoted_as_the_engine_quotes(dialect: Dialect):
    table = CatalogTable(name="Order Items", schema="my.Sales", columns=())
    query = exp.select(b.column_of(column("select", "INT", MEASURE), of="o")).from_(
        b.table_of(table, alias="o")
    )

    sql = query.sql(dialect)

    left, right = {"mysql": "``", "tsql": "[]"}.get(dialect, '""')
    if dialect in {Dialect.BIGQUERY, Dialect.DATABRICKS, Dialect.SPARK}:
        left, right = "``"
    assert f"{left}Order Items{right}" in sql
    assert f"{left}select{right}" in sql


def test_a_condition_is_what_stands_after_where():
    found = b.condition("status = 'paid' AND amount > 10", Dialect.SQLITE)

    assert found is not None
    assert found.sql("sqlite") == "status = 'paid' AND amount > 10"
    assert b.condition("  ", Dialect.SQLITE) is None


@pytest.mark.parametrize(
    "text",
    [
        "status = 'paid' ORDER BY 1",
        "status = 'paid' LIMIT 1",
        "1 = 1 UNION SELECT 2",
        "1 = 1 GROUP BY 1",
        "1 = 1; DROP TABLE t",
        "status = 'paid",
        "a = 1) OR (b = 2",
        "WHERE a = 1",
    ],
)
def test_anything_else_than_one_condition_is_the_models_to_change(text: str):
    with pytest.raises(BadArguments, match="not one condition"):
        b.condition(text, Dialect.SQLITE)


# On engines

DRAW = np.random.default_rng(5)
START = datetime.fromisoformat("2023-12-25")
MOMENTS = [START + timedelta(hours=int(hours)) for hours in DRAW.integers(0, 24 * 500, 200)]
AMOUNTS = [
    None if i % 17 == 0 else round(float(amount), 2)
    for i, amount in enumerate(DRAW.normal(20, 15, 200))
]
GROUPS = [str(kind) for kind in DRAW.choice(list("abc"), 200)]

Run = Callable[[exp.Select | Query], list[tuple[object, ...]]]


@pytest.fixture(params=[Dialect.SQLITE, Dialect.DUCKDB])
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[Dialect, Run]]:
    dialect: Dialect = request.param
    create = 'CREATE TABLE orders (id INT, "time" {}, amount DOUBLE PRECISION, kind VARCHAR(1))'
    rows = list(zip(range(200), MOMENTS, AMOUNTS, GROUPS, strict=True))
    if dialect is Dialect.SQLITE:
        with closing(sqlite3.connect(":memory:")) as lite:
            lite.execute(create.format("TEXT"))
            lite.executemany(
                "INSERT INTO orders VALUES (?, ?, ?, ?)",
                [(i, moment.isoformat(sep=" "), *rest) for i, moment, *rest in rows],
            )
            yield dialect, lambda query: lite.execute(query.sql(dialect)).fetchall()
    else:
        with duckdb.connect() as duck:
            duck.execute(create.format("TIMESTAMP"))
            duck.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
            yield dialect, lambda query: duck.execute(query.sql(dialect)).fetchall()


def each_row(*columns: exp.Expr) -> exp.Select:
    named = [each.as_(f"c{i}") for i, each in enumerate(columns)]
    return exp.select(*named).from_(ORDERS).order_by(b.column_of("id"))


def first_day(moment: datetime, grain: Grain) -> date:
    day = moment.date()
    match grain:
        case Grain.WEEK:
            return day - timedelta(days=day.weekday())
        case Grain.MONTH:
            return day.replace(day=1)
        case Grain.QUARTER:
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case Grain.YEAR:
            return day.replace(month=1, day=1)
        case _:
            return day


@pytest.mark.parametrize("grain", [each for each in Grain if each is not Grain.HOUR])
def test_a_period_is_named_by_its_first_day(engine: tuple[Dialect, Run], grain: Grain):
    dialect, run = engine

    found = [str(row[0]) for row in run(each_row(b.bucket(T, grain, dialect)))]

    assert found == [first_day(moment, grain).isoformat() for moment in MOMENTS]


def test_an_hour_is_named_by_its_start(engine: tuple[Dialect, Run]):
    dialect, run = engine

    found = [str(row[0]) for row in run(each_row(b.bucket(T, Grain.HOUR, dialect)))]

    assert found == [str(moment.replace(minute=0, second=0)) for moment in MOMENTS]


def test_bounds_hold_for_moments_of_the_last_day(engine: tuple[Dialect, Run]):
    dialect, run = engine
    first, until = date(2024, 3, 1), date(2024, 4, 1)

    [[count]] = run(
        exp.select(b.count_where(b.between_dates(T, dialect, first=first, until=until))).from_(
            ORDERS
        )
    )

    assert count == sum(first <= moment.date() < until for moment in MOMENTS)


def test_parts_of_a_moment(engine: tuple[Dialect, Run]):
    dialect, run = engine

    found = run(
        each_row(b.weekday(T, dialect), b.month_of_year(T, dialect), b.hour_of_day(T, dialect))
    )

    assert found == [(m.isoweekday(), m.month, m.hour) for m in MOMENTS]


def test_distances_count_borders_not_spans(engine: tuple[Dialect, Run]):
    dialect, run = engine
    start = b.date_literal(date(2023, 12, 31), dialect)

    grains = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR)
    found = run(each_row(*(b.periods_between(start, T, grain, dialect) for grain in grains)))

    day = date(2023, 12, 31)
    assert found == [
        (
            (m.date() - day).days,
            (first_day(m, Grain.WEEK) - date(2023, 12, 25)).days // 7,
            m.year * 12 + m.month - (2023 * 12 + 12),
            m.year * 4 + (m.month + 2) // 3 - (2023 * 4 + 4),
            m.year - 2023,
        )
        for m in MOMENTS
    ]


def test_moving_by_periods(engine: tuple[Dialect, Run]):
    dialect, run = engine
    day = b.date_literal(date(2024, 5, 15), dialect)
    moves = [
        (Grain.DAY, -20),
        (Grain.WEEK, 2),
        (Grain.MONTH, -3),
        (Grain.QUARTER, 1),
        (Grain.YEAR, 1),
    ]

    [row, *_] = run(each_row(*(b.add_periods(day, n, grain, dialect) for grain, n in moves)))

    assert [str(each) for each in row] == [
        "2024-04-25", "2024-05-29", "2024-02-15", "2024-08-15", "2025-05-15",
    ]  # fmt: skip


def test_statistics_leave_nulls_out(engine: tuple[Dialect, Run]):
    dialect, run = engine
    known = [each for each in AMOUNTS if each is not None]

    [row] = run(
        exp.select(
            b.count_rows(),
            b.count_values(X),
            b.null_count(X),
            b.total(X),
            b.average(X, dialect),
            b.variance(X, dialect),
            b.deviation(X, dialect),
            b.correlation(X, b.column_of("id"), dialect),
            b.ratio(b.count_values(X), b.count_rows(), dialect),
        ).from_(ORDERS)
    )

    ids = [i for i, each in enumerate(AMOUNTS) if each is not None]
    assert row == pytest.approx(
        (
            200,
            len(known),
            200 - len(known),
            sum(known),
            statistics.fmean(known),
            statistics.variance(known),
            statistics.stdev(known),
            float(np.corrcoef(known, ids)[0, 1]),
            len(known) / 200,
        )
    )


def test_a_ratio_to_nothing_is_nothing(engine: tuple[Dialect, Run]):
    dialect, run = engine
    one, none = exp.Literal.number(1), exp.Literal.number(0)

    [row, *_] = run(
        each_row(b.ratio(one, exp.Literal.number(3), dialect), b.ratio(one, none, dialect))
    )

    assert row == (pytest.approx(1 / 3), None)


def test_quantiles_are_the_same_on_every_engine(engine: tuple[Dialect, Run]):
    dialect, run = engine
    wanted = {"p25": 0.25, "median": 0.5, "p90": 0.9}

    found = run(b.quantiles_query(ORDERS, X, wanted, dialect, by={"kind": b.column_of("kind")}))

    for kind, *values in found:
        known = [x for x, g in zip(AMOUNTS, GROUPS, strict=True) if x is not None and g == kind]
        assert values == pytest.approx(list(np.quantile(known, list(wanted.values()))))
    assert [row[0] for row in found] == sorted(set(GROUPS))


def test_one_value_is_all_its_quantiles(engine: tuple[Dialect, Run]):
    dialect, run = engine
    where = b.equals(b.column_of("id"), 1, dialect)

    assert run(b.quantiles_query(ORDERS, X, {"q": 0.9}, dialect, where=where)) == [
        (pytest.approx(AMOUNTS[1]),)
    ]


def test_bins_below_the_lowest_are_negative(engine: tuple[Dialect, Run]):
    dialect, run = engine

    found = [row[0] for row in run(each_row(b.histogram_bin(X, dialect, low=0.0, width=7.5)))]

    assert found == [None if x is None else int(x // 7.5) for x in AMOUNTS]


def test_values_are_compared_as_written(engine: tuple[Dialect, Run]):
    dialect, run = engine
    kind = b.column_of("kind")

    [[listed, part, exact]] = run(
        exp.select(
            b.count_where(b.is_any_of(kind, ["a", "it's"], dialect)),
            b.count_where(b.contains(kind, "A", dialect)),
            b.count_where(b.contains(kind, "%", dialect)),
        ).from_(ORDERS)
    )

    assert (listed, part, exact) == (GROUPS.count("a"), GROUPS.count("a"), 0)


def test_windows_run_over_the_rows_so_far(engine: tuple[Dialect, Run]):
    dialect, run = engine
    by_id = [b.column_of("id")]

    found = run(
        each_row(
            b.running(b.count_rows(), order_by=by_id),
            b.running(b.count_rows(), order_by=by_id, last=3),
            b.row_number(order_by=by_id),
            b.share_of_total(exp.Literal.number(1), dialect),
        )
    )

    assert found[5][:3] == (6, 3, 6)
    assert found[0] == (1, 1, 1, pytest.approx(1 / 200))
