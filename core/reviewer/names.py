"""The labels of a result, under every name that a text may give them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.table import Cell, ColumnKind, Row, Table
from core.reviewer.figures import Figure
from core.reviewer.percentages import is_percentage, singular, words_of
from core.reviewer.period_names import period_names, week_names
from core.reviewer.values import (
    Values,
    fits_as_share,
    fits_as_written,
    number_of,
    numbers_in,
)

_MOST_ROWS = 200
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS_OF_ALL_DAYS = frozenset({"other", "others", "total", "all", "none", "unknown", "and", "you"})


@dataclass(frozen=True, slots=True)
class Label:
    """A row under its name, or several months as the quarter or half that they make.

    `rows` are places in the table; `plain` says that the name may be a word like any other.
    """

    name: str
    rows: tuple[int, ...]
    plain: bool = False
    in_time: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """A table with one column of labels, each of one row; `origin` is what it is a part of."""

    table: Table
    at: int
    labels: Mapping[str, Label]
    origin: Table

    @property
    def is_in_time(self) -> bool:
        return any(each.in_time for each in self.labels.values())

    def without_its_columns(self, text: str) -> str:
        """Return a text without the words that name columns: "orders" says what is counted."""
        words = {word for column in self.table.columns for word in words_of(column)}
        return re.sub(
            r"\w+",
            lambda found: "" if singular(found[0].lower()) in words else found[0],
            text,
        )

    def only(self, word: str) -> Labelled:
        """Return the columns that a word or a year names, and those of percentages; else all."""
        named = [
            at
            for at, column in enumerate(self.table.columns)
            if at != self.at and singular(word.lower()) in words_of(column)
        ]
        if not named:
            return self
        percents = (at for at in range(len(self.table.columns)) if is_percentage(self.table, at))
        kept = (self.at, *dict.fromkeys((*named, *(at for at in percents if at != self.at))))
        part = replace(
            self.table,
            columns=tuple(self.table.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in self.table.rows),
        )
        return replace(self, table=part, at=0)

    def is_cell(
        self, figure: Figure, *, of: Label, elsewhere: bool = False, at: int | None = None
    ) -> bool:
        """Say whether a figure is a cell of a label's rows, or of the others, of one column."""
        values = Values(
            value
            for place, row in enumerate(self.table.rows)
            if (place in of.rows) is not elsewhere
            for column, cell in enumerate(row)
            if column != self.at and at in {None, column} and (value := number_of(cell)) is not None
        )
        is_share = figure.is_percent and fits_as_share(figure, values)
        return is_share or fits_as_written(figure, values)

    def numbers_of(self, label: Label) -> list[float]:
        """Return the label's own numbers; of several rows, each column's sum and mean."""
        rows = [self.table.rows[place] for place in label.rows]
        if len(rows) == 1:
            return numbers_in(rows[0])
        sums = [sum(column) for column in self.columns(rows) if column]
        return [*sums, *(each / len(rows) for each in sums)]

    def columns(self, rows: Sequence[Row] | None = None) -> list[list[float]]:
        """Return the numbers of each column but that of the labels."""
        chosen = self.table.rows if rows is None else rows
        return [
            [value for row in chosen if (value := number_of(row[column])) is not None]
            for column in range(len(self.table.columns))
            if column != self.at
        ]


@dataclass(frozen=True, slots=True)
class Mention:
    """A label where a text names it."""

    label: Label
    start: int
    end: int


def labelled(tables: Sequence[Table]) -> list[Labelled]:
    """Return every column of labels that names each row once."""
    return [
        Labelled(table, at, labels, origin=table)
        for table in tables
        if 1 < len(table.rows) <= _MOST_ROWS
        for at in range(len(table.columns))
        if (labels := _labels(table, at))
    ]


def narrowed(tables: Sequence[Table], text: str, span: tuple[int, int]) -> list[Labelled]:
    """Return the parts of long tables that a text narrows them to, by a label of another column.

    A table of years and regions is one of regions where a single year is named.
    """
    found: list[Labelled] = []
    for table in tables:
        for at in range(len(table.columns)):
            names = {str(row[at]) for row in table.rows[:_MOST_ROWS]}
            is_long = 1 < len(names) < len(table.rows) <= _MOST_ROWS
            if is_long and table.columns[at].kind is not ColumnKind.MEASURE:
                named = {name for name in names if _is_named(name, text[slice(*span)])}
                if len(named) == 1:
                    rows = tuple(row for row in table.rows if str(row[at]) in named)
                    part = replace(table, rows=rows)
                    found += [replace(each, origin=table) for each in labelled([part])]
    return found


def wholes_of(part: Labelled, labels: Sequence[Label]) -> list[float]:
    """Return the sums of all rows of the origin that bear a label of the part, in any shop."""
    if part.origin is part.table:
        return []
    cells = {str(part.table.rows[place][part.at]) for label in labels for place in label.rows}
    found: list[float] = []
    for cell in cells:
        rows = [row for row in part.origin.rows if str(row[part.at]) == cell]
        columns = zip(*rows, strict=True)
        found += [sum(numbers) for column in columns if (numbers := numbers_in(column))]
    return found


def _is_named(name: str, text: str) -> bool:
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    return len(name) > 1 and re.search(pattern, text, re.IGNORECASE) is not None


def mentions(text: str, span: tuple[int, int], of: Labelled) -> list[Mention]:
    """Return the labels that stand in a part of a text, in their order; longer names first."""
    longest_first = sorted(of.labels, key=len, reverse=True)
    pattern = r"(?<![\w-])(?:" + "|".join(map(re.escape, longest_first)) + r")(?=s?(?!\w|-\d))"
    found = re.finditer(pattern, text[slice(*span)], re.IGNORECASE)
    by_folded = {name.casefold(): label for name, label in of.labels.items()}
    return [
        Mention(label, each.start() + span[0], each.end() + span[0])
        for each in found
        if (label := by_folded.get(each[0].casefold())) is not None
        and (not _is_capital(label.name) or each[0][:1].isupper())
    ]


def _is_capital(name: str) -> bool:
    """Say whether a name is a single word with a capital, which a text keeps: May, March."""
    return name[:1].isupper() and name.isalpha()


def _labels(table: Table, at: int) -> dict[str, Label]:
    """Return the labels by name; none where two rows share one."""
    if table.columns[at].kind not in {ColumnKind.DIMENSION, ColumnKind.TIME}:
        return {}
    cells = [row[at] for row in table.rows]
    periods = period_names(cells)
    if periods is not None:
        return {name: Label(name, rows, in_time=True) for name, rows in periods.items()}
    if all(_YEAR.fullmatch(str(cell)) for cell in cells):
        years = _unique((str(cell), place) for place, cell in enumerate(cells))
        return {name: replace(label, in_time=True) for name, label in years.items()}
    days = {name: Label(name, rows) for name, rows in week_names(cells)}
    return days | _unique((name, at) for at, cell in enumerate(cells) for name in _names(cell))


def _unique(named: Iterator[tuple[str, int]]) -> dict[str, Label]:
    found: dict[str, Label] = {}
    folded = set[str]()
    for name, place in named:
        if name.casefold() in folded:
            return {}
        folded.add(name.casefold())
        found[name] = Label(name, (place,), plain=name.islower() and name.isalpha())
    return found


def _names(cell: Cell) -> list[str]:
    is_name = isinstance(cell, str) and len(cell.strip()) > 1 and re.search(r"[^\W\d_]", cell)
    if is_name and isinstance(cell, str) and cell not in _WORDS_OF_ALL_DAYS:
        return [cell.strip()]
    return []
