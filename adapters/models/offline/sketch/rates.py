"""Reads rates: `success rate of transfers`, `refund rate by channel`, `cancellation rate`."""

from __future__ import annotations

from collections.abc import Callable

from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.cursor import Cursor
from adapters.models.offline.sketch.reader import Reader, names_table
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Condition,
    Field,
    Holds,
    Measure,
    Mention,
    Missing,
    Ratio,
    Related,
    Sketch,
)
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.schema import Table

ReadRest = Callable[[Reader], Sketch]


def read_rate(r: Reader, read_rest: ReadRest) -> bool:
    """Read how many of all rows are in a state, or have something that belongs to them."""
    chunk, follows = r.cursor.peek(), r.cursor.peek(1)
    if chunk is None or follows is None or follows.text.lower() not in {"rate", "rates"}:
        return False
    part = _part(r, chunk)
    if part is None:
        return False
    rest = read_rest(Reader(Cursor(r.cursor.chunks[r.cursor.at + 2 :]), Sketch(), r.lexicon))
    base = _counted(rest) or _base(r, chunk)
    if base is None:
        return False
    r.sketch.conditions.extend(rest.conditions)
    r.sketch.groups.extend(rest.groups)
    r.sketch.unexplained.extend(rest.unexplained)
    r.sketch.subject = r.sketch.subject or base
    all_rows = Measure(Aggregate.COUNT, base)
    r.show(Ratio(Measure(Aggregate.COUNT, base, only=(part,)), all_rows, percent=True))
    r.cursor.at = len(r.cursor.chunks)
    return True


def _part(r: Reader, chunk: Chunk) -> Condition | None:
    if chunk.found:
        return Holds(r.literal(chunk))
    if names_table(chunk):
        return Related(r.mention(chunk))
    return Missing(r.mention(chunk), truth=False) if _event(chunk) is not None else None


def _counted(rest: Sketch) -> Mention | None:
    """Return the table of whose rows the rate is said to be."""
    for item in rest.items:
        if isinstance(item, Field | Measure) and item.mention is not None:
            return item.mention
    return rest.subject


def _base(r: Reader, chunk: Chunk) -> Mention | None:
    """Return the rows that a rate is of by itself: those in the state, or what is pointed at."""
    event = _event(chunk)
    if chunk.found:
        table = r.lexicon.schema.table(chunk.found[0].column.table)
    elif event is not None:
        table = event.table
    else:
        table = _pointed_at(r, chunk)
    if table is None:
        return None
    return Mention(table.label, chunk.start, (Meaning(table, None, 1.0),))


def _event(chunk: Chunk) -> Meaning | None:
    """Return the day on which something happens, if it need not happen: `churn`."""
    best = next(iter(chunk.meanings), None)
    column = best.column if best is not None else None
    return best if column is not None and column.is_time and column.nullable else None


def _pointed_at(r: Reader, chunk: Chunk) -> Table | None:
    named = next(meaning.table for meaning in chunk.meanings if meaning.column is None)
    targets = {column.target[0] for column in named.columns if column.target is not None}
    return r.lexicon.schema.table(targets.pop()) if len(targets) == 1 else None
