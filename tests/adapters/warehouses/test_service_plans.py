from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.warehouses.bigquery import plan as bigquery
from adapters.warehouses.clickhouse import plan as clickhouse
from adapters.warehouses.databricks import plan as databricks
from adapters.warehouses.redshift import plan as redshift
from adapters.warehouses.snowflake import plan as snowflake
from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.sqlserver import plan as sqlserver
from adapters.warehouses.trino import plan as trino
from core.domain.query import CostEstimate
from core.domain.table import Row

PLANS = Path(__file__).parents[2] / "fixtures" / "plans"
SIZES = Sizes(
    rows={"orders": 1_000_000, "customers": 1_000, "ORDERS": 1_000_000, "CUSTOMERS": 1_000},
    bytes={"orders": 64_000_000, "customers": 45_056},
)
JOIN = "SELECT 1 FROM orders AS o JOIN customers AS c ON c.id = o.customer_id"
PAIRS = "SELECT 1 FROM customers AS a, customers AS b"
UNKNOWN = CostEstimate()


def read(name: str) -> list[Row]:
    """Return a plan as its door gives it: lines of a text, rows of a list, or one whole cell."""
    text = (PLANS / name).read_text(encoding="utf-8")
    if name.startswith("clickhouse"):
        return [tuple(row) for row in json.loads(text)]
    return [(line,) for line in text.splitlines()] if name.endswith(".txt") else [(text,)]


def known(**figures: float | str | None) -> CostEstimate:
    return CostEstimate.model_validate({"confidence": "estimate", **figures})


@pytest.mark.parametrize(
    ("estimate_of", "name", "sql", "expected"),
    [
        (
            snowflake.estimate_of,
            "snowflake/scan.json",
            "SELECT SUM(amount) FROM orders",
            known(
                rows=250_000, intermediate_rows=250_000, bytes=1610612736, confidence="upper_bound"
            ),
        ),
        (
            snowflake.estimate_of,
            "snowflake/cartesian.json",
            PAIRS,
            known(rows=2_000, intermediate_rows=1e6, bytes=90112, confidence="upper_bound"),
        ),
        (snowflake.estimate_of, "snowflake/external.json", "SELECT value FROM files", UNKNOWN),
        (
            redshift.estimate_of,
            "redshift/join.txt",
            JOIN,
            known(rows=1_001_000, intermediate_rows=40_000, bytes=64_045_056, units=1010.75),
        ),
        (
            redshift.estimate_of,
            "redshift/nested_loop.txt",
            PAIRS,
            known(rows=2_000, intermediate_rows=1e6, bytes=90112, units=1200000100),
        ),
        (redshift.estimate_of, "redshift/no_statistics.txt", "SELECT 1 FROM fresh", UNKNOWN),
        (redshift.estimate_of, "redshift/spectrum.txt", "SELECT 1 FROM lake.events", UNKNOWN),
        (
            databricks.estimate_of,
            "databricks/join.txt",
            JOIN,
            known(rows=1_050_000, intermediate_rows=1e6, bytes=65.5 * 2**20),
        ),
        (
            databricks.estimate_of,
            "databricks/cross.txt",
            PAIRS,
            known(rows=1e5, intermediate_rows=2.5e9, bytes=3 * 2**20),
        ),
        (databricks.estimate_of, "databricks/no_statistics.txt", "SELECT id FROM s", UNKNOWN),
        (
            databricks.estimate_of,
            "databricks/size_only.txt",
            "SELECT id FROM events",
            known(bytes=64 * 2**30),
        ),
        (
            trino.estimate_of,
            "trino/join.json",
            JOIN,
            known(rows=1_050_000, intermediate_rows=1e6, bytes=65_600_000, units=1.5e8),
        ),
        (
            trino.estimate_of,
            "trino/join.json",
            "SELECT 1 FROM orders, customers",
            known(rows=1_050_000, intermediate_rows=5e10, bytes=65_600_000, units=1.5e8),
        ),
        (trino.estimate_of, "trino/no_statistics.json", JOIN, UNKNOWN),
        (
            sqlserver.estimate_of,
            "sqlserver/join.xml",
            JOIN,
            known(rows=1_004_000, intermediate_rows=1e6, bytes=20e6 + 4_000 * 25, units=12.34),
        ),
        (sqlserver.estimate_of, "sqlserver/insert.xml", JOIN, UNKNOWN),
        (sqlserver.estimate_of, "sqlserver/no_statistics.xml", "SELECT n FROM fresh", UNKNOWN),
        (
            clickhouse.estimate_of,
            "clickhouse/join.json",
            JOIN,
            known(rows=101_000, intermediate_rows=100_000, bytes=6_400_000 + 45_056),
        ),
        (
            clickhouse.estimate_of,
            "clickhouse/self_join.json",
            "SELECT 1 FROM orders AS a, orders AS b",
            known(rows=200_000, intermediate_rows=1e10, bytes=12_800_000),
        ),
        (
            clickhouse.estimate_of,
            "clickhouse/primary_key.json",
            "SELECT * FROM orders WHERE id < 100",
            known(rows=8_192, intermediate_rows=8_192, bytes=64 * 8_192),
        ),
    ],
)
def test_reads_a_plan(
    estimate_of: Callable[[Sequence[Row], str, Sizes], CostEstimate],
    name: str,
    sql: str,
    expected: CostEstimate,
):
    assert estimate_of(read(name), sql, SIZES) == expected


@pytest.mark.parametrize(
    ("kind", "size", "accuracy", "expected"),
    [
        ("SELECT", 2**40, "PRECISE", known(bytes=2**40, confidence="exact")),
        ("SELECT", 2**40, "", known(bytes=2**40, confidence="upper_bound")),
        ("SELECT", 2**40, "LOWER_BOUND", UNKNOWN),
        ("SELECT", None, "PRECISE", UNKNOWN),
        ("SCRIPT", 0, "PRECISE", UNKNOWN),
    ],
)
def test_reads_a_dry_run(kind: str, size: int | None, accuracy: str, expected: CostEstimate):
    sql = "SELECT 1 FROM `shop.unheard_of`"

    assert bigquery.estimate_of([(kind, size, accuracy)], sql, SIZES) == expected


ALL = (
    *(bigquery.estimate_of, clickhouse.estimate_of, databricks.estimate_of, redshift.estimate_of),
    *(snowflake.estimate_of, sqlserver.estimate_of, trino.estimate_of),
)


@pytest.mark.parametrize("estimate_of", ALL, ids=lambda each: each.__module__.split(".")[2])
@given(text=st.text(max_size=60) | st.sampled_from(["{}", "[]", "null", "<a/>", '{"a": NaN}']))
def test_what_is_no_plan_is_never_cheap(
    estimate_of: Callable[[Sequence[Row], str, Sizes], CostEstimate], text: str
):
    sql = "SELECT 1 FROM unheard_of"

    for plan in ([], [(text,)], [(text, text)], [(text,), (text,)]):
        if estimate_of is clickhouse.estimate_of and plan:
            continue  # its plan is a table of figures, which the server alone writes
        assert estimate_of(plan, sql, SIZES) == UNKNOWN


def test_a_plan_with_declarations_is_not_read():
    bomb = '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'

    assert sqlserver.estimate_of([(bomb,)], "SELECT 1", SIZES) == UNKNOWN
