"""Tables written down for a prompt: short, within a budget, and unable to break out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.memory.words import asked_words, words_of

_MOST_VALUES, _LONGEST_VALUES = 12, 120
_LONGEST_COMMENT = 120
_LONGEST_TYPE = 30
_FENCE = re.compile(r"<\s*(/?\s*data)", re.IGNORECASE)
_NO_BOUND = 1_000_000_000
_MOST_KEPT = 1_000
_WHOLE: dict[int, tuple[CatalogTable, str]] = {}
_LEAST = 120  # characters that even one of very many cards gets


def cards(tables: Sequence[CatalogTable], *, question: str, most_chars: int) -> str:
    """Return one card a table, a line each, together at most about `most_chars`.

    A table too wide for its share keeps its keys and the columns that the question speaks of.
    """
    if not tables:
        return "(no tables)"
    whole = [_whole(table) for table in tables]
    if sum(map(len, whole)) + len(whole) <= most_chars:
        return "\n".join(sorted(whole))
    wanted = frozenset(asked_words(question))
    left = most_chars
    lines: list[str] = []
    # Small cards first: what they do not use is left for the wide ones.
    for position, table in enumerate(sorted(tables, key=lambda table: len(table.columns))):
        share = max(left // (len(tables) - position), _LEAST)
        lines.append(_card(table, wanted, most_chars=share))
        left -= len(lines[-1])
    return "\n".join(sorted(lines))


def _whole(table: CatalogTable) -> str:
    """Return the card with all columns, which stays the same as long as the catalog does."""
    known = _WHOLE.get(id(table))
    if known is None:
        if len(_WHOLE) >= _MOST_KEPT:
            _WHOLE.clear()
        # The table is kept beside its card, so that no other one gets its id meanwhile.
        known = _WHOLE[id(table)] = (table, _card(table, frozenset(), most_chars=_NO_BOUND))
    return known[1]


def _card(table: CatalogTable, wanted: frozenset[str], *, most_chars: int) -> str:
    head = f"{'view ' if table.is_view else ''}{plain(table.qualified_name)}("
    tail = ")" + _remark(table)
    room = most_chars - len(head) - len(tail)
    by_weight = sorted(
        range(len(table.columns)), key=lambda at: (-_weight(table, table.columns[at], wanted), at)
    )
    written: dict[int, str] = {}
    for at in by_weight:
        text = _column(table, table.columns[at])
        room -= len(text) + 2
        if room < 0 and written:
            break
        written[at] = text
    columns = [written[at] for at in sorted(written)]
    missing = len(table.columns) - len(written)
    if missing:
        columns.append(f"… {missing} more columns: get_schema")
    return head + ", ".join(columns) + tail


def _weight(table: CatalogTable, column: CatalogColumn, wanted: frozenset[str]) -> int:
    is_key = column.name in table.primary_key or _pointing(table, column) is not None
    asked_for = len(wanted.intersection(words_of(column.name)))
    return 2 * asked_for + 3 * is_key


def _column(table: CatalogTable, column: CatalogColumn) -> str:
    return " ".join(_parts(table, column))


def _parts(table: CatalogTable, column: CatalogColumn) -> Iterator[str]:
    yield plain(column.name)
    yield plain(column.type)[:_LONGEST_TYPE].lower()
    if column.name in table.primary_key:
        yield "pk"
    key = _pointing(table, column)
    if key is not None:
        target = key.to_columns[key.columns.index(column.name)]
        schema = f"{plain(key.to_schema)}." if key.to_schema else ""
        yield f"-> {schema}{plain(key.to_table)}.{plain(target)}"
    if 0 < len(column.values) <= _MOST_VALUES:
        values = "|".join(plain(value) for value in column.values)
        if len(values) <= _LONGEST_VALUES:
            yield f"{{{values}}}"
    if column.comment:
        yield f"[{plain(column.comment)[:_LONGEST_COMMENT]}]"


def _pointing(table: CatalogTable, column: CatalogColumn) -> ForeignKey | None:
    return next((key for key in table.foreign_keys if column.name in key.columns), None)


def _remark(table: CatalogTable) -> str:
    rows = "" if table.row_estimate is None else f" ~{table.row_estimate:,} rows"
    comment = f" [{plain(table.comment)[:_LONGEST_COMMENT]}]" if table.comment else ""
    return rows + comment


def plain(text: str) -> str:
    """Return text on one line, with nothing in it that could end the fence around it."""
    flat = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return within_fence(flat)


def within_fence(text: str) -> str:
    """Return text that cannot end or begin a fence, wherever it stands."""
    return _FENCE.sub(r"< \1", text)
