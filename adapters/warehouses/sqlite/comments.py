"""What a CREATE TABLE says of its table and columns in comments, the only place that SQLite has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

_PIECE = re.compile(
    r"""--(?P<line>[^\n]*) | /\*(?P<block>.*?)(?:\*/|\Z) | (?P<sign>[(),\n])
    | (?P<name>'(?:''|[^'])*' | "(?:""|[^"])*" | `[^`]*` | \[[^\]]*\] | [^\s(),'"`\[-]+ | -)""",
    re.DOTALL | re.VERBOSE,
)
_LONGEST = 300
_TABLE = ""


def comments_of(create: str) -> Mapping[str, str]:
    """Return the comments by the column's name in small letters; "" is the table itself.

    A comment behind a column is that column's; one on a line of its own belongs to the next.
    """
    reading = _Reading()
    for piece in _PIECE.finditer(create):
        if piece["name"] is not None:
            reading.name(piece["name"])
        elif piece["sign"] is not None:
            reading.sign(piece["sign"])
        else:
            reading.comment(piece["line"] or piece["block"] or "")
    return {name: " ".join(words)[:_LONGEST] for name, words in reading.found.items()}


@dataclass(slots=True)
class _Reading:
    """`column` is the one whose definition goes on, `ended` one that ended on this line."""

    found: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list[str]))
    _depth: int = 0
    _column: str | None = _TABLE
    _ended: str | None = None
    _above: list[str] = field(default_factory=list[str])

    def name(self, text: str) -> None:
        if self._depth == 1 and self._column is None:
            self._column = text.strip("\"'`[]").casefold()
            if self._above:
                self.found[self._column] += self._above
                self._above = []
        self._ended = None

    def sign(self, sign: str) -> None:
        if sign == "(":
            self._depth += 1
            if self._depth == 1:
                self._ended, self._column = _TABLE, None
        elif sign == ")":
            self._depth -= 1
        elif sign == "\n":
            self._ended = None
        elif self._depth == 1:
            self._ended, self._column = self._column, None

    def comment(self, text: str) -> None:
        words = " ".join(text.strip(" -*\t").split())
        if not words:
            return
        owner = self._column if self._column is not None else self._ended
        if owner is None:
            self._above.append(words)
        else:
            self.found[owner].append(words)
