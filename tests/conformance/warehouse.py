"""What every Warehouse does. Subclass it next to the implementation; add nothing to pass."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from datetime import date
from decimal import Decimal
from typing import cast

import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import ForeignKey
from core.domain.connection import Limits
from core.domain.errors import QueryRejected, TemporarilyUnavailable
from core.domain.query import CostEstimate
from core.domain.table import ColumnKind, Table
from core.ports.warehouse import Warehouse
from core.sql.guard import Guard
from tests.conformance.warehouse_faults import EVERY_PAIR, NUMBERS, WarehouseFaults
from tests.conformance.warehouse_values import WarehouseValues
from tests.kit.patience import patiently
from tests.kit.unguarded import unguarded


def _insert(table: str, rows: list[tuple[int, str]]) -> str:
    return " ".join(["INSERT INTO", table, "VALUES", ", ".join(map(str, rows))])


SCRIPT = (
    "CREATE TABLE customers (id INTEGER NOT NULL, name VARCHAR(40) NOT NULL, country VARCHAR(2),"
    " PRIMARY KEY (id))",
    "CREATE TABLE orders (id INTEGER NOT NULL, customer_id INTEGER NOT NULL,"
    " amount DECIMAL(12, 2), ordered_on DATE, status VARCHAR(10), note VARCHAR(80),"
    " PRIMARY KEY (id), FOREIGN KEY (customer_id) REFERENCES customers (id))",
    "CREATE TABLE numbers (n INTEGER NOT NULL, label VARCHAR(20))",
    "INSERT INTO customers VALUES (1, 'Ada', 'GB'), (2, 'Blaise', 'FR'), (3, 'Carl', NULL)",
    "INSERT INTO orders VALUES (1, 1, 10.50, '2025-01-03', 'paid', 'first'),"
    " (2, 1, 20.25, '2025-02-03', 'paid', NULL),"
    " (3, 2, 5.00, '2025-02-09', 'open', '{\"gift\":true}'),"
    " (4, 3, 1234567890.12, '2025-03-01', 'refunded', '100% off')",
    *(
        _insert("numbers", [(n, f"label {n}") for n in range(start, start + 1_000)])
        for start in range(0, NUMBERS, 1_000)
    ),
    "CREATE VIEW paid_orders AS SELECT id, amount FROM orders WHERE status = 'paid'",
)


@pytest.mark.asyncio(loop_scope="class")
class WarehouseContract(WarehouseFaults, WarehouseValues):
    """The subclass gives the `address` of a database on which SCRIPT was run, once a class.

    `has_keys`: the engine knows keys; `duplicates`: how it names two columns that are called `id`.
    """

    keeps_decimals = True
    has_dates = True
    has_keys = True
    duplicates = ("id", "id_3", "id_2")

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls) -> str:
        raise NotImplementedError

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def warehouse(cls, address: str) -> AsyncIterator[Warehouse]:
        warehouse = await open_warehouse(address)
        yield warehouse
        await warehouse.close()

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def hurried(cls, address: str) -> AsyncIterator[Warehouse]:
        warehouse = await open_warehouse(address, limits=Limits(seconds=0.5, result_bytes=20_000))
        yield warehouse
        await warehouse.close()

    async def test_lists_tables_and_views_with_their_columns(self, warehouse: Warehouse):
        catalog = await warehouse.inspect()

        assert catalog.dialect is warehouse.dialect
        assert [table.name for table in catalog.tables] == [
            *("customers", "numbers", "orders", "paid_orders")
        ]
        assert [table.is_view for table in catalog.tables] == [False, False, False, True]
        orders = catalog.table("orders")
        assert orders is not None
        assert [column.name for column in orders.columns] == [
            *("id", "customer_id", "amount", "ordered_on", "status", "note")
        ]
        assert [column.kind for column in orders.columns] == [
            ColumnKind.DIMENSION,
            ColumnKind.DIMENSION,
            ColumnKind.MEASURE,
            ColumnKind.TIME,
            ColumnKind.DIMENSION,
            ColumnKind.DIMENSION,
        ]

    async def test_knows_keys_and_what_may_be_null(self, warehouse: Warehouse):
        orders = (await warehouse.inspect()).table("orders")

        assert orders is not None
        pointing = ForeignKey(columns=("customer_id",), to_table="customers", to_columns=("id",))
        assert orders.primary_key == (("id",) if self.has_keys else ())
        assert orders.foreign_keys == ((pointing,) if self.has_keys else ())
        assert [column.nullable for column in orders.columns] == [
            *(False, False, True, True, True, True)
        ]

    async def test_knows_how_many_rows_a_small_table_has(self, warehouse: Warehouse):
        catalog = await warehouse.inspect()

        assert {table.name: table.row_estimate for table in catalog.tables} == {
            "customers": 3,
            "numbers": NUMBERS,
            "orders": 4,
            "paid_orders": None,
        }

    async def test_knows_the_values_of_a_column_with_few(self, warehouse: Warehouse):
        catalog = await warehouse.inspect()

        values = {
            (table.name, column.name): column.values
            for table in catalog.tables
            for column in table.columns
        }
        assert values["orders", "status"] == ("open", "paid", "refunded")
        assert values["customers", "country"] == ("FR", "GB")
        assert values["numbers", "label"] == ()
        assert values["orders", "customer_id"] == (() if self.has_keys else ("1", "2", "3"))
        assert values["orders", "amount"] == ()

    async def test_finds_the_same_catalog_twice(self, warehouse: Warehouse):
        first = await warehouse.inspect()
        second = await warehouse.inspect()

        assert first == second
        assert first.version == second.version

    async def test_a_table_may_be_named_with_the_default_schema(self, warehouse: Warehouse):
        catalog = await warehouse.inspect()
        schema = catalog.default_schema or "main"
        query = Guard(catalog=catalog).check(f"SELECT id FROM {schema}.orders", max_rows=10)

        assert len((await warehouse.fetch(query, max_rows=10)).rows) == 4

    async def test_fetches_rows_with_their_columns(self, warehouse: Warehouse):
        table = await self.ask(
            warehouse, "SELECT id, amount, ordered_on, note FROM orders ORDER BY id"
        )

        assert table.names == ("id", "amount", "ordered_on", "note")
        assert [column.kind for column in table.columns] == [
            ColumnKind.DIMENSION,
            ColumnKind.MEASURE,
            ColumnKind.TIME,
            ColumnKind.DIMENSION,
        ]
        day: object = date(2025, 1, 3) if self.has_dates else "2025-01-03"
        assert table.rows[0] == (1, Decimal("10.50"), day, "first")
        assert table.rows[1][3] is None
        assert not table.truncated

    async def test_keeps_decimals_exact(self, warehouse: Warehouse):
        table = await self.ask(warehouse, "SELECT SUM(amount) AS total FROM orders WHERE id > 1")

        [[total]] = table.rows
        assert isinstance(total, Decimal) is self.keeps_decimals
        assert float(str(total)) == 1234567915.37

    async def test_stops_at_max_rows_and_says_so(self, warehouse: Warehouse):
        query = unguarded("SELECT id FROM orders ORDER BY id", warehouse.dialect)

        cut = await warehouse.fetch(query, max_rows=3)
        whole = await warehouse.fetch(query, max_rows=4)

        assert [cut.rows, cut.truncated] == [((1,), (2,), (3,)), True]
        assert [len(whole.rows), whole.truncated] == [4, False]

    async def test_stops_at_the_byte_cap_and_says_so(self, hurried: Warehouse):
        query = unguarded("SELECT n, label FROM numbers", hurried.dialect)

        table = await patiently(lambda: hurried.fetch(query, max_rows=NUMBERS))

        assert 0 < len(table.rows) < NUMBERS
        assert table.truncated

    async def test_gives_the_columns_of_an_empty_result(self, warehouse: Warehouse):
        table = await self.ask(warehouse, "SELECT id, amount FROM orders WHERE id > 99")

        assert table.names == ("id", "amount")
        assert table.rows == ()
        assert not table.truncated

    async def test_keeps_columns_of_the_same_name_apart(self, warehouse: Warehouse):
        table = await self.ask(
            warehouse,
            "SELECT a.id, b.id, a.status AS id_2 FROM orders AS a JOIN orders AS b ON a.id = b.id"
            " WHERE a.id = 4",
        )

        assert table.names == self.duplicates
        assert table.rows == ((4, 4, "refunded"),)

    async def test_sends_colons_and_percent_signs_as_they_are(self, warehouse: Warehouse):
        table = await self.ask(
            warehouse,
            "SELECT id, ':a %s %(b)s %%' AS odd FROM orders"
            " WHERE note LIKE '%0!% off' ESCAPE '!' OR note = '{\"gift\":true}' ORDER BY id",
        )

        assert table.rows == ((3, ":a %s %(b)s %%"), (4, ":a %s %(b)s %%"))

    async def test_passes_on_the_words_of_a_rejection(self, warehouse: Warehouse):
        query = unguarded("SELECT no_such_column FROM orders", warehouse.dialect)

        with pytest.raises(QueryRejected, match="no_such_column"):
            await warehouse.fetch(query, max_rows=1)
        with pytest.raises(QueryRejected, match="no_such_column"):
            await warehouse.estimate(query)

    async def test_estimates_more_for_a_join_that_multiplies(self, warehouse: Warehouse):
        one = await self.cost(warehouse, "SELECT n FROM numbers")
        many = await self.cost(warehouse, EVERY_PAIR)

        assert one.rows is not None
        assert NUMBERS / 10 <= one.rows <= NUMBERS * 10
        assert many.intermediate_rows is not None
        assert many.intermediate_rows >= NUMBERS**3 / 1_000
        assert one.confidence == many.confidence == "estimate"

    async def test_streams_batches_up_to_max_rows(self, warehouse: Warehouse):
        query = unguarded("SELECT n, label FROM numbers ORDER BY n", warehouse.dialect)

        batches = [table async for table in warehouse.stream(query, batch_rows=700, max_rows=2_000)]

        assert [len(table.rows) for table in batches] == [700, 700, 600]
        assert [table.truncated for table in batches] == [False, False, True]
        assert [row[0] for table in batches for row in table.rows] == [*range(2_000)]
        assert {table.columns for table in batches} == {batches[0].columns}

    async def test_streams_everything_there_is(self, warehouse: Warehouse):
        query = unguarded("SELECT n FROM numbers", warehouse.dialect)

        batches = [
            table async for table in warehouse.stream(query, batch_rows=2_500, max_rows=NUMBERS)
        ]

        assert [len(table.rows) for table in batches] == [2_500, 2_500]
        assert not any(table.truncated for table in batches)

    async def test_streams_one_table_when_there_are_no_rows(self, warehouse: Warehouse):
        query = unguarded("SELECT n, label FROM numbers WHERE n < 0", warehouse.dialect)

        batches = [table async for table in warehouse.stream(query, batch_rows=10, max_rows=100)]

        assert [(table.names, table.rows) for table in batches] == [(("n", "label"), ())]

    async def test_closing_a_stream_early_leaves_the_warehouse_usable(self, warehouse: Warehouse):
        query = unguarded("SELECT n FROM numbers ORDER BY n", warehouse.dialect)

        batches = warehouse.stream(query, batch_rows=10, max_rows=NUMBERS)
        async with aclosing(cast("AsyncGenerator[Table, None]", batches)):
            first = await anext(batches)

        assert len(first.rows) == 10
        assert (await self.ask(warehouse, "SELECT 1 AS one")).rows == ((1,),)

    async def test_a_query_waits_for_its_turn_but_not_for_ever(self, hurried: Warehouse):
        async with AsyncExitStack() as streams:
            with pytest.raises(TemporarilyUnavailable, match="busy with other queries"):
                await self.open_ten(hurried, streams)  # more than any pool has connections

        assert await self.answers(hurried)

    async def test_stops_what_takes_too_long_and_goes_on(self, hurried: Warehouse):
        query = unguarded(EVERY_PAIR, hurried.dialect)

        with pytest.raises(TemporarilyUnavailable, match=r"0\.5 seconds"):
            await hurried.fetch(query, max_rows=1)

        assert await self.answers(hurried)

    async def test_cancelling_ends_the_query(self, warehouse: Warehouse):
        query = unguarded(EVERY_PAIR, warehouse.dialect)

        for _ in range(5):  # more often than any pool has connections
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await warehouse.fetch(query, max_rows=1)

        assert (await self.ask(warehouse, "SELECT 1 AS one")).rows == ((1,),)

    async def test_answers_several_at_once(self, warehouse: Warehouse):
        query = unguarded("SELECT COUNT(*) AS n FROM numbers", warehouse.dialect)

        async with asyncio.TaskGroup() as tasks:
            answers = [tasks.create_task(warehouse.fetch(query, max_rows=1)) for _ in range(20)]

        assert {task.result().rows for task in answers} == {((NUMBERS,),)}

    @pytest.mark.parametrize(
        "sql",
        [
            "INSERT INTO customers VALUES (9, 'Mallory', 'XX')",
            "UPDATE customers SET name = 'Mallory'",
            "DELETE FROM numbers",
            "DROP TABLE numbers",
            "CREATE TABLE mine (n INTEGER)",
            "SELECT 1; DELETE FROM numbers",
            "COMMIT; DELETE FROM numbers",
        ],
    )
    async def test_never_writes(self, warehouse: Warehouse, sql: str):
        with pytest.raises(QueryRejected):
            await warehouse.fetch(unguarded(sql, warehouse.dialect), max_rows=1)

        counts = await self.ask(
            warehouse,
            "SELECT (SELECT COUNT(*) FROM numbers) AS n, (SELECT MAX(name) FROM customers) AS c",
        )
        assert counts.rows == ((NUMBERS, "Carl"),)

    async def test_may_be_closed_twice(self, warehouse: Warehouse):
        await self.ask(warehouse, "SELECT 1 AS one")

        await warehouse.close()
        await warehouse.close()

    async def open_ten(self, warehouse: Warehouse, streams: AsyncExitStack) -> None:
        query = unguarded("SELECT n, label FROM numbers", warehouse.dialect)

        async def first_row() -> TemporarilyUnavailable | None:
            stream = warehouse.stream(query, batch_rows=1, max_rows=NUMBERS)
            closed = aclosing(cast("AsyncGenerator[Table, None]", stream))
            try:
                await anext(await streams.enter_async_context(closed))
            except TemporarilyUnavailable as error:
                if "busy" not in error.advice:
                    raise
                return error
            return None

        for _ in range(10):
            error = await patiently(first_row)
            if error is not None:
                raise error

    async def cost(self, warehouse: Warehouse, sql: str) -> CostEstimate:
        return await warehouse.estimate(unguarded(sql, warehouse.dialect))
