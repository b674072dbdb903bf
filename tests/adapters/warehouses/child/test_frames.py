import asyncio
import pickle
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from struct import pack
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from adapters.warehouses.child.frames import NotAFrame, encode, receive
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
from adapters.warehouses.parts import Head, Heads, Rows
from core.domain.table import Row


def stream(content: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(content)
    reader.feed_eof()
    return reader


CELLS: Row = (
    *(None, True, 2**100, 0.1, float("inf"), Decimal("1.10"), "é\ud800", b"\x00"),
    *(date(2025, 1, 1), datetime(2025, 1, 1, tzinfo=UTC), time(1, 2), timedelta(days=1)),
    *(UUID(int=7), [1, ["a"]], {"k": Decimal(1)}),
)


@pytest.mark.parametrize(
    "message",
    [
        Open(path="/a b.db", memory_bytes=1, scratch="/scratch"),
        Ask(sql="SELECT 1", rows=5, of_catalog=True),
        Stop(),
        Opened(),
        Heads((Head("n", "INTEGER"), Head("m"))),
        Rows([CELLS, CELLS]),
        Rows([(1, "x", 2.5, None, b"\x00")], plain=True),
        Ended(),
        Failed(Fault.REJECTED, "no such table"),
    ],
    ids=lambda message: type(message).__name__,
)
async def test_a_message_arrives_as_it_was_sent(message: Message):
    reader = stream(encode(message) + encode(Stop()))

    assert await receive(reader) == (message,)
    assert await receive(reader) == (Stop(),)
    assert await receive(reader) == ()


async def test_messages_of_one_frame_arrive_together_and_in_their_order():
    told = (Heads((Head("n"),)), Rows([(1,)], plain=True), Rows([CELLS]), Ended())

    assert await receive(stream(encode(*told))) == told


async def test_a_zone_that_an_engine_names_arrives_as_utc():
    moment = datetime(2025, 1, 1, 10, tzinfo=ZoneInfo("UTC"))

    received = await receive(stream(encode(Rows([(moment,)]))))

    assert received == (Rows([(datetime(2025, 1, 1, 10, tzinfo=UTC),)]),)


@pytest.mark.parametrize(
    "thing",
    [print, Exception("x"), {"a": {1, 2}}, "text", [1], ZoneInfo, (), (1,), (Stop(), "x"), Stop()],
)
async def test_refuses_whatever_is_no_message(thing: object):
    content = pickle.dumps(thing)

    with pytest.raises(NotAFrame):
        await receive(stream(pack(">I", len(content)) + content))


async def test_never_calls_what_a_frame_names():
    # The way in which a pickle would run a command.
    content = b"cos\nsystem\n(S'exit 1'\ntR."

    with pytest.raises(NotAFrame, match=r"os\.system"):
        await receive(stream(pack(">I", len(content)) + content))


async def test_refuses_a_frame_that_is_too_long():
    with pytest.raises(NotAFrame, match="4294967295 bytes"):
        await receive(stream(b"\xff\xff\xff\xff"))


@pytest.mark.parametrize("cut", [0, 2, 4, 10])
async def test_a_pipe_that_ends_is_the_end(cut: int):
    assert await receive(stream(encode(Ended())[:cut])) == ()
