"""What labels of a result have themselves, and what follows from it and from the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from statistics import median

from core.reviewer.derived import amounts_of_pairs, changes_of_pairs, quotients_of_pairs
from core.reviewer.figures import Figure
from core.reviewer.names import Label, Labelled
from core.reviewer.percentages import is_percentage
from core.reviewer.values import Values, fits_as_share, fits_as_written, number_of

_MOST_OF_A_ROW = 8
_MONTHS = 12
_ALL_PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class Own:
    """What may be said of some labels.

    `shares` are the ratios of a part to a whole, `percents` stand as percentages already,
    `multiples` are what words such as "twice" say.
    """

    amounts: Values
    ratios: Values
    shares: Values
    percents: Values
    multiples: Values

    def explains(self, figure: Figure) -> bool:
        """Say whether a figure is one of them."""
        if figure.is_ratio:
            return fits_as_written(figure, self.multiples)
        if figure.is_points:
            return fits_as_written(figure, self.percents)
        if figure.is_percent:
            ratios = self.shares if figure.is_share else self.ratios
            return fits_as_share(figure, ratios) or fits_as_written(figure, self.percents)
        return fits_as_written(figure, self.amounts) or fits_as_written(figure, self.ratios)


@dataclass(slots=True)
class _Gathered:
    """What is gathered of the labels, column by column; as in Own."""

    amounts: list[float] = field(default_factory=list[float])
    ratios: list[float] = field(default_factory=list[float])
    shares: list[float] = field(default_factory=list[float])
    percents: list[float] = field(default_factory=list[float])
    multiples: list[float] = field(default_factory=list[float])

    def frozen(self) -> Own:
        return Own(
            amounts=Values(self.amounts),
            ratios=Values([*self.ratios, *self.shares]),
            shares=Values(self.shares),
            percents=Values(self.percents),
            multiples=Values(self.multiples),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a clause names of a table, and the figures of other results that stand alone.

    with_whole: it may speak of all rows together, too
    with_rest: it may speak of what is left without the labels
    compares: it may set one amount beside another, named or not
    with_median: it says that it speaks of a middle one
    """

    table: Labelled
    labels: Sequence[Label]
    singles: Sequence[float]
    with_whole: bool
    with_rest: bool
    compares: bool
    with_median: bool

    def own_of(self, labels: Sequence[Label]) -> Own:
        """Return what may be said of some of the labels."""
        own = _Gathered()
        for label in labels:
            numbers = self.table.numbers_of(label)
            # Of several rows the means stand behind the sums.
            few = numbers[: _MOST_OF_A_ROW if len(label.rows) == 1 else len(numbers) // 2]
            own.amounts += (*numbers, *amounts_of_pairs(few, products=True))
            own.ratios += (*numbers, *changes_of_pairs(few))
            own.shares += (*numbers, *quotients_of_pairs(few))
        columns = [
            (at, _Column([number_of(row[at]) or 0.0 for row in self.table.table.rows]))
            for at in range(len(self.table.table.columns))
            if at != self.table.at
        ]
        for at, column in columns:
            if any(column.values):
                self._add(own, column, labels, is_percent=is_percentage(self.table.table, at))
        totals = [column.total for _, column in columns if any(column.values)]
        if self.with_whole:
            own.amounts += (float(len(self.table.table.rows)), *amounts_of_pairs(totals))
            own.ratios += changes_of_pairs(totals)
            own.shares += quotients_of_pairs(totals)
        return own.frozen()

    def _add(
        self, own: _Gathered, column: _Column, labels: Sequence[Label], *, is_percent: bool
    ) -> None:
        near = self._near(column, labels)
        found = [*column.amounts(labels, self.labels, near)]
        found += column.whole(labels) if self.with_whole else ()
        found += column.rest(labels) if self.with_rest else ()
        found += [median(column.values)] if self.with_median else []
        own.amounts += found
        own.ratios += column.ratios(labels, self.labels, near)
        own.shares += column.shares(labels, self.labels, (column.total, *self.singles))
        own.multiples += column.multiples(labels, self.labels, self.singles)
        if self.table.is_in_time:
            own.multiples += column.growth(labels)
        if is_percent:
            left = [_ALL_PERCENT - each for each in column.own(labels)]
            own.percents += (*found, *column.own(labels), *left)
            own.amounts += left

    def _near(self, column: _Column, labels: Sequence[Label]) -> list[float]:
        """Return what the labels' numbers may be compared with."""
        if not self.compares:
            return list(column.previous(labels))
        named = [*column.own(self.labels), *self.singles]
        if len(self.labels) > 1:
            # Two that are named are compared with each other, and with the whole where it is said.
            before = column.previous(labels) if self.table.is_in_time else ()
            return [*named, *before, *([column.mean] if self.with_whole else [])]
        return [*named, *column.near(labels), column.mean, median(column.values)]


@dataclass(frozen=True, slots=True)
class _Column:
    """The numbers of one column, row by row."""

    values: Sequence[float]

    @property
    def total(self) -> float:
        return sum(self.values)

    @property
    def mean(self) -> float:
        return self.total / len(self.values)

    def own(self, labels: Sequence[Label]) -> list[float]:
        return [sum(self.values[place] for place in label.rows) for label in labels]

    def whole(self, labels: Sequence[Label]) -> Iterator[float]:
        """Return what is said of the column itself, and of it up to the labels."""
        yield from (self.total, self.mean, max(self.values) - min(self.values))
        # What it has come to with the label; of the first row that is its own figure.
        sums = list(accumulate(self.values))
        yield from (sums[end] for end in {label.rows[-1] for label in labels} - {0})

    def rest(self, labels: Sequence[Label]) -> Iterator[float]:
        """Return what is left without the labels, unless a single row is."""
        if len(self.values) > len(labels) + 1:
            yield from (self.total - each for each in (sum(self.own(labels)), *self.own(labels)))

    def amounts(
        self, labels: Sequence[Label], beside: Sequence[Label], near: Sequence[float]
    ) -> Iterator[float]:
        own, others = self.own(labels), self.own(beside)
        if len(beside) > 1:
            yield from (sum(own), sum(own) / len(own), sum(others), sum(others) / len(others))
            yield from (one + other for one in own for other in others if one != other)
            yield from self._between(beside)
        yield from (one - other for one in own for other in near)

    def ratios(
        self, labels: Sequence[Label], beside: Sequence[Label], near: Sequence[float]
    ) -> Iterator[float]:
        own, others = self.own(labels), self.own(beside)
        for one in (*own, sum(own), sum(others)):
            for other in near:
                if other:
                    yield from (one / other, (one - other) / other)
                if one:
                    yield from (other / one, (other - one) / one)
        yield from self._of_the_whole()

    def shares(
        self, labels: Sequence[Label], beside: Sequence[Label], wholes: Sequence[float]
    ) -> Iterator[float]:
        """Return which part the labels are of the whole and of others named, and their parts."""
        own, others = self.own(labels), self.own(beside)
        sums = list(accumulate(self.values))
        for one in (*own, sum(own), sum(others), *(sums[label.rows[-1]] for label in labels)):
            for whole in filter(None, wholes):
                yield from (one / whole, (whole - one) / whole)
        for one in own:
            yield from (one / other for other in others if other)
            yield from (one / (one + other) for other in others if one + other)
        yield from self._inside(labels)

    def multiples(
        self, labels: Sequence[Label], beside: Sequence[Label], singles: Sequence[float]
    ) -> Iterator[float]:
        """Return how many times one is another, or which part of the whole."""
        own, others = self.own(labels), self.own(beside)
        whole = (self.total, *singles)
        yield from (one / each for one in (*own, sum(own)) for each in whole if each)
        yield from self._inside(labels)
        if self.total and len(beside) == len(self.values):
            yield from (1 - one / self.total for one in own)
        if len(beside) > 1:
            yield from (one / other for one in own for other in others if other and one != other)
            yield from (other / one for one in own for other in others if one and one != other)
            return
        unsaid = (*self.near(labels), self.mean, median(self.values))
        yield from (one / other for one in own for other in unsaid if other and one > other)

    def _inside(self, labels: Sequence[Label]) -> Iterator[float]:
        """Return which part each row is of a label that several make."""
        for label, one in zip(labels, self.own(labels), strict=True):
            if one and len(label.rows) > 1:
                yield from (self.values[place] / one for place in label.rows)

    def growth(self, labels: Sequence[Label]) -> Iterator[float]:
        for one in self.own(labels):
            yield from (one / before for before in self.previous(labels) if before)

    def _of_the_whole(self) -> Iterator[float]:
        """Return the shares of the first rows together, and how the column grew."""
        if self.total:
            yield from (each / self.total for each in accumulate(self.values))
        changes = [(after - before) / before for before, after in pairwise(self.values) if before]
        if changes:
            yield from (sum(changes) / len(changes), median(changes))
        first, last = self.values[0], self.values[-1]
        if first > 0 and last > 0 and len(self.values) > 1:
            yield (last / first) ** (1 / (len(self.values) - 1)) - 1

    def near(self, labels: Sequence[Label]) -> Iterator[float]:
        """Return what a label is compared with unsaid: neighbours, ends, extremes."""
        yield from (self.values[0], self.values[-1], max(self.values), min(self.values))
        yield from self.previous(labels)
        for label in labels:
            first, last, many = label.rows[0], label.rows[-1], len(label.rows)
            yield from (*self._rows(last + 1, many), *self._rows(first - _MONTHS, many))

    def previous(self, labels: Sequence[Label]) -> Iterator[float]:
        for label in labels:
            yield from self._rows(label.rows[0] - len(label.rows), len(label.rows))

    def _rows(self, start: int, many: int) -> Iterator[float]:
        if start >= 0 and start + many <= len(self.values):
            yield sum(self.values[start : start + many])

    def _between(self, labels: Sequence[Label]) -> Iterator[float]:
        """Return the sum and mean of the rows from the first to the last label."""
        places = [place for label in labels for place in label.rows]
        inside = self.values[min(places) : max(places) + 1]
        yield from (sum(inside), sum(inside) / len(inside))
