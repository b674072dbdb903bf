"""Which label of a clause a figure is said of, and which column, going by the words between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.reviewer.figures import Figure
from core.reviewer.names import Label, Labelled, Mention

_JOINED = re.compile(
    r"[\s*_|:=(\u2013\u2014-]*(?:(?:which|that|it|(?:comes?|came|amount(?:s|ed)|adds? up)\s+to"
    r"|comes?|came|stands?|stood|leads?|led|tops?|is|was|were|are|has|have|had|made|makes?|sold"
    r"|reached|recorded|saw|brought|brings?|counts?|generated|takes?|took|gets?|got|earn(?:s|ed)"
    r"|handled|received|placed|holds?|held|shows?|does|represents?|comprises?|covers?|spent|paid"
    r"|accounts?|contribut\w+|totals?|totalled|closed|ended|out|on|top|for|with|at|alone|the|list"
    r"|figure|value|of|in|its|their|average[sd]?|mean|share|about|around|roughly"
    r"|rose|grew|fell|dropped|declined|increased|decreased|climbed|slipped|dipped|jumped|shrank|by"
    r"|gained|lost|added|to|recovered|approx\w*\.?|nearly|almost|just|over|under|some|c\.|~)[\s*(]+)*"
    r"[~\u2248]?\s*[$\u20ac\u00a3]?\s*",
    re.IGNORECASE,
)
_JOINED_BEFORE = re.compile(
    r"\s*(?:USD|EUR|GBP)?\s*(?:\(|(?:in|from|for|by|were|was|are|is|got|have been)\s)[\s(*]*"
    r"(?:the\s+)?",
    re.IGNORECASE,
)
# A label after one of these is what another is compared with, or left out.
_NOT_ITSELF = re.compile(
    r"\b(?:but|except|without|excluding|besides|than|as|versus|vs\.?|against|from|to|over|beats?|out"
    r"|compared with|compared to|behind|ahead of|above|below|on)\s+(?:the\s+)?[*_\"(]*$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"[\s*_]*(?:,|&|/|\+|-|\u2013|to|through|(?:,\s*)?(?:and|or))[\s*_]*", re.IGNORECASE
)
_PHRASE_END = re.compile(
    r",\s(?!to\s)|\s(?:while|whereas|and|but|or|than|vs\.?|versus|against|compared)\s|\s[\u2013\u2014-]\s",
    re.IGNORECASE,
)
# Between a label and a figure, one of these leads to something else.
_ELSEWHERE = re.compile(
    r"\b(?:follow\w*|next|others?|rest|except|without|previous\w*|prior|before|after|earlier|later"
    r"|since|until|through|respectively|over|above|below|behind|ahead|beat\w*|overt\w+|passed"
    r"|exceed\w*|than|every|each|all|both|total|average|median|mean|of|target|goal|plan)\b"
    r"|\b[A-Z][a-z]{2,}",
)
_OPENING = re.compile(r"\b(?:in|for|during|by|on)\s+(?:the\s+)?[*_\"]*$", re.IGNORECASE)
_UNKNOWN = re.compile(r"(?<![\w.,])([^\W\d]\w+)[*_\"]*\s*\([~$\u20ac\u00a3]?$")
_IN_YEAR = re.compile(r"\s+(?:in\s+|\()((?:19|20)\d\d)\b")
_FROM = re.compile(r"\bfrom\s+(?:[$\u20ac\u00a3]\s*)?$")
_MOVED = re.compile(
    r"\b(?:up|down|rose|r[ai]se\w*|fell|fall\w*|gr[eo]w\w*|grown|went|goes|moved?|increas\w+|decreas\w+"
    r"|declin\w+|dropp?\w*|jump\w*|climb\w*|slipp?\w*|dipp?\w*|chang\w+|rang\w+|improv\w+)\b",
    re.IGNORECASE,
)
_OF_WHAT = re.compile(
    r"[*_]*\s+(?:of\s+)?(?:(?:all|the|total|its|their|our|your|overall|annual)\s+)*"
    r"(\w+)(?!\s+(?:per|value)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(\w+)\s+(?:in|of|from|for|by)\s+(?:the\s+)?[*_\"]*$", re.IGNORECASE)
_SAID_OF = re.compile(
    r"(\w+)(?::|\s+(?:of|was|is|at|(?:came|comes)\s+(?:in\s+)?(?:at|to)|stood\s+at|reached|totalled"
    r"|amount(?:ed|s)\s+to))\s+(?:about\s+|around\s+|~\s?)?[$\u20ac\u00a3]?\s?$",
    re.IGNORECASE,
)
_LONGEST_TIE = 60


@dataclass(frozen=True, slots=True)
class Ties:
    """A clause with the labels of one table that it names."""

    text: str
    span: tuple[int, int]
    mentions: Sequence[Mention]
    of: Labelled

    def tied_to(self, figure: Figure) -> list[Label]:
        """Return the labels that a figure may be said of: right before it, and right after."""
        tied = list[Label]()
        before = self._before(figure)
        if before and not self._is_one_of_several(before):
            between = self.of.without_its_columns(self.text[before[-1].end : figure.start])
            if _OPENING.search(self.text, self.span[0], before[-1].start):
                between = between.removeprefix(",")
            if len(between) < _LONGEST_TIE and _JOINED.fullmatch(between):
                tied.append(before[-1].label)
        after = [each for each in self.mentions if each.start >= figure.end]
        if after:
            between = self.of.without_its_columns(self.text[figure.end : after[0].start])
            if len(between) < _LONGEST_TIE and _JOINED_BEFORE.fullmatch(between):
                tied.append(after[0].label)
        return tied

    def alone_with(self, figure: Figure) -> Label | None:
        """Return the one label of the phrase in which a figure stands, where it comes before it."""
        [phrase] = [each for each in self._phrases() if each[0] <= figure.start < each[1]]
        inside = [each for each in self.mentions if phrase[0] <= each.start < phrase[1]]
        if len({each.label.rows for each in inside}) != 1 or inside[-1].end > figure.start:
            return None
        if self._is_one_of_several(self._before(figure)):
            return None
        between = self.of.without_its_columns(self.text[inside[-1].end : figure.start])
        is_from = _FROM.search(between) and _MOVED.search(self.text, *self.span)
        return None if is_from or _ELSEWHERE.search(between) else inside[-1].label

    def is_of_unknown(self, figure: Figure) -> bool:
        """Say whether a figure stands in parentheses behind a word that is no label: damage (4)."""
        found = _UNKNOWN.search(self.text, self.span[0], figure.start)
        if found is None or any(each.start < found.end(1) <= each.end for each in self.mentions):
            return False
        return bool(self.of.without_its_columns(found[1]))

    def about(self, figure: Figure) -> Labelled:
        """Return the columns that the words beside a figure name; all of them where none does."""
        after = self.text[figure.end : self.span[1]]
        before = self._before(figure)
        subject = _SUBJECT.search(self.text, self.span[0], before[-1].start) if before else None
        said = _SAID_OF.search(self.text, self.span[0], figure.start)
        for named in (_IN_YEAR.match(after), _OF_WHAT.match(after), said, subject):
            part = self.of.only(named[1]) if named else self.of
            if part is not self.of:
                return part
        return self.of

    def _before(self, figure: Figure) -> list[Mention]:
        return [each for each in self.mentions if each.end <= figure.start]

    def _phrases(self) -> Iterator[tuple[int, int]]:
        start = self.span[0]
        for found in _PHRASE_END.finditer(self.text, *self.span):
            if not any(each.start <= found.start() < each.end for each in self.mentions):
                yield start, found.end()
                start = found.end()
        yield start, self.span[1]

    def _is_one_of_several(self, before: Sequence[Mention]) -> bool:
        """Say whether the last label is listed with the one before it, or is compared with."""
        if _NOT_ITSELF.search(self.text[self.span[0] : before[-1].start]):
            return True
        if len(before) < 2:
            return False
        return _LISTED.fullmatch(self.text, before[-2].end, before[-1].start) is not None
