"""Tables that a text draws itself: every column of one has to be one column of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from core.domain.table import ColumnKind, Table
from core.reviewer.figures import Figure
from core.reviewer.names import Label, Labelled, mentions
from core.reviewer.values import Values, fits_as_written, numbers_in

_LEAST_ROWS = 2
_MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a drawn table: the label in its first cell, and the figures by place."""

    label: Label
    figures: dict[int, Figure]


def in_other_columns(
    text: str, figures: Sequence[Figure], tables: Sequence[Labelled]
) -> Iterator[Figure]:
    """Return figures of drawn columns whose lines stem from several columns of the result.

    A drawn column with a cell that is none of its line's label is let alone: it may be computed.
    """
    for of in tables:
        lines = list(_lines(text, figures, of))
        places = {place for line in lines for place in line.figures}
        for place in sorted(places):
            drawn = [line for line in lines if place in line.figures]
            if len(drawn) >= _LEAST_ROWS:
                yield from _strangers(drawn, place, of)


def out_of_place(text: str, figures: Sequence[Figure], tables: Sequence[Table]) -> Iterator[Figure]:
    """Return figures of drawn tables that belong to another pair of a line's and a head's names.

    Such a table shows a long result, with the labels of one of its columns as the heads.
    """
    for table in (each for each in tables if len(each.rows) <= _MOST_ROWS):
        kinds = [at for at, each in enumerate(table.columns) if each.kind is not ColumnKind.MEASURE]
        for down, across in permutations(kinds, 2):
            heads = {str(row[across]).casefold() for row in table.rows}
            for names, cells in _drawn(text, figures):
                if len(heads & set(names)) >= _LEAST_ROWS:
                    for name, head, figure in cells:
                        if _is_elsewhere(figure, table, {down: name, across: head}):
                            yield figure


def _drawn(
    text: str, figures: Sequence[Figure]
) -> Iterator[tuple[list[str], list[tuple[str, str, Figure]]]]:
    """Return the heads of each drawn table, and its figures with their names and heads."""
    names, cells, start = list[str](), list[tuple[str, str, Figure]](), 0
    for line in text.splitlines(keepends=True):
        if line.count("|") < _LEAST_ROWS:
            if cells:
                yield names, cells
            names, cells = [], []
        elif not names:
            names = [each.strip(" *_\n").casefold() for each in line.split("|")]
        else:
            own = [each.strip(" *_\n").casefold() for each in line.split("|")]
            name = next(filter(None, own), "")
            for each in figures:
                place = text.count("|", start, max(each.start, start))
                if start <= each.start < start + len(line) and place < len(names):
                    cells.append((name, names[place], each))
        start += len(line)
    if cells:
        yield names, cells


def _is_elsewhere(figure: Figure, table: Table, named: Mapping[int, str]) -> bool:
    """Say whether a figure is a cell of the result, but of none of the rows that are named."""
    own = [
        row
        for row in table.rows
        if all(str(row[at]).casefold() == name for at, name in named.items())
    ]
    if not own:
        return False
    inside, all_ = (
        Values(number for row in rows for number in numbers_in(row)) for rows in (own, table.rows)
    )
    return fits_as_written(figure, all_) and not fits_as_written(figure, inside)


def _lines(text: str, figures: Sequence[Figure], of: Labelled) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        if line.count("|") > 1:
            named = mentions(text, (start, end), of)
            inside = [each for each in figures if start <= each.start < end]
            if len({each.label.rows for each in named}) == 1:
                places = {text.count("|", start, each.start): each for each in inside}
                yield _Line(named[0].label, places)
        start = end


def _strangers(lines: Sequence[_Line], place: int, of: Labelled) -> Iterator[Figure]:
    columns = [at for at in range(len(of.table.columns)) if at != of.at]
    fits = [
        {at for at in columns if of.is_cell(line.figures[place], of=line.label, at=at)}
        for line in lines
    ]
    if not all(fits):
        return
    most = max(columns, key=lambda at: sum(at in each for each in fits))
    yield from (
        line.figures[place] for line, each in zip(lines, fits, strict=True) if most not in each
    )
