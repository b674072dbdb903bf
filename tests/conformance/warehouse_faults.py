"""What every Warehouse makes of bad input and of connections that end: one clear outcome."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from typing import cast

import pytest

from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError
from core.domain.table import Table
from core.ports.warehouse import Warehouse
from tests.kit.patience import PATIENCE, patiently
from tests.kit.unguarded import unguarded

NUMBERS = 5_000
EVERY_PAIR = (
    "SELECT COUNT(*) FROM numbers AS a CROSS JOIN numbers AS b CROSS JOIN numbers AS c"
    " WHERE ABS(a.n - b.n * c.n) % 1000003 = 7"
)
_MANY_WIDE_ROWS = "SELECT a.n, a.label, b.label FROM numbers AS a CROSS JOIN numbers AS b"
ODD_TEXTS = {
    "a null byte": "SELECT 'a\0b'",
    "a null byte outside of quotes": "SELECT 1\0; SELECT 2",
    "200 kB": f"SELECT COUNT(*) FROM numbers WHERE n IN ({', '.join(['17'] * 50_000)})",
    "200 kB of text": f"SELECT '{'x' * 200_000}'",
    "10,000 brackets": f"SELECT {'(' * 10_000}1{')' * 10_000}",
    "10,000 brackets that stay open": f"SELECT {'(' * 10_000}",
    "10,000 terms": f"SELECT {' + '.join(['1'] * 10_000)}",
    "a name turned around": "SELECT \N{RIGHT-TO-LEFT OVERRIDE}n FROM numbers",
    "a blank that is none": "SELECT\N{NO-BREAK SPACE}n FROM numbers",
    "a mark of byte order": "\N{ZERO WIDTH NO-BREAK SPACE}SELECT n FROM numbers",
    "letters of full width": "\uff33\uff25\uff2c\uff25\uff23\uff34 1",
    "an emoji": "SELECT '\U0001f9ee' AS \"\U0001f9ee\"",
    "nothing": "",
    "blanks": "  \n\t ",
    "a comment alone": "-- nothing",
    "no SQL": "Drop everything, please",
}


class WarehouseFaults:
    """A part of the contract of a warehouse; its fixtures come from there."""

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        """End, from outside, every connection on which a query runs, once there is one.

        `streaming`: it may be waiting for its rows to be taken.
        """
        raise NotImplementedError

    @pytest.mark.parametrize("sql", ODD_TEXTS.values(), ids=ODD_TEXTS)
    async def test_an_odd_text_has_one_clear_outcome(
        self, hurried: Warehouse, sql: str, monkeypatch: pytest.MonkeyPatch
    ):
        # DuckDB reads ten thousand open brackets for as long as it may.
        monkeypatch.setattr("adapters.warehouses.sql_warehouse.SECONDS_TO_PLAN", 0.5)
        query = unguarded(sql, hurried.dialect)

        said = [
            await self.said_to(hurried.estimate(query)),
            await self.said_to(hurried.fetch(query, max_rows=1)),
        ]

        assert max(map(len, said)) < 1_000
        assert "Traceback" not in "".join(said)
        assert await self.answers(hurried)

    async def test_a_connection_that_is_lost_in_mid_query_is_told_and_replaced(
        self, warehouse: Warehouse, address: str
    ):
        query = unguarded(EVERY_PAIR, warehouse.dialect)
        await self.ask(warehouse, "SELECT 1 AS one")

        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            cutting = tasks.create_task(self.cut_off(address))
            with pytest.raises((TemporarilyUnavailable, QueryRejected)) as caught:
                await warehouse.fetch(query, max_rows=1)
            await cutting

        assert caught.value.advice.endswith(".")
        assert "was stopped after" not in caught.value.advice, "the cut was not noticed"
        assert (await self.ask(warehouse, "SELECT 1 AS one")).rows == ((1,),)

    async def test_a_stream_that_is_cut_off_ends_in_an_error(
        self, warehouse: Warehouse, address: str
    ):
        query = unguarded(_MANY_WIDE_ROWS, warehouse.dialect)
        batches = warehouse.stream(query, batch_rows=10, max_rows=NUMBERS**2)

        async with aclosing(cast("AsyncGenerator[Table, None]", batches)) as stream:
            await anext(stream)
            await self.cut_off(address, streaming=True)
            with pytest.raises((TemporarilyUnavailable, QueryRejected)):
                async for _ in stream:
                    pass

        assert (await self.ask(warehouse, "SELECT 1 AS one")).rows == ((1,),)

    async def answers(self, warehouse: Warehouse) -> bool:
        """Say whether it answers a question, however hurried it is."""
        table = await patiently(lambda: self.ask(warehouse, "SELECT 1 AS one"))
        return table.rows == ((1,),)

    async def said_to(self, asked: Awaitable[object]) -> str:
        """Return what a rejection says; nothing where there is an answer."""
        try:
            await asked
        except ToolError as error:
            return error.advice
        return ""

    async def ask(self, warehouse: Warehouse, sql: str, *, max_rows: int = 100) -> Table:
        return await warehouse.fetch(unguarded(sql, warehouse.dialect), max_rows=max_rows)
