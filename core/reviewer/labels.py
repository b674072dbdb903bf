"""Figures beside a label that is not theirs: one country's value, another country's name.

Only where it is plain which label a figure belongs to (one of each, or label and figure by turns),
and only where each label has one row; whatever the label's own rows could explain is let alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from core.domain.table import Cell, ColumnKind, Row, Table
from core.reviewer.figures import Figure
from core.reviewer.values import Values, fits, number_of, numbers_in

_MOST_ROWS = 200
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# Words after which a figure may well be another label's, or none's.
_COMPARES = re.compile(
    r"\b(?:than|above|below|versus|vs|against|compared|ahead|behind|since|until|through|respectively"
    r"|before|after|followed|follows|next|rest|others?|gap|between|except|without|average|total|all"
    r"|difference|margin|overall|combined|together|both|each|plus|minus|excluding)\b",
    re.IGNORECASE,
)


def misplaced(text: str, figures: Sequence[Figure], tables: Sequence[Table]) -> Iterator[Figure]:
    """Return the figures that stand beside a label whose rows do not hold them, but others do."""
    labelled = [
        (table, at, words)
        for table in tables
        if 1 < len(table.rows) <= _MOST_ROWS
        for at in range(len(table.columns))
        if (words := _labels(table, at))
    ]
    for start, end in _spans(text):
        inside = [each for each in figures if start <= each.start < end]
        for table, at, words in labelled if inside else ():
            said = _Said.read(text, (start, end), inside, words)
            if said.compares:
                yield from _invented(said, words, table, tables)
            elif not _COMPARES.search(text, start, end):
                for label, figure in said.by_turns():
                    if _is_of_another(figure, label, table, at, tables):
                        yield figure


def _labels(table: Table, at: int) -> Mapping[str, Row]:
    """Return the rows by what a text may call them; none where two rows share a name."""
    if table.columns[at].kind not in {ColumnKind.DIMENSION, ColumnKind.TIME}:
        return {}
    found: dict[str, Row] = {}
    for row in table.rows:
        for name in _names(row[at]):
            if name in found:
                return {}
            found[name] = row
    return found


def _names(cell: Cell) -> list[str]:
    day = _first_of_month(cell)
    if day is not None:
        return [
            each.casefold()
            for each in dict.fromkeys((f"{day:%B %Y}", f"{day:%b %Y}", f"{day:%Y-%m}"))
        ]
    if isinstance(cell, str) and len(cell) > 1 and re.search(r"[^\W\d_]", cell):
        return [cell.casefold()]
    return []


def _first_of_month(cell: Cell) -> date | None:
    if isinstance(cell, datetime):
        cell = cell.date()
    if isinstance(cell, date):
        return cell if cell.day == 1 else None
    if isinstance(cell, str) and re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])(?:-01)?", cell):
        return date(int(cell[:4]), int(cell[5:7]), 1)
    return None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _SENTENCE.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence: its labels and its figures, each with the place where it begins."""

    labels: Sequence[tuple[int, str]]
    figures: Sequence[Figure]

    @classmethod
    def read(
        cls, text: str, span: tuple[int, int], figures: Sequence[Figure], words: Mapping[str, Row]
    ) -> _Said:
        longest_first = sorted(words, key=len, reverse=True)
        pattern = r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)"
        found = list(re.finditer(pattern, text[slice(*span)].casefold()))
        # The 30 of "Product 30" says nothing about the data.
        inside = [range(each.start() + span[0], each.end() + span[0]) for each in found]
        return cls(
            [(each.start() + span[0], each[0]) for each in found],
            [each for each in figures if not any(each.start in label for label in inside)],
        )

    @property
    def compares(self) -> bool:
        """Say whether one percentage is said of two labels."""
        names = {label for _, label in self.labels}
        is_one = len(self.figures) == 1 and self.figures[0].is_percent
        return is_one and len(names) == len(self.labels) == 2

    def by_turns(self) -> Iterator[tuple[str, Figure]]:
        """Pair labels and figures where they stand by turns."""
        if len(self.labels) != len(self.figures):
            return
        places = [(at, True) for at, _ in self.labels]
        turns = sorted((*places, *((each.start, False) for each in self.figures)))
        if all(is_label == turns[0][1] for _, is_label in turns[::2]):
            for (_, label), figure in zip(self.labels, self.figures, strict=True):
                yield label, figure


def _invented(
    said: _Said, words: Mapping[str, Row], table: Table, tables: Sequence[Table]
) -> Iterator[Figure]:
    """Yield the percentage where the two labels' own rows, in the one table of them, lack it."""
    [figure] = said.figures
    rows = [words[label] for _, label in said.labels]
    elsewhere = (row for each in tables if each is not table for row in each.rows)
    names = [label for _, label in said.labels]
    if any(_has(row, label) for row in elsewhere for label in names):
        return
    own = [value for row in rows for value in numbers_in(row)]
    totals = [_numbers(table, column) for column in range(len(table.columns))]
    pair = [*own, *(sum(numbers) for numbers in totals), *map(_mean, totals), sum(own)]
    if not fits(figure, Values((*own, *_explained(pair, [pair])))):
        yield figure


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _is_of_another(
    figure: Figure, label: str, table: Table, at: int, tables: Sequence[Table]
) -> bool:
    own = [row for each in tables for row in each.rows if _has(row, label)]
    if fits(figure, Values(value for row in own for value in numbers_in(row))):
        return False
    columns = [_numbers(table, column) for column in range(len(table.columns)) if column != at]
    mine, others = list[float](), list[Row]()
    for row in table.rows:
        if label in _names(row[at]):
            mine += numbers_in(row)
        else:
            others.append(row)
    if fits(figure, Values(_explained(mine, columns))):
        return False
    return fits(figure, Values(_as_cells_and_shares(others, columns)))


def _has(row: Row, label: str) -> bool:
    return any(label in _names(cell) for cell in row)


def _numbers(table: Table, column: int) -> list[float]:
    return [value for row in table.rows if (value := number_of(row[column])) is not None]


def _explained(mine: Sequence[float], columns: Sequence[Sequence[float]]) -> Iterator[float]:
    """Return what a label's own values give with those of the others: gaps, ratios, shares."""
    for numbers in columns:
        if numbers:
            total = sum(numbers)
            yield from (total, total / len(numbers), median(numbers), float(len(numbers)))
            for own in mine:
                yield from (own / total, (total - own) / total) if total else ()
                for other in numbers:
                    yield from (own - other, own + other)
                    yield from ((own - other) / other, own / other) if other else ()
                    yield from ((own - other) / own, other / own) if own else ()


def _as_cells_and_shares(
    rows: Sequence[Row], columns: Sequence[Sequence[float]]
) -> Iterator[float]:
    totals = [sum(numbers) for numbers in columns if numbers]
    for row in rows:
        for value in numbers_in(row):
            yield value
            yield from (value / total for total in totals if total)
