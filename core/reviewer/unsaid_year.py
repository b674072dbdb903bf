"""A month or a quarter that a question names without a year: which year the statements took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sqlglot import exp

from core.domain.errors import NotPossible
from core.domain.query import Dialect
from core.reviewer.ran import called
from core.reviewer.time_conditions import timed
from core.sql.periods import Grain
from core.sql.reading import tree_of

_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_NUMBERS = {name[:length].lower(): at for at, name in enumerate(_NAMES, 1) for length in (3, 9)}
_NUMBERS["sept"] = 9
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_ANY_MONTH = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_MONTH = re.compile(rf"\b(?P<name>{_ANY_MONTH})\b", re.IGNORECASE)
_QUARTER = re.compile(
    r"\b(?:q(?P<number>[1-4])|(?P<word>first|second|third|fourth) quarter)\b", re.IGNORECASE
)
# "May" and "march" are verbs as well: in small letters they are months behind these words only.
_VERBS = frozenset({"may", "march", "mar"})
_BEFORE = re.compile(
    r"\b(?:in|of|for|during|since|until|till|from|to|by|before|after|through|between|and|vs|versus"
    r"|with|early|mid|late|on|\d+(?:st|nd|rd|th)?)[\s-]+$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SAYS_WHICH = re.compile(
    r"\b(?:(?:19|20)\d\d|years?|yearly|annual(?:ly)?|ago|seasonal\w*)\b|'\d\d\b"
    r"|\b(?:last|this|current|latest|recent|next|previous|past|same|every|each|all|any)"
    rf" (?:of )?(?:the )?(?:{_ANY_MONTH}|q[1-4]|quarters?|months?)\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-\d\d.*)?")
_MONTH_FORMS = frozenset({"%m", "MM"})


def unsaid_years(
    question: str, before: Iterable[str], statements: Sequence[str], dialect: Dialect
) -> tuple[str, ...]:
    """Return a sentence for each month or quarter whose year only the statements say.

    `before` is what the thread has said: a year that stands in it was named, if earlier.
    """
    named = dict(_named(question))
    if not named or _SAYS_WHICH.search(question):
        return ()
    known = {year for text in before for year in _YEAR.findall(text)}
    asked = _asked(statements, dialect)
    sentences = (_sentence(name, asked.years_of(month), known) for name, month in named.items())
    return tuple(each for each in sentences if each)


def _sentence(name: str, years: set[str] | None, known: set[str]) -> str:
    if years is None:
        return f"{name} of every year, as no year was named"
    if len(years) != 1 or years & known:
        return ""
    return f"{name} is taken as {name} {min(years)}, as no year was named"


def _named(question: str) -> Iterator[tuple[str, int]]:
    """Yield the months and quarters of a question as a reader calls them, with the first month."""
    for found in _MONTH.finditer(question):
        word = found["name"]
        if word.lower() in _VERBS and not _is_month(word, question[: found.start()]):
            continue
        number = _NUMBERS[word.lower()]
        yield _NAMES[number - 1], number
    for found in _QUARTER.finditer(question):
        number = int(found["number"] or _ORDINALS[found["word"].lower()])
        yield f"Q{number}", number * 3 - 2


def _is_month(word: str, before: str) -> bool:
    """Say whether a word that is a verb as well stands for the month here."""
    if _BEFORE.search(before):
        return True
    return not word.islower() and (bool(before.strip()) or word.lower() != "may")


@dataclass(slots=True)
class _Asked:
    """The months that statements hold dates against, with their years, and those without."""

    dated: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    years: set[str] = field(default_factory=set[str])
    months: set[int] = field(default_factory=set[int])

    def years_of(self, month: int) -> set[str] | None:
        """Return the years of a month; None where it is one of every year."""
        dated = {year for year, number in self.dated if number == month}
        if month not in self.months or dated:
            return dated
        return self.years or None


def _asked(statements: Sequence[str], dialect: Dialect) -> _Asked:
    asked = _Asked()
    for sql in statements:
        with suppress(NotPossible):
            _read(tree_of(sql, dialect), asked)
    return asked


def _read(tree: exp.Expr, asked: _Asked) -> None:
    for literal in tree.find_all(exp.Literal):
        written = _WRITTEN.fullmatch(literal.name) if literal.is_string else None
        if written is not None:
            asked.dated.add((written["year"], int(written["month"])))
    for compared in tree.find_all(exp.EQ, exp.In):
        _read_part(compared, asked)


def _read_part(compared: exp.Expr, asked: _Asked) -> None:
    """Read `EXTRACT(MONTH FROM day) = 3` and the like."""
    values = [compared.expression] if isinstance(compared, exp.EQ) else compared.expressions
    numbers = [int(each.name) for each in values if isinstance(each, exp.Literal) and _is_int(each)]
    what = timed(compared.this)
    if _writes_month(compared.this):
        asked.months.update(numbers)
    elif what is not None and what.of_year and what.grain is not None:
        length = _LENGTHS.get(what.grain, 1)
        asked.months.update(length * (number - 1) + 1 for number in numbers)
    elif what is not None and what.grain is Grain.YEAR:
        asked.years.update(str(number) for number in numbers)


_LENGTHS = {Grain.MONTH: 1, Grain.QUARTER: 3}


def _is_int(literal: exp.Literal) -> bool:
    return literal.name.isdecimal()


def _writes_month(node: exp.Expr) -> bool:
    """Say whether the number of the month is written out of a date: `STRFTIME('%m', day)`."""
    if isinstance(node, exp.Cast | exp.Paren):
        return _writes_month(node.this)
    forms = {each.name for each in node.find_all(exp.Literal)}
    return bool(called(node)) and bool(forms & _MONTH_FORMS) and node.find(exp.Column) is not None
