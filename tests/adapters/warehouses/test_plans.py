from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from adapters.warehouses.duckdb import plan as duckdb
from adapters.warehouses.mysql import plan as mysql
from adapters.warehouses.postgres import plan as postgres
from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.sqlite import plan as sqlite
from core.domain.query import CostEstimate
from core.domain.table import Cell, Row

SIZES = Sizes(
    rows={"orders": 100_000, "customers": 1_000, "sales.orders": 7},
    bytes={"orders": 6_500_000, "customers": 80_000},
)


class TestSqlite:
    @pytest.mark.parametrize(
        ("sql", "details", "rows", "largest"),
        [
            ("SELECT * FROM orders", ["SCAN orders"], 100_000, 100_000),
            ("SELECT * FROM orders", ["SCAN TABLE orders AS o"], 100_000, 100_000),
            (
                "SELECT * FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
                ["SCAN o", "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)"],
                200_000,
                100_000,
            ),
            (
                "SELECT * FROM customers AS c JOIN orders AS o ON c.id = o.customer_id",
                ["SCAN c", "SEARCH o USING INDEX by_customer (customer_id=?)"],
                11_000,
                10_000,
            ),
            (
                "SELECT * FROM orders WHERE day > '2025'",
                ["SEARCH orders USING INDEX by_day (day>?)"],
                25_000,
                25_000,
            ),
            (
                "SELECT COUNT(*) FROM orders AS a, orders AS b",
                ["SCAN a USING COVERING INDEX by_day", "SCAN b USING COVERING INDEX by_day"],
                1e10 + 1e5,
                1e10,
            ),
            ("SELECT 1", ["SCAN CONSTANT ROW"], 1, 1),
        ],
    )
    def test_multiplies_what_is_looped(
        self, sql: str, details: list[str], rows: float, largest: float
    ):
        plan: list[Row] = [(at + 1, 0, 0, detail) for at, detail in enumerate(details)]

        estimate = sqlite.estimate_of(plan, sql, SIZES)

        assert estimate == CostEstimate(rows=rows, intermediate_rows=largest, confidence="estimate")

    def test_counts_what_a_part_makes_and_repeats_what_is_correlated(self):
        plan: list[Row] = [
            (2, 0, 0, "MATERIALIZE t"),
            (5, 2, 0, "SCAN orders"),
            (9, 2, 0, "USE TEMP B-TREE FOR GROUP BY"),
            (20, 0, 0, "SCAN t"),
            (30, 0, 0, "CORRELATED SCALAR SUBQUERY 3"),
            (31, 30, 0, "SCAN customers"),
        ]

        estimate = sqlite.estimate_of(plan, "SELECT 1", SIZES)

        assert estimate.rows == 100_000 + 100_000 + 100_000 * 1_000

    @pytest.mark.parametrize("detail", ["RECURSIVE STEP", "SCAN somewhere_else"])
    def test_says_so_when_it_cannot_know(self, detail: str):
        assert sqlite.estimate_of([(1, 0, 0, detail)], "SELECT 1", SIZES) == CostEstimate()


def postgres_plan(root: Mapping[str, Cell]) -> list[Row]:
    return [([{"Plan": root}],)]


SEQ_SCAN: dict[str, Cell] = {
    "Node Type": "Seq Scan",
    "Parent Relationship": "Outer",
    "Relation Name": "orders",
    "Schema": "public",
    "Plan Rows": 49_667,
    "Plan Width": 10,
    "Total Cost": 1887.0,
}
INDEX_SCAN: dict[str, Cell] = {
    "Node Type": "Index Scan",
    "Parent Relationship": "Inner",
    "Relation Name": "customers",
    "Schema": "public",
    "Plan Rows": 1,
    "Plan Width": 8,
    "Total Cost": 0.3,
}


class TestPostgres:
    def test_a_scan_reads_the_whole_table_whatever_it_gives(self):
        estimate = postgres.estimate_of(postgres_plan(SEQ_SCAN), "", SIZES)

        assert estimate == CostEstimate(
            rows=100_000,
            intermediate_rows=49_667,
            bytes=6_500_000,
            units=1887.0,
            confidence="estimate",
        )

    def test_tells_schemas_apart(self):
        plan = postgres_plan({**SEQ_SCAN, "Schema": "sales"})

        assert postgres.estimate_of(plan, "", SIZES).rows == 7

    def test_repeats_the_inner_side_of_a_loop(self):
        plan = postgres_plan(
            {
                "Node Type": "Nested Loop",
                "Plan Rows": 49_667,
                "Plan Width": 18,
                "Total Cost": 20_000.0,
                "Plans": [SEQ_SCAN, INDEX_SCAN],
            }
        )

        estimate = postgres.estimate_of(plan, "", SIZES)

        assert estimate.rows == 100_000 + 49_667
        assert estimate.intermediate_rows == 49_667

    def test_sees_the_pairs_of_a_cross_join(self):
        inner: dict[str, Cell] = {
            "Node Type": "Materialize",
            "Parent Relationship": "Inner",
            "Plan Rows": 1e5,
        }
        plan = postgres_plan(
            {
                "Node Type": "Aggregate",
                "Plan Rows": 1,
                "Plans": [
                    {
                        "Node Type": "Nested Loop",
                        "Parent Relationship": "Outer",
                        "Plan Rows": 1e10,
                        "Plans": [{**SEQ_SCAN, "Plan Rows": 1e5}, {**inner, "Plans": [SEQ_SCAN]}],
                    }
                ],
            }
        )

        estimate = postgres.estimate_of(plan, "", SIZES)

        assert estimate.rows == 200_000
        assert estimate.intermediate_rows == 1e10

    def test_repeats_a_part_that_depends_on_the_row(self):
        part: dict[str, Cell] = {
            **SEQ_SCAN,
            "Parent Relationship": "SubPlan",
            "Subplan Name": "SubPlan 1",
        }
        outer: dict[str, Cell] = {
            **SEQ_SCAN,
            "Relation Name": "customers",
            "Plan Rows": 500,
            "Plans": [part],
        }

        depends = postgres.estimate_of(postgres_plan(outer), "", SIZES)
        once = postgres.estimate_of(
            postgres_plan({**outer, "Filter": "(NOT (hashed SubPlan 1))"}), "", SIZES
        )

        assert depends.rows == 1_000 + 1_000 * 100_000
        assert once.rows == 1_000 + 100_000

    @pytest.mark.parametrize("kind", ["Recursive Union", "Foreign Scan"])
    def test_says_so_when_it_cannot_know(self, kind: str):
        plan = postgres_plan({**SEQ_SCAN, "Plans": [{**SEQ_SCAN, "Node Type": kind}]})

        assert postgres.estimate_of(plan, "", SIZES) == CostEstimate()
        assert postgres.estimate_of([], "", SIZES) == CostEstimate()
        assert postgres.estimate_of([("no plan",)], "", SIZES) == CostEstimate()


def duckdb_node(name: str, rows: str | None, *children: object, table: str = "") -> object:
    figures = {} if rows is None else {"Estimated Cardinality": rows}
    named = {"Table": table} if table else {}
    return {"name": name, "children": [*children], "extra_info": {**named, **figures}}


class TestDuckDB:
    def test_a_scan_reads_the_whole_table_and_a_product_multiplies(self):
        orders = duckdb_node("SEQ_SCAN ", "20000", table="shop.main.orders")
        other = duckdb_node("SEQ_SCAN ", "7", table="shop.sales.orders")
        plan = [duckdb_node("PROJECTION", "1", duckdb_node("CROSS_PRODUCT", None, orders, other))]

        estimate = duckdb.estimate_of([("physical_plan", json.dumps(plan))], "", SIZES)

        assert estimate == CostEstimate(
            rows=100_007, intermediate_rows=140_000, confidence="estimate"
        )

    def test_sees_the_pairs_of_a_join_that_compares_all(self):
        orders = duckdb_node("SEQ_SCAN ", "100000", table="shop.main.orders")
        plan = [duckdb_node("BLOCKWISE_NL_JOIN", "5", orders, orders)]

        estimate = duckdb.estimate_of([("physical_plan", json.dumps(plan))], "", SIZES)

        assert estimate.intermediate_rows == 1e10

    @pytest.mark.parametrize("text", ["no plan", "[]", '{"name": 1}'])
    def test_says_so_when_it_cannot_know(self, text: str):
        recursive = json.dumps([duckdb_node("REC_CTE", "1001", duckdb_node("DUMMY_SCAN", None))])

        assert duckdb.estimate_of([("physical_plan", text)], "", SIZES) == CostEstimate()
        assert duckdb.estimate_of([("physical_plan", recursive)], "", SIZES) == CostEstimate()
        assert duckdb.estimate_of([], "", SIZES) == CostEstimate()


MARIADB = """
{"query_block": {"select_id": 1, "nested_loop": [
  {"table": {"table_name": "a", "access_type": "ALL", "rows": 500, "filtered": 50}},
  {"table": {"table_name": "c", "access_type": "ref", "key": "k", "rows": 2, "filtered": 100}},
  {"block-nl-join": {"table": {"table_name": "b", "access_type": "ALL", "rows": 500,
    "filtered": 100}, "buffer_type": "flat", "join_type": "BNL"}},
  {"table": {"table_name": "<derived2>", "access_type": "ref", "rows": 10, "filtered": 100,
    "materialized": {"query_block": {"select_id": 2, "filesort": {"temporary_table": {
      "nested_loop": [{"table": {"table_name": "n", "access_type": "index", "rows": 900,
        "filtered": 100}}]}}}}}}
]}}
"""
MYSQL = """
{"query_block": {"select_id": 1, "cost_info": {"query_cost": "151.50"}, "ordering_operation": {
  "using_filesort": true, "nested_loop": [
    {"table": {"table_name": "o", "access_type": "ALL", "rows_examined_per_scan": 1000,
      "rows_produced_per_join": 100, "filtered": "10.00"}},
    {"table": {"table_name": "c", "access_type": "eq_ref", "rows_examined_per_scan": 1,
      "rows_produced_per_join": 100, "filtered": "100.00"}}]}}}
"""


class TestMysql:
    def test_multiplies_rows_down_the_join_order(self):
        estimate = mysql.estimate_of([(MARIADB,)], "", SIZES)

        # 500 of a, 2 for each half of them, all of b once, 10 for each pair, and the part's 900.
        assert estimate.rows == 500 + 250 * 2 + 500 + 250 * 2 * 500 * 10 + 900
        assert estimate.intermediate_rows == 250 * 2 * 500 * 10
        assert estimate.units is None

    def test_reads_the_cost_that_mysql_gives(self):
        estimate = mysql.estimate_of([(MYSQL,)], "", SIZES)

        assert estimate == CostEstimate(
            rows=1_100, intermediate_rows=1_000, units=151.5, confidence="estimate"
        )

    @pytest.mark.parametrize(
        "text", ["no plan", "[]", '{"query_block": {"recursive_union": {"table_name": "c"}}}']
    )
    def test_says_so_when_it_cannot_know(self, text: str):
        assert mysql.estimate_of([(text,)], "", SIZES) == CostEstimate()
        assert mysql.estimate_of([], "", SIZES) == CostEstimate()
