"""What to know of a result before it is believed: rules that need no model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal

from sqlglot.errors import SqlglotError

from core.domain.catalog import Catalog
from core.domain.errors import NotPossible
from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.data_end import EndLookUp, end_look_ups
from core.reviewer.ran import Ran
from core.reviewer.registry import checks
from core.reviewer.remark import Remark
from core.reviewer.spelling import LookUp, look_ups
from core.reviewer.unfinished import unfinished_period
from core.sql.reading import tree_of

_SHARE_NAME = re.compile(
    r"(?:^|_)(?:share|proportion|pct|perc|percent|percentage)(?:_|$)"
    r"|(?:churn|cancel\w*|returns?|refunds?|conversion|retention|response|defect|error|success|failure"
    r"|completion|occupancy|approval|bounce|repeat|renewal|no_show|attach|fill|on_time)_?rate",
    re.IGNORECASE,
)
# A percentage of these may well be below zero or above a hundred.
_NO_PART = re.compile(
    r"growth|chang|yoy|mom|qoq|delta|diff|attain|achiev|target|plan|goal|margin|roi|markup|index|vs"
    r"|compared|lift|utili|return_on|inflation|variance|deviation|error_p|points|increase|decrease",
    re.IGNORECASE,
)
_SLACK = 0.5


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
        *unfinished_period(table, today),
    )


def look_ups_for(
    table: Table, *, statements: Sequence[str], today: date, catalog: Catalog
) -> tuple[LookUp | EndLookUp, ...]:
    """Return small queries that may say why nothing was found; none where something was."""
    if not table.columns or len(table.rows) > 1:
        return ()
    found = _ran(table, statements, today, catalog)
    return tuple(each for ran in found for each in (*look_ups(ran), *end_look_ups(ran)))


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
        if not _SHARE_NAME.search(column.name) or _NO_PART.search(column.name):
            continue
        if min(values) < -_SLACK or max(values) > 100 + _SLACK:
            yield Remark(
                f"{column.name} holds values outside of 0 to 100 %: check what it is a share of.",
                for_reader=True,
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
