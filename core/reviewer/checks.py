"""What to know of a result before it is believed: rules that need no model."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal

from sqlglot.errors import SqlglotError

from core.domain.catalog import Catalog
from core.domain.errors import NotPossible
from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.ran import Ran
from core.reviewer.registry import checks
from core.reviewer.remark import Remark
from core.reviewer.spelling import LookUp, look_ups
from core.sql.reading import tree_of

_SHARE_NAME = re.compile(
    r"(?:^|_)(?:share|pct_of|percent_of|percentage_of|proportion)(?:_|$)|_share$", re.IGNORECASE
)
_LEAST_PERIODS = 3  # that make a series


def review(
    table: Table, *, statements: Sequence[str], today: date, catalog: Catalog
) -> tuple[Remark, ...]:
    """Return what is remarkable about a result, most important first; mostly nothing."""
    if not table.columns:
        return ()
    seen = [remark for ran in _ran(table, statements, today, catalog) for remark in _found_by(ran)]
    if not table.rows:
        return (*seen, Remark("The result is empty: check filters, spelling and period."))
    return (
        *dict.fromkeys(seen),
        *_cut_off(table),
        *_all_null(table),
        *_impossible_shares(table),
        *_unfinished_period(table, today),
    )


def look_ups_for(
    table: Table, *, statements: Sequence[str], today: date, catalog: Catalog
) -> tuple[LookUp, ...]:
    """Return small queries that may say why nothing was found; none where something was."""
    if not table.columns or len(table.rows) > 1:
        return ()
    found = _ran(table, statements, today, catalog)
    return tuple(look_up for ran in found for look_up in look_ups(ran))


def _ran(table: Table, statements: Sequence[str], today: date, catalog: Catalog) -> Iterator[Ran]:
    for statement in statements:
        with suppress(NotPossible):
            yield Ran(tree_of(statement, catalog.dialect), catalog, table, today)


def _found_by(ran: Ran) -> Iterator[Remark]:
    for check in checks():
        # A statement that a check cannot follow is not a reason to lose its result.
        with suppress(SqlglotError, RecursionError):
            yield from check(ran)


def _cut_off(table: Table) -> Iterator[Remark]:
    if table.truncated:
        yield Remark(
            f"Only the first {len(table.rows):,} rows were read; there are more.", for_reader=True
        )


def _all_null(table: Table) -> Iterator[Remark]:
    empty = [
        column.name
        for at, column in enumerate(table.columns)
        if all(row[at] is None for row in table.rows)
    ]
    if len(empty) == len(table.columns):
        yield Remark("Every cell is NULL: no row fits, or the columns are empty.")


def _impossible_shares(table: Table) -> Iterator[Remark]:
    for column, values in _numeric(table):
        if not _SHARE_NAME.search(column.name):
            continue
        if min(values) < 0 or max(values) > 100:
            yield Remark(
                f"{column.name} holds values outside of 0 to 100 %: check what it is a share of."
            )


def _numeric(table: Table) -> Iterator[tuple[Column, list[float]]]:
    for at, column in enumerate(table.columns):
        if column.kind is ColumnKind.MEASURE:
            values = [value for row in table.rows if (value := _finite(row[at])) is not None]
            if values:
                yield column, values


def _finite(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return None
    value = float(cell)
    return value if abs(value) < float("inf") else None


def _unfinished_period(table: Table, today: date) -> Iterator[Remark]:
    """Say that the last period of a series goes on beyond today, so that it looks small."""
    for at, column in enumerate(table.columns):
        if column.kind is not ColumnKind.TIME:
            continue
        begins = [day for row in table.rows if (day := _day(row[at])) is not None]
        end = _end_of_last(sorted(set(begins)))
        if end is not None and max(begins) <= today < end:
            yield Remark(
                f"The last period ({_named(max(begins), end)}) is not over yet.", for_reader=True
            )
        return


def _day(cell: Cell) -> date | None:
    """Read the first day of a period: a date, a timestamp at midnight, "2026-11" or "2026-Q4"."""
    if isinstance(cell, datetime):
        return cell.date() if cell.time() == datetime.min.time() else None
    if isinstance(cell, date):
        return cell
    if isinstance(cell, str):
        return _written_day(cell.strip())
    return None


def _written_day(text: str) -> date | None:
    found = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]00:00(?::00)?)?", text)
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3] or 1))
    except ValueError:
        return None


def _end_of_last(begins: Sequence[date]) -> date | None:
    """Return the day after the last period, where all begin as weeks, months or years do."""
    if len(begins) < _LEAST_PERIODS:
        return None
    last = begins[-1]
    if all(day.day == 1 for day in begins):
        months = _months_apart(begins)
        return None if months is None else _months_later(last, months)
    gaps = {(after - before).days for before, after in itertools.pairwise(begins)}
    return (
        last + timedelta(days=7) if min(gaps) == 7 and all(gap % 7 == 0 for gap in gaps) else None
    )


def _months_apart(begins: Sequence[date]) -> int | None:
    gaps = [
        (after.year - before.year) * 12 + after.month - before.month
        for before, after in itertools.pairwise(begins)
    ]
    return min(gaps) if min(gaps) in (1, 3, 12) else None


def _months_later(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    return date(at // 12, at % 12 + 1, 1)


def _named(begin: date, end: date) -> str:
    match (end - begin).days:
        case 7:
            return f"week of {begin.isoformat()}"
        case days if days <= 31:
            return f"{begin:%Y-%m}"
        case days if days <= 92:
            return f"quarter from {begin:%Y-%m}"
        case _:
            return str(begin.year)
