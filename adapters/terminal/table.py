"""A table in columns of text."""

from dataclasses import dataclass

from adapters.terminal.cells import display_width, fit, is_numeric, one_line
from core.domain.answer import ShownTable
from core.domain.table import ColumnKind

_ROWS = 20
_GAP = "  "
_NARROWEST = 6


@dataclass(frozen=True, slots=True)
class _Lines:
    """One column: its head and its cells as text, on which side, and whether they may be cut."""

    texts: tuple[str, ...]
    to_the_right: bool
    may_be_cut: bool

    @property
    def width(self) -> int:
        return max(display_width(text) for text in self.texts)

    def padded(self, at: int, width: int) -> str:
        text = fit(self.texts[at], width)
        space = " " * (width - display_width(text))
        return space + text if self.to_the_right else text + space


def render_table(table: ShownTable, *, width: int) -> str:
    """Return the first rows under their heads, at most `width` columns wide, and the row count."""
    rows = table.rows[:_ROWS]
    columns = [_column(table, at, len(rows)) for at in range(len(table.columns))]
    widths = _widths(columns, width)
    lines = [
        _GAP.join(
            column.padded(at, each) for column, each in zip(columns, widths, strict=True)
        ).rstrip()
        for at in range(len(rows) + 1)
    ]
    rule = _GAP.join("-" * each for each in widths)
    return "\n".join([lines[0], rule, *lines[1:], _count(table, len(rows))])


def _column(table: ShownTable, at: int, rows: int) -> _Lines:
    column = table.columns[at]
    cells = [row[at] for row in table.rows]
    head = one_line(f"{column.heading} {column.shown_unit}")
    numeric = is_numeric(column, cells)
    return _Lines(
        texts=(head, *(one_line(column.written(cell)) for cell in cells[:rows])),
        to_the_right=numeric,
        may_be_cut=not numeric and column.kind is not ColumnKind.TIME,
    )


def _widths(columns: list[_Lines], width: int) -> list[int]:
    """Take from the widest texts until all fit, as far as they stay readable.

    Figures and dates stay whole: one that is cut is another one.
    """
    given = [column.width for column in columns]
    texts = [at for at, column in enumerate(columns) if column.may_be_cut]
    while texts and sum(given) + len(_GAP) * (len(given) - 1) > width:
        widest = max(texts, key=lambda at: given[at])
        if given[widest] <= _NARROWEST:
            break
        given[widest] -= 1
    return given


def _count(table: ShownTable, shown: int) -> str:
    total = f"{table.row_count:,} row{'' if table.row_count == 1 else 's'}"
    if table.truncated:
        total = f"more than {total}"
    return f"{shown} of {total}" if shown < table.row_count else total
