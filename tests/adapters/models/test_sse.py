from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.models.sse import LONGEST_LINE, EventSplitter, LineTooLong

STREAM = b": hello\n\ndata: one\n\nevent: x\nid: 7\ndata:two\n\n\n\ndata: three\ndata: four\n\n"
EVENTS = [b"one", b"two", b"three\nfour"]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_parts_a_stream_into_the_data_of_its_events(line_end: bytes):
    assert EventSplitter().feed(STREAM.replace(b"\n", line_end)) == EVENTS


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@given(cuts=st.lists(st.integers(0, 90)))
def test_does_not_mind_where_the_bytes_are_cut(line_end: bytes, cuts: list[int]):
    stream = STREAM.replace(b"\n", line_end)
    edges = [0, *sorted(cuts), len(stream)]
    splitter = EventSplitter()

    pieces = [stream[a:b] for a, b in pairwise(edges)]
    got = [event for piece in pieces for event in splitter.feed(piece)]

    assert got == EVENTS


def test_takes_line_ends_of_every_kind_in_one_stream_byte_by_byte():
    stream = b"data: one\r\n\ndata: two\n\r\ndata: three\r\rdata: four\r\n\r\n"
    splitter = EventSplitter()

    got = [event for byte in stream for event in splitter.feed(bytes([byte]))]

    assert got == [b"one", b"two", b"three", b"four"]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_gives_what_lacks_its_last_blank_line_when_it_is_asked_for(end: bytes):
    splitter = EventSplitter()

    assert splitter.feed(b"data: one\n\ndata: [DONE]" + end) == [b"one"]
    assert splitter.flush() == [b"[DONE]"]
    assert splitter.flush() == []


def test_a_line_without_end_is_no_event():
    splitter = EventSplitter()

    with pytest.raises(LineTooLong):
        splitter.feed(b"data: " + b"x" * LONGEST_LINE)
