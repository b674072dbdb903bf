"""Makes tables of what a driver hands over piece by piece."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing

from adapters.warehouses.kinds import kind_of
from adapters.warehouses.parts import Head, Heads, Parts
from adapters.warehouses.sizes import weight
from core.domain.table import Column, Row, Table

_SAMPLE = 200


async def whole_table(parts: Parts, *, max_rows: int, max_bytes: int) -> Table:
    """Gather at most `max_rows` rows and about `max_bytes`; the source may hold one row more.

    The source is closed, however this ends.
    """
    heads: tuple[Head, ...] = ()
    rows: list[Row] = []
    held = 0
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, Heads):
                heads = part.columns
                continue
            rows += part.rows
            held += weight(part.rows)
            if len(rows) > max_rows or held > max_bytes:
                break
    kept = _within(rows, max_rows, max_bytes, held)
    columns = heads_to_columns(heads, rows)
    return Table(columns=columns, rows=tuple(kept), truncated=len(kept) < len(rows))


async def tables(parts: Parts, *, batch_rows: int, max_rows: int) -> AsyncGenerator[Table, None]:
    """Give tables of at most `batch_rows` rows, `max_rows` in all, one at least.

    The source is closed, however this ends.
    """
    columns: tuple[Column, ...] | None = None
    heads: tuple[Head, ...] = ()
    waiting: list[Row] = []
    left = max_rows
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, Heads):
                heads = part.columns
                continue
            waiting += part.rows
            columns = columns or heads_to_columns(heads, waiting)
            # The last rows are held back: only then is it known whether more follow.
            while len(waiting) > batch_rows and left > batch_rows:
                yield Table(columns=columns, rows=tuple(waiting[:batch_rows]))
                del waiting[:batch_rows]
                left -= batch_rows
            if len(waiting) > left:
                break
    columns = columns or heads_to_columns(heads, waiting)
    yield Table(columns=columns, rows=tuple(waiting[:left]), truncated=len(waiting) > left)


def heads_to_columns(heads: Sequence[Head], rows: Sequence[Row]) -> tuple[Column, ...]:
    """Name the columns, each name once, and judge their kind by type and first cells."""
    sample = rows[:_SAMPLE]
    names = names_apart(head.name for head in heads)
    return tuple(
        Column(name, kind_of(name, head.type, cells=[row[at] for row in sample]))
        for at, (name, head) in enumerate(zip(names, heads, strict=True))
    )


def names_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Keep names that occur twice apart: `name`, `name_2`, whatever the letter case."""
    given = tuple(name or "column" for name in names)
    taken = {name.casefold() for name in given}
    seen = Counter[str]()
    return tuple(_apart(name, seen, taken) for name in given)


def _apart(name: str, seen: Counter[str], taken: set[str]) -> str:
    folded = name.casefold()
    seen[folded] += 1
    if seen[folded] == 1:
        return name
    while f"{folded}_{seen[folded]}" in taken:
        seen[folded] += 1
    apart = f"{name}_{seen[folded]}"
    taken.add(apart.casefold())
    return apart


def _within(rows: list[Row], max_rows: int, max_bytes: int, held: int) -> list[Row]:
    if held <= max_bytes:
        return rows[:max_rows]
    return rows[: min(max_rows, max(1, len(rows) * max_bytes // held))]
