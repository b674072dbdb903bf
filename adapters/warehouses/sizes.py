"""How many rows to move at once, so that neither memory nor the event loop feels it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from core.domain.table import Row

FIRST_ROWS = 100
_MOST_ROWS = 4_000
_WEIGHT_AT_ONCE = 2 * 1024 * 1024
_SAMPLE = 20
_WEIGHT_OF_CELL = 32


def weight(rows: Sequence[Row]) -> int:
    """Return about how many bytes the rows hold, judged by some of them."""
    if not rows:
        return 0
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    return sum(map(_row_weight, sample)) * len(rows) // len(sample)


def rows_at_once(before: Sequence[Row]) -> int:
    """Return how many rows to take next, given some that were taken."""
    if not before:
        return FIRST_ROWS
    of_one = max(1, weight(before) // len(before))
    return max(1, min(_MOST_ROWS, _WEIGHT_AT_ONCE // of_one))


async def in_pieces(
    take: Callable[[int], Awaitable[list[Row]]], at_most: int
) -> AsyncGenerator[list[Row], None]:
    """Give at most that many rows in bearable pieces; `take` fetches up to so many more.

    It ends after a piece that is smaller than what was asked for.
    """
    left, size = at_most, FIRST_ROWS
    while left > 0:
        wanted = min(left, size)
        rows = await take(wanted)
        if rows:
            yield rows
        if len(rows) < wanted:
            return
        left -= len(rows)
        size = rows_at_once(rows)


def _row_weight(row: Row) -> int:
    return sum(
        _WEIGHT_OF_CELL + (len(cell) if isinstance(cell, str | bytes) else 0) for cell in row
    )
