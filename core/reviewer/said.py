"""What a clause says of one table: the labels that it names, and whether they explain a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.domain.table import Cell
from core.reviewer.figures import Figure
from core.reviewer.names import Label, Labelled, Mention, wholes_of
from core.reviewer.own import Told
from core.reviewer.ties import Ties
from core.reviewer.values import Values, fits_as_written

# Words that bring in something which the sentence does not name.
_OTHERS = (
    r"followed|follows|next|rest|others?|another|any|except|without|excluding|respectively"
    r"|second|(?<!\ba )(?<!\bone )third|runner-up|previous|prior|before|after|earlier|later|since"
    r"|until|through|year|remaining|every|onwards?|if|would|filter\w*|where|but"
)
_UNNAMED = re.compile(
    rf"\b(?:{_OTHERS}|peak|low|high|highest|lowest|best|worst|strongest|weakest|least|most|only)\b",
    re.IGNORECASE,
)
# What is said of a label that stands alone with its figure may be that it is the highest.
_UNNAMED_ALONE = re.compile(rf"\b(?:{_OTHERS})\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:total|all|altogether|together|overall|sum|combined|average|mean|median|range|rest"
    r"|each|both|every\w*|whole|entire|cumulative|so far)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:rest|others?|remain\w*|without|except|excluding|left|besides|apart)\b", re.IGNORECASE
)
# Words that set one amount beside another.
COMPARES = re.compile(
    r"\b(?:than|ahead|behind|more|less|fewer|gap|difference|lead\w*|short|another|needs?|away|above"
    r"|below|margin|higher|lower|larger|smaller|bigger|times|twice|double\w*|triple\w*|halved?|ratio"
    r"|versus|vs|compared|against|relative|from|since|up|down|rose|rise\w*|risen|fell|fall\w*|grew"
    r"|grow\w*|increas\w*|decreas\w*|declin\w*|dropp?\w*|gain\w*|lost|los\w*|chang\w*|climb\w*"
    r"|slipp?\w*|jump\w*|dipp?\w*|surg\w*|shr[aiu]nk|swing|spread|per|factor|index|of|share|out\w*"
    r"|beat\w*|exceed\w*|surpass\w*|missed|over|under|and|plus|minus|between|growth|variation)\b"
    r"|[+\u2212\u00d7]|-\d|\dx\b",
    re.IGNORECASE,
)
_MEDIAN = re.compile(r"\b(?:median|typical|middle)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """A clause and the labels of one table that it names."""

    text: str
    span: tuple[int, int]
    mentions: Sequence[Mention]
    of: Labelled
    singles: Sequence[float]

    def is_right(self, figure: Figure, figures: Sequence[Figure]) -> bool | None:
        """Say whether the labels explain a figure; None where it may be of something else."""
        if any(each.start <= figure.start < each.end for each in self.mentions):
            return True  # the 30 of "Product 30" says nothing about the data
        if not (figure.is_percent or figure.is_ratio) and fits_as_written(
            figure, Values(self._wholes)
        ):
            return True
        told = self._told(figure)
        if figure.is_points:
            return told.own_of(self._labels).explains(figure) or None
        tied = self._ties.tied_to(figure)
        if tied:
            return any(self._is_own(figure, each, told) for each in tied)
        alone = self._ties.alone_with(figure)
        if alone and self._is_of_another(figure, alone, told):
            return False
        explained = (
            replace(told, with_whole=True, with_rest=True).own_of(self._labels).explains(figure)
        )
        is_open = self._speaks_of_more(figures, alone) or self._ties.is_of_unknown(figure)
        return None if not explained and is_open else explained

    def _told(self, figure: Figure) -> Told:
        return Told(
            table=self._ties.about(figure) if figure.is_share else self.of,
            labels=self._labels,
            singles=(*self.singles, *self._wholes),
            with_whole=_WHOLE.search(self.text, *self.span) is not None,
            with_rest=_REST.search(self.text, *self.span) is not None,
            compares=figure.is_ratio or COMPARES.search(self.text, *self.span) is not None,
            with_median=_MEDIAN.search(self.text, *self.span) is not None,
        )

    def _is_own(self, figure: Figure, label: Label, told: Told) -> bool:
        """Say whether a label explains a figure, if need be in the column that is named."""
        named = self._ties.about(figure)
        if self.of.is_cell(figure, of=label) and not named.is_cell(figure, of=label):
            return False
        return told.own_of([label]).explains(figure)

    def _is_of_another(self, figure: Figure, label: Label, told: Told) -> bool:
        """Say whether a figure is a cell of another row, and nothing of the label's own."""
        own = replace(told, compares=False, with_whole=False, labels=[label]).own_of([label])
        return not own.explains(figure) and self.of.is_cell(figure, of=label, elsewhere=True)

    def _speaks_of_more(self, figures: Sequence[Figure], alone: Label | None) -> bool:
        """Say whether the clause also speaks of something that it does not name."""
        if len(self._labels) == 1 and self._labels[0].plain:
            return True
        unnamed = _UNNAMED_ALONE if alone else _UNNAMED
        if unnamed.search(self.text, *self.span):
            return True
        columns = sum(1 for numbers in self.of.columns() if numbers)
        amounts = [each for each in figures if not each.is_percent and not each.is_ratio]
        return len(amounts) > len(self._labels) * columns

    @property
    def cells(self) -> Iterator[Cell]:
        """Return the labels as they stand in the table."""
        for label in self._labels:
            yield from (self.of.table.rows[place][self.of.at] for place in label.rows)

    @property
    def _labels(self) -> list[Label]:
        return list({each.label.rows: each.label for each in self.mentions}.values())

    @cached_property
    def _wholes(self) -> list[float]:
        return wholes_of(self.of, self._labels)

    @cached_property
    def _ties(self) -> Ties:
        return Ties(self.text, self.span, self.mentions, self.of)
