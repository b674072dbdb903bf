"""Figures beside a label that is not theirs: one country's value, another country's name.

A figure that is tied to a label ("Spain: 12", "12 in Spain") has to be the label's own, or follow
from it. One that only stands in a sentence with labels has to follow from those labels, the whole,
or other results; where the sentence speaks of what it does not name, it is let alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.table import Cell
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure
from core.reviewer.names import Label, Labelled, Mention, labelled, mentions, narrowed
from core.reviewer.own import Told
from core.reviewer.sentences import clauses

# Words that bring in something which the sentence does not name.
_UNNAMED = re.compile(
    r"\b(?:followed|follows|next|rest|others?|another|any|except|without|excluding|respectively"
    r"|second|(?<!\ba )(?<!\bone )third|runner-up|previous|prior|before|after|earlier|later|since"
    r"|until|through|year|peak|low|high|highest|lowest|best|worst|strongest"
    r"|weakest|remaining|least|most|every|onwards?|if|would|filter\w*|where|only|but)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"[\s*_|:=(\u2013\u2014-]*(?:(?:which|that|it|(?:comes?|came|amount(?:s|ed)|adds? up)\s+to"
    r"|comes?|came|stands?|stood|leads?|led|tops?|is|was|were|are|has|have|had|made|makes?|sold"
    r"|reached|recorded|saw|brought|brings?|counts?|generated|takes?|took|gets?|got|earn(?:s|ed)"
    r"|handled|received|placed|holds?|held|shows?|does|represents?|comprises?|covers?|spent|paid"
    r"|accounts?|contribut\w+|totals?|totalled|closed|ended|out|on|top|for|with|at|alone|the|list"
    r"|figure|value|of|its|their|average[sd]?|mean|share|about|around|roughly"
    r"|approx\w*\.?|nearly|almost|just|over|under|some|c\.|~)[\s*(]+)*"
    r"[~\u2248]?\s*[$\u20ac\u00a3]?\s*",
    re.IGNORECASE,
)
_JOINED_BEFORE = re.compile(
    r"\s*(?:USD|EUR|GBP)?\s*(?:\(|(?:in|from|for|by)\s)[\s(*]*(?:the\s+)?", re.IGNORECASE
)
# A label after one of these is what another is compared with, or left out.
_NOT_ITSELF = re.compile(
    r"\b(?:but|except|without|excluding|besides|than|versus|vs\.?|against|from|to|over|beats?|out"
    r"|compared with|compared to|behind|ahead of|above|below|on)\s+(?:the\s+)?[*_\"(]*$",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:total|all|altogether|together|overall|sum|combined|average|mean|median|range|rest"
    r"|each|both|every\w*|whole|entire|cumulative|so far)\b",
    re.IGNORECASE,
)
# Words that set one amount beside another.
_COMPARES = re.compile(
    r"\b(?:than|ahead|behind|more|less|fewer|gap|difference|lead\w*|short|another|needs?|away|above"
    r"|below|margin|higher|lower|larger|smaller|bigger|times|twice|double\w*|triple\w*|halved?|ratio"
    r"|versus|vs|compared|against|relative|from|since|up|down|rose|rise\w*|risen|fell|fall\w*|grew"
    r"|grow\w*|increas\w*|decreas\w*|declin\w*|dropp?\w*|gain\w*|lost|los\w*|chang\w*|climb\w*"
    r"|slipp?\w*|jump\w*|dipp?\w*|surg\w*|shr[aiu]nk|swing|spread|per|factor|index|of|share|out\w*"
    r"|beat\w*|exceed\w*|surpass\w*|missed|over|under|and|plus|minus|between|growth|variation)\b"
    r"|[+\u2212\u00d7]|-\d|\dx\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"[\s*_]*(?:,|&|/|\+|-|\u2013|to|through|(?:,\s*)?(?:and|or))[\s*_]*", re.IGNORECASE
)
_MEDIAN = re.compile(r"\b(?:median|typical|middle)\b", re.IGNORECASE)
_LONGEST_TIE = 60


def compares(text: str, figure: Figure) -> bool:
    """Say whether the clause of a figure sets one amount beside another."""
    return any(
        _COMPARES.search(text, *span) is not None
        for span in clauses(text)
        if span[0] <= figure.start < span[1]
    )


def by_labels(text: str, figures: Sequence[Figure], evidence: Evidence) -> dict[Figure, bool]:
    """Say of figures beside labels whether those explain them; the others are left out.

    Labels of one result that explain a figure outweigh those of others that do not.
    """
    tables = evidence.tables if figures else ()
    whole = labelled(tables)
    found: dict[Figure, bool] = {}
    for span in clauses(text):
        inside = [each for each in figures if span[0] <= each.start < span[1]]
        named = [*whole, *narrowed(tables, text, span)] if inside else []
        said = [
            _Said(text, span, those, of, evidence.beside([of.origin]).singles)
            for of in named
            if (those := mentions(text, span, of))
        ]
        for figure in inside:
            verdict = _verdict(figure, inside, said)
            if verdict is None:
                continue
            found[figure] = verdict or _is_told_beside(figure, said, evidence)
    return found


def _verdict(figure: Figure, inside: Sequence[Figure], said: Sequence[_Said]) -> bool | None:
    verdicts = [each.is_right(figure, inside) for each in said]
    if any(verdicts):
        return True
    return None if None in verdicts or not verdicts else False


def _is_told_beside(figure: Figure, said: Sequence[_Said], evidence: Evidence) -> bool:
    """Say whether other results support it, of those that name the labels their rows alone."""
    cells = frozenset(cell for each in said for cell in each.cells)
    return evidence.beside([each.of.origin for each in said], cells).supports(figure)


@dataclass(frozen=True, slots=True)
class _Said:
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
        told = Told(
            table=self.of,
            labels=self._labels,
            singles=self.singles,
            with_whole=_WHOLE.search(self.text, *self.span) is not None,
            compares=self._compares(figure),
            with_median=_MEDIAN.search(self.text, *self.span) is not None,
        )
        tied = self._tied_to(figure)
        if tied:
            return any(told.own_of([each]).explains(figure) for each in tied)
        if self._speaks_of_more(figures):
            return None
        return replace(told, with_whole=True).own_of(self._labels).explains(figure)

    def _speaks_of_more(self, figures: Sequence[Figure]) -> bool:
        """Say whether the clause also speaks of something that it does not name."""
        if all(each.plain for each in self._labels) or _UNNAMED.search(self.text, *self.span):
            return True
        columns = sum(1 for numbers in self.of.columns() if numbers)
        amounts = [each for each in figures if not each.is_percent and not each.is_ratio]
        return len(amounts) > len(self._labels) * columns

    def _compares(self, figure: Figure) -> bool:
        return figure.is_ratio or _COMPARES.search(self.text, *self.span) is not None

    @property
    def cells(self) -> Iterator[Cell]:
        """Return the labels as they stand in the table."""
        for label in self._labels:
            yield from (self.of.table.rows[place][self.of.at] for place in label.rows)

    @property
    def _labels(self) -> list[Label]:
        return list({each.label.rows: each.label for each in self.mentions}.values())

    def _tied_to(self, figure: Figure) -> list[Label]:
        """Return the labels that a figure may be said of: right before it, and right after."""
        tied = list[Label]()
        before = [each for each in self.mentions if each.end <= figure.start]
        if before and not self._is_one_of_several(before):
            between = self.of.without_its_columns(self.text[before[-1].end : figure.start])
            if len(between) < _LONGEST_TIE and _JOINED.fullmatch(between):
                tied.append(before[-1].label)
        after = [each for each in self.mentions if each.start >= figure.end]
        if after:
            between = self.text[figure.end : after[0].start]
            if len(between) < _LONGEST_TIE and _JOINED_BEFORE.fullmatch(between):
                tied.append(after[0].label)
        return tied

    def _is_one_of_several(self, before: Sequence[Mention]) -> bool:
        """Say whether the last label is listed with the one before it, or is compared with."""
        if _NOT_ITSELF.search(self.text[self.span[0] : before[-1].start]):
            return True
        if len(before) < 2:
            return False
        return _LISTED.fullmatch(self.text, before[-2].end, before[-1].start) is not None
