"""Functions of dates that could read no value: dates kept as text in a form of their own."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran, called
from core.reviewer.remark import Remark
from core.toolkit.time_columns import is_text

_READ_DATES = frozenset(
    {
        "strftime",
        "date",
        "datetime",
        "julianday",
        "time_to_str",
        "year",
        "month",
        "day",
        "date_trunc",
    }
    | {"to_date", "str_to_date", "try_cast", "extract", "time_str_to_time", "ts_or_ds_to_date"}
)


def unread_dates(ran: Ran) -> Iterator[Remark]:
    """Find columns of the result that are NULL throughout though made of a text column's dates."""
    if not isinstance(ran.tree, exp.Select) or not ran.table.rows:
        return
    for at, projection in enumerate(ran.tree.selects[: len(ran.table.columns)]):
        if any(row[at] is not None for row in ran.table.rows):
            continue
        name = next((text for node in projection.walk() for text in _text_read_by(node, ran)), None)
        if name is not None:
            yield Remark(
                f"{name} holds text that is read as no date, so that"
                f" {ran.table.columns[at].name} is NULL in every row: make dates of it first.",
                for_reader=True,
            )
            return


def _text_read_by(node: exp.Expr, ran: Ran) -> Iterator[str]:
    if called(node) in _READ_DATES:
        for column in node.find_all(exp.Column):
            stored = ran.stored(column)
            if stored is not None and is_text(stored.column):
                yield stored.column.name
