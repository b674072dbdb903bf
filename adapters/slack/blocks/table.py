"""A result as Slack's own table, or as lines of text where Slack does not take one."""

from collections.abc import Sequence

from adapters.slack import limits
from adapters.slack.cells import head, native, shown
from adapters.slack.text import code, cut
from adapters.slack.wire import Object
from core.domain.answer import ShownTable

_PAGE = 10
_TEXT_ROWS = 10
_TEXT_WIDTH = 96
_CELL = 200
_HEAD = 60


def native_table(table: ShownTable, caption: str) -> Object | None:
    """Return as many rows and columns as Slack takes; None where there is nothing to show."""
    columns = table.columns[: limits.TABLE_COLUMNS]
    if not columns or not table.rows:
        return None
    heads = [cut(head(column), _HEAD) for column in columns]
    rows: list[list[Object]] = [[{"type": "raw_text", "text": text} for text in heads]]
    room = limits.TABLE_CHARACTERS - sum(map(len, heads)) - len(caption)
    for row in table.rows[: limits.TABLE_ROWS - 1]:
        cells = [_fitting(native(cell, col)) for cell, col in zip(row, columns, strict=False)]
        room -= sum(len(str(cell["text"])) for cell in cells)
        if room < 0:
            break
        rows.append(cells)
    if len(rows) == 1:
        return None
    return {
        "type": "data_table",
        "caption": cut(" ".join(caption.split()), limits.HEADER) or "Result",
        "page_size": _PAGE,
        "rows": [list(row) for row in rows],
    }


def text_table(table: ShownTable) -> str:
    """Return the first rows as a block of code, as wide as Slack shows without a break."""
    heads = [head(column) for column in table.columns]
    body = [
        [shown(cell, column) for cell, column in zip(row, table.columns, strict=False)]
        for row in table.rows[:_TEXT_ROWS]
    ]
    lines = _aligned([heads, *body], right=_right(table))
    more = table.row_count - len(body)
    tail = [f"… {more:,} more rows"] if more > 0 else []
    return code("\n".join([*lines, *tail]))


def left_out(table: ShownTable) -> str:
    """Say what the native table does not show; empty when it shows everything."""
    columns = len(table.columns) - limits.TABLE_COLUMNS
    return f"{columns} more columns are in the file." if columns > 0 else ""


def _fitting(cell: Object) -> Object:
    return {**cell, "text": cut(str(cell["text"]), _CELL)}


def _right(table: ShownTable) -> list[bool]:
    return [
        any(isinstance(row[at], int | float) for row in table.rows)
        for at in range(len(table.columns))
    ]


def _aligned(rows: Sequence[Sequence[str]], *, right: Sequence[bool]) -> list[str]:
    widths = [min(30, max(map(len, column))) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = [
            cut(cell, width).rjust(width) if to_right else cut(cell, width).ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        lines.append(cut("  ".join(cells).rstrip(), _TEXT_WIDTH))
    return lines
