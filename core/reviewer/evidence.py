"""The values that a text may speak of: cells, and what follows from them by simple computing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import combinations

from core.domain.table import Cell, Table
from core.reviewer.derived import (
    amounts_in,
    amounts_of,
    amounts_of_pairs,
    gaps_of_ratios,
    quotients_of_pairs,
    ratios_in,
    ratios_of_pairs,
    shares_in,
    shares_of_column,
)
from core.reviewer.figures import Figure, all_numbers
from core.reviewer.percentages import column_called, is_percentage, says_percentage
from core.reviewer.values import Values, fits_as_share, fits_as_written, number_of

_MOST_PAIRED = 40  # values of which every pair is compared
_MOST_SHARED = 200
_FEW_ROWS = 3
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class Derived:
    """Values that follow from what was read; `shares` are the ratios of a part to a whole."""

    amounts: Values
    ratios: Values
    shares: Values

    @classmethod
    def of(
        cls, amounts: Iterable[float], ratios: Iterable[float], shares: Iterable[float]
    ) -> Derived:
        return cls(Values(amounts), Values(ratios), Values(shares))

    def explain(self, figure: Figure) -> bool:
        if figure.is_ratio:
            return fits_as_written(figure, self.ratios)
        if figure.is_percent:
            return fits_as_share(figure, self.shares if figure.is_share else self.ratios)
        return fits_as_written(figure, self.amounts) or fits_as_written(figure, self.ratios)


class _Read:
    """One table, and what it gives; each worked out when it is first needed."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def holds(self, figure: Figure) -> bool:
        if figure.is_ratio:
            return fits_as_written(figure, self._shares)
        if figure.is_points:
            return fits_as_written(figure, self._points) or fits_as_share(figure, self._gaps)
        if figure.is_percent:
            return (
                fits_as_share(figure, self._cells)
                or fits_as_share(figure, self._percents)
                or fits_as_written(figure, self._percents)
            )
        return fits_as_written(figure, self._cells)

    def gives(self, figure: Figure, *, compared: bool) -> bool:
        if figure.is_points:
            return False
        at = column_called(self.table, figure.share_of) if figure.share_of else None
        if at is not None:
            return fits_as_share(figure, Values(shares_of_column(self.table, at)))
        return self._plain.explain(figure) or (compared and self._compared.explain(figure))

    def speaking_of(self, labels: frozenset[Cell]) -> _Read:
        """Return the rows that name one of the labels; the whole table where none does."""
        if not labels:
            return self
        rows = self.table.rows
        named = tuple(row for row in rows if any(_is_one_of(cell, labels) for cell in row))
        return _Read(replace(self.table, rows=named)) if named else self

    @cached_property
    def numbers(self) -> list[float]:
        cells = (cell for row in self.table.rows for cell in row)
        return [value for cell in cells if (value := number_of(cell)) is not None]

    @cached_property
    def _cells(self) -> Values:
        texts = (cell for row in self.table.rows for cell in row if isinstance(cell, str))
        written = (value for text in texts for value in all_numbers(text))
        return Values((*self.numbers, *written, float(len(self.table.rows))))

    @cached_property
    def _percentages(self) -> list[list[float]]:
        places = (at for at in range(len(self.table.columns)) if is_percentage(self.table, at))
        return [numbers for at in places if (numbers := self._column(at))]

    @cached_property
    def _percents(self) -> Values:
        """Return what is a percentage by its column, and the sums and differences of such."""
        return Values(
            value
            for numbers in self._percentages
            for value in (*numbers, *amounts_of(numbers), *amounts_of_pairs(numbers[:_MOST_PAIRED]))
        )

    @cached_property
    def _gaps(self) -> Values:
        """Return the gaps between shares of a column, and between its steps of growth."""
        columns = (self._column(at) for at in range(len(self.table.columns)))
        of_ratios = (gap for numbers in columns if numbers for gap in gaps_of_ratios(numbers))
        return Values((*of_ratios, *self._points.numbers))

    @cached_property
    def _points(self) -> Values:
        """Return the gaps between percentages, and what they lack of all."""
        gaps = (
            one - other
            for numbers in self._percentages
            for one, other in combinations((_WHOLE, *numbers[:_MOST_PAIRED]), 2)
        )
        return Values(gaps)

    @cached_property
    def _shares(self) -> Values:
        """Return the cells that are parts of a whole or, by their column's name, ratios."""
        places = (at for at, each in enumerate(self.table.columns) if says_percentage(each))
        cells = (value for at in places for value in self._column(at))
        return Values(each for value in cells for each in (value, value / _WHOLE))

    @cached_property
    def _plain(self) -> Derived:
        left = (_WHOLE - value for numbers in self._percentages for value in numbers)
        amounts = amounts_in(self.table, pairs=False)
        ratios = ratios_in(self.table, pairs=False)
        return Derived.of((*amounts, *left), ratios, shares_in(self.table, pairs=False))

    @cached_property
    def _compared(self) -> Derived:
        ratios = ratios_in(self.table, pairs=True)
        shares = shares_in(self.table, pairs=True)
        return Derived.of(amounts_in(self.table, pairs=True), ratios, shares)

    def _column(self, at: int) -> list[float]:
        cells = (row[at] for row in self.table.rows)
        return [value for cell in cells if (value := number_of(cell)) is not None]


class _Told:
    """Texts whose numbers count as given."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    @cached_property
    def values(self) -> Values:
        return Values(value for text in self._texts for value in all_numbers(text))

    @cached_property
    def first(self) -> list[float]:
        return [value for text in self._texts[:1] for value in all_numbers(text)]


class Evidence:
    """What a run has read: tables, and texts whose numbers count as given."""

    def __init__(self, tables: Sequence[Table], texts: Sequence[str] = ()) -> None:
        self._read = [_Read(table) for table in tables]
        self._told = _Told(texts)

    @property
    def tables(self) -> Sequence[Table]:
        return [each.table for each in self._read]

    def supports(self, figure: Figure, *, compared: bool = True) -> bool:
        """Say whether a figure stands in the evidence or follows from it.

        `compared` says that the text may set any two of the cells beside each other.
        """
        return (
            self.holds(figure)
            or any(each.gives(figure, compared=compared) for each in self._read)
            or (not figure.is_points and self._of_singles.explain(figure))
        )

    def tells(self, figure: Figure) -> bool:
        """Say whether a text that was given holds a figure."""
        return not figure.is_ratio and fits_as_written(figure, self._told.values)

    def holds(self, figure: Figure) -> bool:
        """Say whether a figure stands in the evidence itself."""
        if self.tells(figure):
            return True
        return any(each.holds(figure) for each in self._read)

    def beside(self, tables: Sequence[Table], labels: frozenset[Cell] = frozenset()) -> Evidence:
        """Return what was read besides some tables: of those that name the labels, their rows."""
        others = [each for each in self._read if not any(each.table is one for one in tables)]
        found = Evidence(())
        found._read = [each.speaking_of(labels) for each in others]
        found._told = self._told
        return found

    @cached_property
    def singles(self) -> list[float]:
        """Return the figures that stand alone: in small results, and in the first text."""
        few = [each for each in self._read if len(each.table.rows) <= _FEW_ROWS]
        numbers = [value for each in few for value in each.numbers]
        return [*numbers, *self._told.first][:_MOST_PAIRED]

    @cached_property
    def _of_singles(self) -> Derived:
        shares = tuple(self._shares_of_singles())
        return Derived.of(
            amounts_of_pairs(self.singles, products=True),
            (*ratios_of_pairs(self.singles), *shares),
            (*quotients_of_pairs(self.singles), *shares),
        )

    def _shares_of_singles(self) -> Iterator[float]:
        """Return the share of each cell in the figures that stand alone, such as a grand total."""
        for each in self._read:
            for part in each.numbers[:_MOST_SHARED]:
                yield from (part / whole for whole in self.singles if whole)


def _is_one_of(cell: Cell, labels: frozenset[Cell]) -> bool:
    return isinstance(cell, str | int | date) and cell in labels
