import pytest
from sqlglot import exp, parse_one

from core.domain.query import Dialect
from core.sql.row_cap import capped


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (Dialect.POSTGRES, "SELECT a FROM t", "SELECT a FROM t LIMIT 11"),
        (Dialect.POSTGRES, "SELECT a FROM t LIMIT 5", "SELECT a FROM t LIMIT 5"),
        (
            Dialect.POSTGRES,
            "SELECT a FROM t LIMIT 50 OFFSET 2",
            "SELECT a FROM t LIMIT 11 OFFSET 2",
        ),
        (Dialect.POSTGRES, "SELECT a FROM t LIMIT ALL", "SELECT a FROM t LIMIT 11"),
        (Dialect.POSTGRES, "SELECT a FROM t LIMIT NULL", "SELECT a FROM t LIMIT 11"),
        (Dialect.SQLITE, "SELECT a FROM t LIMIT -1", "SELECT a FROM t LIMIT 11"),
        (Dialect.POSTGRES, "SELECT 1 UNION SELECT 2", "SELECT 1 UNION SELECT 2 LIMIT 11"),
        (Dialect.POSTGRES, "VALUES (1), (2)", "VALUES (1), (2)"),
        (
            Dialect.POSTGRES,
            "SELECT a FROM t LIMIT (SELECT 5)",
            "SELECT * FROM (SELECT a FROM t LIMIT (SELECT 5)) AS capped LIMIT 11",
        ),
        (
            Dialect.POSTGRES,
            "SELECT a FROM t FETCH FIRST 5 ROWS WITH TIES",
            "SELECT * FROM (SELECT a FROM t FETCH FIRST 5 ROWS WITH TIES) AS capped LIMIT 11",
        ),
        (
            Dialect.POSTGRES,
            "SELECT a FROM t FETCH FIRST 50 ROWS ONLY",
            "SELECT a FROM t FETCH FIRST 11 ROWS ONLY",
        ),
        (
            Dialect.MYSQL,
            "(SELECT 1) LIMIT 2",
            "SELECT * FROM ((SELECT 1) LIMIT 2) AS capped LIMIT 11",
        ),
        (Dialect.MYSQL, "SELECT a FROM t LIMIT 5, 50", "SELECT a FROM t LIMIT 11 OFFSET 5"),
        (Dialect.TSQL, "SELECT DISTINCT a FROM t", "SELECT DISTINCT TOP 11 a FROM t"),
        (Dialect.TSQL, "SELECT TOP 50 a FROM t", "SELECT TOP 11 a FROM t"),
        (
            Dialect.TSQL,
            "SELECT 1 AS a UNION SELECT 2 ORDER BY a",
            "SELECT 1 AS a UNION SELECT 2 ORDER BY a OFFSET 0 ROWS FETCH FIRST 11 ROWS ONLY",
        ),
        (
            Dialect.TSQL,
            "SELECT 1 AS a UNION SELECT 2 AS a",
            "SELECT TOP 11 * FROM (SELECT 1 AS a UNION SELECT 2 AS a) AS capped",
        ),
        (
            Dialect.TSQL,
            "SELECT a FROM t ORDER BY a OFFSET 3 ROWS",
            "SELECT a FROM t ORDER BY a OFFSET 3 ROWS FETCH FIRST 11 ROWS ONLY",
        ),
        (Dialect.ORACLE, "SELECT a FROM t", "SELECT a FROM t FETCH FIRST 11 ROWS ONLY"),
        (Dialect.TRINO, "SELECT a FROM t OFFSET 5", "SELECT a FROM t OFFSET 5 LIMIT 11"),
        (Dialect.CLICKHOUSE, "SELECT a FROM t FORMAT JSON", "SELECT a FROM t LIMIT 11"),
        (
            Dialect.CLICKHOUSE,
            "SELECT a FROM t LIMIT 3 BY a",
            "SELECT * FROM (SELECT a FROM t LIMIT 3 BY a) AS capped LIMIT 11",
        ),
        (
            Dialect.DUCKDB,
            "PIVOT t ON a USING SUM(b)",
            "SELECT * FROM (PIVOT t ON a USING SUM(b)) AS capped LIMIT 11",
        ),
        (Dialect.BIGQUERY, "SELECT AS STRUCT 1 AS a", "SELECT AS STRUCT 1 AS a LIMIT 11"),
    ],
)
def test_one_row_more_than_asked_for_in_the_engines_own_form(
    dialect: Dialect, sql: str, expected: str
):
    tree = capped(parse_one(sql, dialect=dialect), rows=10, dialect=dialect)

    assert tree.sql(dialect) == expected


def test_arms_of_a_set_operation_and_subqueries_are_left_alone():
    sql = "SELECT count(*) FROM (SELECT a FROM t) AS x UNION ALL SELECT b FROM u"

    tree = capped(parse_one(sql, dialect="postgres"), rows=10, dialect=Dialect.POSTGRES)

    assert [each.parent_select is None for each in tree.find_all(exp.Limit)] == [True]
