from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import enumerate as enumerate_threads

import duckdb
import pytest

from adapters.warehouses.child.frames import encode
from adapters.warehouses.child.messages import (
    Ask,
    Ended,
    Failed,
    Fault,
    Message,
    Open,
    Opened,
    Stop,
)
from adapters.warehouses.child.serving import Engine, EngineFailure, Opener, serve
from adapters.warehouses.duckdb.engine import open_duckdb
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sqlite.engine import SqliteEngine, open_sqlite
from tests.adapters.warehouses.test_sqlite import make_file
from tests.kit.patience import PATIENCE

OPEN = Open(path="shop.db", memory_bytes=2**30)


@dataclass(slots=True)
class SlowEngine:
    """Answers "forever" until it is interrupted, and everything else at once."""

    interrupted: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, ask: Ask) -> Parts:
        yield Heads((Head("n"),))
        if ask.sql == "forever":
            await self.interrupted.wait()
            raise EngineFailure(Fault.STOPPED, "interrupted")
        if ask.sql == "too much":
            raise MemoryError
        if ask.sql == "broken":
            raise ZeroDivisionError
        yield Rows([(1,)])

    def interrupt(self) -> None:
        self.interrupted.set()


async def open_slowly(opening: Open) -> Engine:
    if opening.path == "gone.db":
        raise EngineFailure(Fault.UNUSABLE, "no such file")
    return SlowEngine()


async def served(opener: Opener, *messages: Message) -> Sequence[Message]:
    """Say everything to a child, close the pipe, and return what it said."""
    reader = asyncio.StreamReader()
    said: list[Message] = []
    answered = asyncio.Condition()

    async def send(message: Message) -> None:
        async with answered:
            said.append(message)
            answered.notify_all()

    async with asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(serve(opener, reader, send))
        for message in messages:
            reader.feed_data(encode(message))
        asks = sum(isinstance(message, Ask) for message in messages)
        async with answered:
            await answered.wait_for(
                lambda: (
                    serving.done()
                    or sum(isinstance(each, Ended | Failed) for each in said) >= max(asks, 1)
                    or (asks == 0 and bool(said))
                )
            )
        reader.feed_eof()
    return said


async def test_answers_one_question_after_another():
    said = await served(open_slowly, OPEN, Ask(sql="a", rows=1), Ask(sql="b", rows=1))

    answer = [Heads((Head("n"),)), Rows([(1,)]), Ended()]
    assert said == [Opened(), *answer, *answer]


async def test_stops_an_answer_that_is_not_wanted_any_more():
    said = await served(open_slowly, OPEN, Ask(sql="forever", rows=1), Stop())

    assert said == [Opened(), Heads((Head("n"),)), Failed(Fault.STOPPED, "interrupted")]


async def test_reports_what_cannot_be_opened():
    gone = Open(path="gone.db", memory_bytes=1)

    assert await served(open_slowly, gone) == [Failed(Fault.UNUSABLE, "no such file")]


async def test_reports_a_lack_of_memory():
    *_, last = await served(open_slowly, OPEN, Ask(sql="too much", rows=1))

    assert isinstance(last, Failed)
    assert last.fault is Fault.REJECTED


async def test_ends_when_the_engine_is_broken():
    with pytest.raises(ExceptionGroup) as caught:
        async with asyncio.timeout(PATIENCE):
            await served(open_slowly, OPEN, Ask(sql="broken", rows=1))

    assert caught.group_contains(ZeroDivisionError)


async def test_ends_with_the_parent_in_the_middle_of_an_answer():
    reader = asyncio.StreamReader()
    reader.feed_data(encode(OPEN) + encode(Ask(sql="forever", rows=1)))
    reader.feed_eof()
    said: list[Message] = []

    async def send(message: Message) -> None:
        said.append(message)

    async with asyncio.timeout(PATIENCE):
        await serve(open_slowly, reader, send)

    assert said[0] == Opened()


async def served_by_sqlite(path: Path, *messages: Message) -> Sequence[Message]:
    opened: list[SqliteEngine] = []

    async def opener(opening: Open) -> SqliteEngine:
        opened.append(await open_sqlite(opening))
        return opened[-1]

    said = await served(opener, Open(path=str(path), memory_bytes=2**30), *messages)
    await opened[-1].close()
    return said


async def served_by_duckdb(path: Path, *messages: Message) -> Sequence[Message]:
    opening = Open(path=str(path), memory_bytes=2**30, scratch=str(path.parent))
    return await served(open_duckdb, opening, *messages)


async def test_sqlite_answers_in_the_words_of_its_driver(tmp_path: Path):
    path = make_file(tmp_path / "a.db", "CREATE TABLE t AS SELECT 1 AS a, 'x' AS b")

    said = await served_by_sqlite(
        path,
        Ask(sql="SELECT * FROM t", rows=9),
        Ask(sql="SELECT * FROM gone", rows=9),
        Ask(sql="SELECT load_extension('x')", rows=9),
        Ask(sql="SELECT name FROM pragma_table_xinfo('t')", rows=9),
        Ask(sql="SELECT name FROM pragma_table_xinfo('t')", rows=1, of_catalog=True),
        Ask(sql="SELECT a FROM t, json_each('[]')", rows=9),
    )

    assert said == [
        Opened(),
        *(Heads((Head("a"), Head("b"))), Rows([(1, "x")], plain=True), Ended()),
        Failed(Fault.REJECTED, "no such table: gone"),
        Failed(Fault.REJECTED, "not authorized to use function: load_extension"),
        Failed(Fault.REJECTED, "not authorized"),
        *(Heads((Head("name"),)), Rows([("a",)], plain=True), Ended()),
        *(Heads((Head("a"),)), Ended()),
    ]


async def test_sqlite_reads_on_leniently_where_text_is_no_utf_8(tmp_path: Path):
    late = "SELECT CASE WHEN n < 500 THEN 'x' ELSE CAST(x'e9' AS TEXT) END FROM t ORDER BY n"
    path = make_file(
        tmp_path / "a.db",
        "CREATE TABLE t AS WITH RECURSIVE c(n) AS"
        " (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 900) SELECT n FROM c",
    )

    said = await served_by_sqlite(path, Ask(sql=late, rows=999), Ask(sql=late, rows=999))
    at_once = await served_by_sqlite(path, Ask(sql="SELECT CAST(x'e9' AS TEXT) AS a", rows=9))

    assert Failed(Fault.BUSY, "Some text is no UTF-8. Try again.") in said
    assert said[-1] == Ended()
    assert at_once[2] == Rows([("\N{REPLACEMENT CHARACTER}",)], plain=True)


async def test_sqlite_stops_when_it_is_told_to(tmp_path: Path):
    path = make_file(tmp_path / "a.db", "CREATE TABLE t AS SELECT 1 AS a")
    many = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"

    *_, last = await served_by_sqlite(path, Ask(sql=many, rows=10**9), Stop())

    assert last == Failed(Fault.STOPPED, "interrupted")


async def test_sqlite_reports_a_file_that_is_not_there(tmp_path: Path):
    said = await served(open_sqlite, Open(path=str(tmp_path / "no.db"), memory_bytes=1))

    assert said == [Failed(Fault.UNUSABLE, "unable to open database file")]
    for thread in enumerate_threads():
        # The driver's own thread speaks to the loop a last time after it has failed.
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join)


async def test_sqlite_reports_a_file_that_is_no_database(tmp_path: Path):
    path = tmp_path / "a.db"
    path.write_text("This is no database, and long enough to be looked at. " * 9)

    *_, last = await served_by_sqlite(path, Ask(sql="SELECT * FROM t", rows=1))

    assert last == Failed(Fault.UNUSABLE, "file is not a database")


async def test_duckdb_answers_in_the_words_of_its_driver(tmp_path: Path):
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b")

    said = await served_by_duckdb(
        tmp_path / "a.duckdb",
        Ask(sql="SELECT * FROM t", rows=9),
        Ask(sql="SELECT 1; SELECT 2", rows=9),
        Ask(sql="EXPLAIN SELECT 1", rows=9),
        Ask(sql="EXPLAIN SELECT 1", rows=0, of_catalog=True),
        Ask(sql="SELECT 1 / ", rows=9),
    )

    assert said[:4] == [
        Opened(),
        *(Heads((Head("a", "INTEGER"), Head("b", "VARCHAR"))), Rows([(1, "x")]), Ended()),
    ]
    assert said[4] == said[5] == Failed(Fault.REJECTED, "only one SELECT may run")
    assert said[7] == Ended()
    assert isinstance(said[8], Failed)
    assert "syntax error" in said[8].words


async def test_duckdb_stops_when_it_is_told_to(tmp_path: Path):
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    many = "SELECT COUNT(*) FROM range(9999999) AS a, range(9999999) AS b WHERE a.range < b.range"

    *_, last = await served_by_duckdb(tmp_path / "a.duckdb", Ask(sql=many, rows=9), Stop())

    assert isinstance(last, Failed)
    assert last.fault is Fault.STOPPED


async def test_duckdb_reports_a_file_that_is_no_database(tmp_path: Path):
    (tmp_path / "a.duckdb").write_text("This is no database.")

    [last] = await served_by_duckdb(tmp_path / "a.duckdb")

    assert isinstance(last, Failed)
    assert last.fault is Fault.UNUSABLE
