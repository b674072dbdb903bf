"""Events as lines of JSON; the pieces of a text that follow each other share a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import orjson

from core.domain.events import Event, TextWritten, dump, load

_PIECES = '{"pieces":'


def encode(events: Iterable[Event]) -> str:
    """Return the events as text, one line or less each."""
    return "\n".join(
        line
        for turn, together in groupby(events, key=_text_of)
        for line in (_pieces(turn, together) if turn else map(_line, together))
    )


def decode(lines: str) -> Iterator[Event]:
    """Yield what `encode` was given.

    Raises:
        pydantic.ValidationError: a line is no event of this grammar.
    """
    for line in lines.split("\n"):
        if not line.startswith(_PIECES):
            yield load(line)
            continue
        held: dict[str, Any] = orjson.loads(line)
        for piece in held["pieces"]:
            yield TextWritten(turn_id=held["turn_id"], text=piece)


def _text_of(event: Event) -> str:
    return event.turn_id if isinstance(event, TextWritten) else ""


def _line(event: Event) -> str:
    return dump(event).decode()


def _pieces(turn: str, events: Iterable[Event]) -> Iterator[str]:
    texts = [event.text for event in events if isinstance(event, TextWritten)]
    yield orjson.dumps({"pieces": texts, "turn_id": turn}).decode()
