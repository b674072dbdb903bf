"""Counts, recursion and products: what makes much out of little."""

import pytest

from core.domain.query import Dialect
from core.sql.guard import Guard

RECURSIVE = "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL {step}) SELECT count(*) FROM t"
HONEST = [
    (Dialect.POSTGRES, "SELECT repeat('*', n) FROM t"),
    (Dialect.POSTGRES, "SELECT repeat('*', (n / 10)::int), lpad(a, 10, '0') FROM t"),
    (Dialect.POSTGRES, "SELECT generate_series(0, 1000000, 100)"),
    (Dialect.POSTGRES, "SELECT generate_series(1700000000, 1700086400, 3600)"),
    (Dialect.POSTGRES, "SELECT * FROM generate_series('2020-01-01'::date, '2025-01-01', '1 day')"),
    (Dialect.POSTGRES, "SELECT * FROM generate_series((SELECT min(d) FROM t), now(), '1 hour') d"),
    (Dialect.POSTGRES, "SELECT format('%s is %10s', 'x', 12345678), to_char(9999999, '999,999')"),
    (Dialect.POSTGRES, "SELECT factorial(20), 2 ^ 40, power(10, 12)"),
    (Dialect.DUCKDB, "SELECT * FROM range(100000)"),
    (Dialect.SNOWFLAKE, "SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 1000))"),
    (Dialect.BIGQUERY, "SELECT d FROM UNNEST(GENERATE_DATE_ARRAY('2020-01-01', '2025-01-01')) d"),
    (Dialect.TRINO, "SELECT d FROM UNNEST(sequence(date '2024-01-01', date '2024-12-31')) t (d)"),
    (Dialect.ORACLE, "SELECT LEVEL FROM dual CONNECT BY LEVEL <= 366"),
    (Dialect.POSTGRES, "SELECT 1 FROM a, b WHERE a.x = b.x AND a.y > 5"),
    (Dialect.POSTGRES, "SELECT 1 FROM a, b, c WHERE x = y AND z = w"),
    (Dialect.POSTGRES, "SELECT 1 FROM a CROSS JOIN b"),
    (Dialect.POSTGRES, "SELECT 1 FROM a JOIN a b ON a.x < b.x"),
    (Dialect.POSTGRES, "SELECT 1 FROM a JOIN b USING (x) JOIN c USING (y)"),
    (
        Dialect.POSTGRES,
        "SELECT x.n FROM (SELECT count(*) n FROM a) x, (SELECT count(*) n FROM b) y",
    ),
    (Dialect.POSTGRES, "WITH a AS (SELECT max(x) m FROM t) SELECT 1 FROM a, a b, a c"),
    (Dialect.POSTGRES, "SELECT 1 FROM t, jsonb_array_elements(t.j) e, unnest(t.a) u"),
    (Dialect.POSTGRES, "SELECT 1 FROM a, b, c WHERE (a.x = b.x AND b.y = c.y) OR (a.x = b.z)"),
    (
        Dialect.POSTGRES,
        "SELECT 1 FROM products p CROSS JOIN stores s"
        " CROSS JOIN generate_series('2023-01-01'::date, '2025-12-31', '1 day') d",
    ),
    (
        Dialect.POSTGRES,
        "WITH RECURSIVE t AS (SELECT 10 n UNION ALL SELECT n - 1 FROM t WHERE n > 0) TABLE t",
    ),
    (
        Dialect.POSTGRES,
        "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT n + 1 FROM t WHERE n < (SELECT max(k)"
        " FROM u)) SELECT * FROM t",
    ),
    (
        Dialect.POSTGRES,
        "WITH RECURSIVE t AS (SELECT id FROM e WHERE boss IS NULL UNION ALL SELECT e.id FROM e"
        " JOIN t ON e.boss = t.id) SELECT count(*) FROM t",
    ),
    (
        Dialect.TSQL,
        "WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE 100 > i) SELECT i FROM n"
        " OPTION (MAXRECURSION 100)",
    ),
    (
        Dialect.POSTGRES,
        "WITH orders AS (SELECT a FROM orders UNION ALL SELECT a FROM old) SELECT 1 FROM orders",
    ),
]


@pytest.mark.parametrize(("dialect", "sql"), HONEST)
def test_small_counts_and_linked_joins_are_let_through(dialect: Dialect, sql: str):
    verdict = Guard.without_catalog(dialect).judge(sql)

    assert verdict.allowed, verdict.reason


@pytest.mark.parametrize(
    ("dialect", "sql", "rule"),
    [
        (Dialect.POSTGRES, "SELECT repeat('x', 10001)", "size.count"),
        (Dialect.POSTGRES, "SELECT repeat('x', 100 * 1000)", "size.count"),
        (Dialect.POSTGRES, "SELECT repeat('x', (10 ^ 6)::int)", "size.count"),
        (Dialect.POSTGRES, "SELECT repeat('x', '1000000'::int)", "size.count"),
        (Dialect.POSTGRES, "SELECT repeat('x', n * 1000000) FROM t", "size.count"),
        (Dialect.POSTGRES, "SELECT repeat('x', 1 << 30)", "size.count"),
        (Dialect.POSTGRES, "SELECT generate_series(1, 100002)", "size.count"),
        (Dialect.POSTGRES, "SELECT generate_series(1, n + 1000000) FROM t", "size.count"),
        (Dialect.POSTGRES, "SELECT generate_series(1, 2, 0)", "size.count"),
        (
            Dialect.POSTGRES,
            "SELECT generate_series('2000-01-01'::timestamp, '2030-01-01', '1 second')",
            "size.count",
        ),
        (
            Dialect.POSTGRES,
            "SELECT generate_series(now(), now() + '1 day', '1 microsecond')",
            "size.count",
        ),
        (Dialect.POSTGRES, "SELECT array_fill(0, ARRAY[1000, 1000])", "size.count"),
        (Dialect.SQLITE, "SELECT printf('%1000000d', 1)", "size.count"),
        (Dialect.SQLITE, "SELECT printf('%*d', 1000000, 1)", "size.count"),
        (Dialect.DUCKDB, "SELECT format('{:>1000000}', 'x')", "size.count"),
        (Dialect.SNOWFLAKE, "SELECT 1 FROM TABLE(GENERATOR(TIMELIMIT => 60))", "size.count"),
        (Dialect.ORACLE, "SELECT 1 FROM dual CONNECT BY LEVEL <= 100001", "size.recursion"),
        (Dialect.ORACLE, "SELECT 1 FROM dual CONNECT BY 1 = 1", "size.recursion"),
        (Dialect.POSTGRES, "SELECT 1 FROM a, a b", "size.cross-join"),
        (Dialect.POSTGRES, "SELECT 1 FROM a, b, c", "size.cross-join"),
        (Dialect.POSTGRES, "SELECT 1 FROM a, b, c WHERE a.x = 1", "size.cross-join"),
        (Dialect.POSTGRES, "SELECT 1 FROM a JOIN b ON true JOIN c ON 1 = 1", "size.cross-join"),
        (Dialect.POSTGRES, "SELECT 1 FROM a, b, c, d WHERE x = y", "size.cross-join"),
        (
            Dialect.POSTGRES,
            "SELECT 1 FROM generate_series(1, 90000) a, generate_series(1, 90000) b",
            "size.cross-join",
        ),
        (
            Dialect.POSTGRES,
            "WITH a AS (SELECT 1 FROM t, u), b AS (SELECT 1 FROM a, a x) SELECT 1 FROM b, b y",
            "size.cross-join",
        ),
    ],
)
def test_large_counts_and_unlinked_joins_are_refused(dialect: Dialect, sql: str, rule: str):
    assert Guard.without_catalog(dialect).judge(sql).rule == rule


@pytest.mark.parametrize(
    "step",
    [
        "SELECT n + 1 FROM t",
        "SELECT n + 1 FROM t WHERE true",
        "SELECT n + 1 FROM t WHERE 1 < 2",
        "SELECT n + 1 FROM t WHERE n > 0",
        "SELECT n + 1 FROM t WHERE n <> 0",
        "SELECT n + 1 FROM t WHERE n IS NOT NULL",
        "SELECT n + 1 FROM t WHERE n < n + 1",
        "SELECT n + 1 FROM t WHERE n < 10000000",
        "SELECT n + 1 FROM t WHERE n < 10 OR true",
        "SELECT n - 1 FROM t WHERE n < 10",
        "SELECT n FROM t WHERE n < 10",
        "SELECT a.n + 1 FROM t a, t b WHERE a.n < 10",
        "(SELECT n + 1 FROM t)",
    ],
)
def test_a_recursion_that_nothing_ends_is_refused(step: str):
    sql = RECURSIVE.format(step=step)

    assert Guard.without_catalog(Dialect.POSTGRES).judge(sql).rule == "size.recursion"
