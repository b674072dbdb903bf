"""Comparisons with an earlier time, where nothing that was read is about more than one time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.table import ColumnKind, Table
from core.reviewer.figures import Figure
from core.reviewer.periods_read import day_of
from core.reviewer.sentences import clauses

_PERIOD = "(?:year|month|quarter|week)"
_EARLIER = re.compile(
    rf"\b{_PERIOD}[ -](?:over|on)[ -]{_PERIOD}\b|\b(?:yoy|mom|qoq)\b"
    r"|\b(?:than|from|on|over|versus|vs\.?|against|since|compared (?:to|with))\s+(?:in\s+)?"
    r"(?:the\s+)?(?:same\s+\w+\s+)?(?:of\s+)?(?:the\s+)?"
    rf"(?:previous|prior|preceding|last|{_PERIOD}\s+(?:before|earlier|ago))\b",
    re.IGNORECASE,
)
_SEVERAL_TIMES = re.compile(
    r"prev|last|prior|before|earlier|chang|growth|diff|delta|yoy|mom|qoq|lag|trend|slope|year|month"
    r"|quarter|week|date|day|period|current|now|(?:19|20)\d\d",
    re.IGNORECASE,
)


def is_without_an_earlier(figure: Figure, text: str, tables: Sequence[Table]) -> bool:
    """Say whether a percentage compares with a time before, of which nothing was read.

    Two results may be of two times each, so that only a single one counts.
    """
    if not figure.is_percent or figure.is_share or len(tables) != 1:
        return False
    [span] = [each for each in clauses(text) if each[0] <= figure.start < each[1]]
    return _EARLIER.search(text, *span) is not None and not _knows_times(tables[0])


def _knows_times(table: Table) -> bool:
    if any(_SEVERAL_TIMES.search(f"{column.name} {column.called}") for column in table.columns):
        return True
    for at, column in enumerate(table.columns):
        cells = [row[at] for row in table.rows]
        if column.kind is ColumnKind.TIME or any(day_of(cell) is not None for cell in cells):
            return True
    return False
