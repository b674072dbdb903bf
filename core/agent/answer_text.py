"""The marked lines of an answer: assumptions and suggestions, told apart from its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.agent.sense import without_control

MOST_ASSUMPTIONS, MOST_SUGGESTIONS = 5, 3
LONGEST_LINE = 300

_MARKED = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?[*_]{0,2}(?P<mark>assumption|suggestion)s?[*_]{0,2}[ \t]*:"
    r"[*_]{0,2}[ \t]*(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_MARKS = ("assumption", "suggestion")
_BEFORE_A_MARK = " \t-*•_"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerText:
    """What the model wrote, sorted."""

    text: str
    assumptions: tuple[str, ...]
    suggestions: tuple[str, ...]


def parse(written: str) -> AnswerText:
    """Part the marked lines from the text; the rest keeps its layout."""
    kept: list[str] = []
    marked: dict[str, list[str]] = {mark: [] for mark in _MARKS}
    for line in without_control(written).splitlines():
        found = _MARKED.match(line)
        if found is None:
            kept.append(line)
        else:
            marked[found["mark"].lower()].append(found["rest"].strip()[:LONGEST_LINE])
    return AnswerText(
        text=re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip(),
        assumptions=tuple(dict.fromkeys(marked["assumption"]))[:MOST_ASSUMPTIONS],
        suggestions=tuple(dict.fromkeys(marked["suggestion"]))[:MOST_SUGGESTIONS],
    )


@dataclass(slots=True)
class LiveText:
    """Text as it comes in pieces, of which only what is not marked is let through.

    A line is held back as long as it may still turn out to be a marked one.
    """

    length: int = 0
    _pieces: list[str] = field(default_factory=list[str])
    _held: str = ""
    _within_line: bool = False

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, piece: str) -> str:
        """Take the next piece; return what may be shown now."""
        self._pieces.append(piece)
        self.length += len(piece)
        if self._within_line and "\n" not in piece:
            return piece
        return self._let_through(piece)

    def rest(self) -> str:
        """Return what was held back, when nothing more comes."""
        held, self._held = self._held, ""
        return "" if _MARKED.match(held) else held

    def _let_through(self, piece: str) -> str:
        shown: list[str] = []
        *whole, last = (self._held + piece).split("\n")
        self._held = ""
        for line in whole:
            if self._within_line or not _MARKED.match(line):
                shown.append(line + "\n")
            self._within_line = False
        if self._within_line or not _may_be_marked(last):
            shown.append(last)
            self._within_line = bool(last)
        else:
            self._held = last
        return "".join(shown)


def _may_be_marked(beginning: str) -> bool:
    word = beginning.lstrip(_BEFORE_A_MARK).lower()
    return any(word.startswith(mark) or mark.startswith(word) for mark in _MARKS)
