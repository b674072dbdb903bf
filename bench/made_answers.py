"""Texts as language models write them, right and wrong, about real results.

The rules that trace figures were made beside bench/made_texts.py; these were written apart from
both, with other phrasings, to see how the rules do on what they were not made for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from random import Random

from bench.made_texts import MadeText
from bench.pens import Pen
from core.domain.table import Table, number

Fact = tuple[str, float]
_SMALL = 10  # whole numbers up to here are no claims
_NOTHING = 0.004


@dataclass(frozen=True, slots=True)
class _Told:
    """What a text is about: the labels and values of a result, and how numbers are written."""

    what: str
    facts: Sequence[Fact]
    pen: Pen

    @property
    def total(self) -> float:
        return sum(value for _, value in self.facts)


Write = Callable[[_Told, Fact, Fact, Fact], str]


def make_answers(
    by_label: Sequence[Table], by_month: Sequence[Table], *, seed: int
) -> list[MadeText]:
    """Write each phrasing about each result, once right and once with each mistake it can hold."""
    draw = Random(seed)
    made = [each for table in by_label for each in _of_labels(table, draw)]
    return made + [each for table in by_month for each in _of_months(table, draw)]


# -- by label ------------------------------------------------------------------------------------


def _leads(told: _Told, a: Fact, b: Fact, c: Fact) -> str:
    return (
        f"**{a[0]}** comes out on top with {told.pen.amount(a[1])}, followed by {b[0]}"
        f" ({told.pen.amount(b[1])}) and {c[0]} ({told.pen.amount(c[1])})."
    )


def _bullets(told: _Told, a: Fact, b: Fact, c: Fact) -> str:
    share = told.pen.percent
    lines = (
        f"- **{name}** \u2013 {told.pen.amount(value)} ({share(value / told.total)} of the total)"
        for name, value in (a, b, c)
    )
    return f"Here is how the {told.what} splits:\n\n" + "\n".join(lines)


def _numbered(told: _Told, a: Fact, b: Fact, c: Fact) -> str:
    lines = (
        f"{place}. {name}: {told.pen.amount(value)}"
        for place, (name, value) in enumerate((a, b, c), start=1)
    )
    return "Ranked from highest to lowest:\n" + "\n".join(lines)


def _grid(told: _Told, a: Fact, b: Fact, c: Fact) -> str:
    lines = (f"| {name} | {told.pen.amount(value)} |" for name, value in (a, b, c))
    return f"| | {told.what} |\n| --- | ---: |\n" + "\n".join(lines)


def _roughly(told: _Told, a: Fact, b: Fact, _c: Fact) -> str:
    return (
        f"{a[0]} accounts for {told.pen.about(a[1])}, while {b[0]} stands at"
        f" {told.pen.about(b[1])}."
    )


def _brackets(told: _Told, a: Fact, b: Fact, _c: Fact) -> str:
    return f"The 1st place goes to {a[0]} ({told.pen.amount(a[1])}); the runner-up is {b[0]}."


def _semicolons(told: _Told, a: Fact, b: Fact, c: Fact) -> str:
    parts = (f"{name} = {told.pen.amount(value)}" for name, value in (a, b, c))
    return "In short: " + "; ".join(parts) + "."


_CELLS: tuple[Write, ...] = (
    _leads,
    _bullets,
    _numbered,
    _grid,
    _roughly,
    _brackets,
    _semicolons,
)


def _of_labels(table: Table, draw: Random) -> Iterator[MadeText]:
    facts = [(str(row[0]), number(row[1])) for row in table.rows]
    what = table.columns[1].name.replace("_", " ")
    told = _Told(what, facts, Pen(draw))
    for write in _CELLS:
        a, b, c = sorted(draw.sample(facts, 3), key=lambda fact: -fact[1])
        yield MadeText("right", write(told, a, b, c), table)
        if a[1] > _SMALL:
            bad = (a[0], told.pen.off(a[1]))
            yield MadeText("wrong digit", write(told, bad, b, c), table)
        if write is not _brackets and a[1] > b[1] * 1.03:
            swapped = write(told, (a[0], b[1]), (b[0], a[1]), c)
            yield MadeText("swapped labels", swapped, table)
        unit = write(_Told(what, facts, told.pen.wrong_unit()), a, b, c)
        yield MadeText("wrong unit", unit, table)
    yield from _compared(told, table, draw)


def _compared(told: _Told, table: Table, draw: Random) -> Iterator[MadeText]:
    for one, other in pairwise(told.facts):
        more = (one[1] - other[1]) / other[1]
        write = draw.choice((_beats, _with_more, _outperforms))
        if abs(more) > _NOTHING:
            yield MadeText("right", write(told.pen, one, other, more), table)
        invented = more + draw.choice((0.137, 0.29, 0.61))
        yield MadeText("invented comparison", write(told.pen, one, other, invented), table)
        gap = one[1] - other[1]
        text = f"The gap between {one[0]} and {other[0]} is "
        yield MadeText("right", f"{text}{told.pen.exact(gap)}.", table)
        off = gap * draw.choice((1.23, 1.41, 0.68)) + 13
        yield MadeText("invented comparison", f"{text}{told.pen.exact(off)}.", table)
        yield from _in_words(one[0], other[0], one[1] / other[1], table)
    yield from _of_all(told, table, draw)


def _beats(pen: Pen, one: Fact, other: Fact, by: float) -> str:
    return f"{one[0]} beats {other[0]} by {pen.percent(by)}."


def _with_more(pen: Pen, one: Fact, other: Fact, by: float) -> str:
    return f"With {pen.percent(by)} more than {other[0]}, {one[0]} is clearly ahead."


def _outperforms(pen: Pen, one: Fact, other: Fact, by: float) -> str:
    return (
        f"{one[0]} ({pen.amount(one[1])}) outperforms {other[0]} ({pen.amount(other[1])})"
        f" \u2013 a lead of {pen.percent(by)}."
    )


def _in_words(one: str, other: str, ratio: float, table: Table) -> Iterator[MadeText]:
    for word, low, high in (("twice", 1.93, 2.07), ("three times", 2.9, 3.1)):
        text = f"{one} has about {word} as much as {other}."
        if low <= ratio <= high:
            yield MadeText("right", text, table)
        elif not low * 0.85 <= ratio <= high * 1.15:
            yield MadeText("invented comparison", text, table)


def _of_all(told: _Told, table: Table, draw: Random) -> Iterator[MadeText]:
    (top, most), (bottom, least) = told.facts[0], told.facts[-1]
    pen, n = told.pen, len(told.facts)
    top_share = sum(value for _, value in told.facts[:2]) / told.total
    right = (
        f"Values range between {pen.exact(least)} ({bottom}) and {pen.exact(most)} ({top}).",
        f"The top two together make up {pen.percent(top_share)} of everything.",
        f"Across all {n} of them the average comes to {pen.exact(told.total / n)}.",
        f"Leaving out {top}, what remains is {pen.exact(told.total - most)}.",
        f"Altogether that is {pen.amount(told.total)}; {top} alone contributes"
        f" {pen.percent(most / told.total)}.",
        f"I looked at the last 12 months and found five things to know; {top} has"
        f" {pen.amount(most)}.",
    )
    yield from (MadeText("right", text, table) for text in right)
    yield MadeText("wrong digit", f"Altogether that is {pen.exact(pen.off(told.total))}.", table)
    wrong_share = top_share + draw.choice((-0.083, 0.047, -0.19))
    text = f"The top two together make up {pen.percent(wrong_share)} of everything."
    yield MadeText("invented comparison", text, table)
    share = most / told.total
    for words, value in (("a third", 1 / 3), ("half", 0.5), ("a quarter", 0.25)):
        text = f"{top} is responsible for about {words} of the total."
        if abs(share - value) < 0.025:
            yield MadeText("right", text, table)
        elif abs(share - value) > 0.1:
            yield MadeText("invented comparison", text, table)


# -- by month ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """Two months as a text calls them, how the second is written to differ, and its pen."""

    what: str
    one: str
    two: str
    change: float
    pen: Pen

    @property
    def went(self) -> str:
        return "up" if self.change > 0 else "down"

    def from_to(self, a: float, b: float) -> str:
        moved = "climbed" if self.change > 0 else "slipped"
        return (
            f"{self.what.capitalize()} {moved} from {self.pen.amount(a)} in {self.one} to"
            f" {self.pen.amount(b)} in {self.two}."
        )

    def lines(self, a: float, b: float) -> str:
        return f"{self.one}: {self.pen.amount(a)}\n{self.two}: {self.pen.amount(b)}"

    def bullet(self, a: float, b: float) -> str:
        return (
            f"- {self.two} ({self.pen.amount(b)}), {self.went}"
            f" {self.pen.percent(abs(self.change))} from {self.pen.amount(a)} in {self.one}"
        )

    def alone(self, _: float, b: float) -> str:
        return f"For {self.two} the figure is {self.pen.amount(b)}."

    def on(self, by: float) -> str:
        return f"That is {self.went} {self.pen.percent(abs(by))} on {self.one}, as of {self.two}."

    def versus(self, by: float) -> str:
        return f"{self.two} vs {self.one}: {self.pen.signed(by)}."

    def changed(self, by: float) -> str:
        return f"Month over month, {self.two} changed by {self.pen.signed(by)}."


def _of_months(table: Table, draw: Random) -> Iterator[MadeText]:
    facts = [(row[0], number(row[1])) for row in table.rows if isinstance(row[0], date)]
    what = table.columns[1].name.replace("_", " ")
    pen = Pen(draw)
    for (before, a), (month, b) in pairwise(facts):
        _, other = draw.choice([each for each in facts if each[0] not in (before, month)])
        move = _Move(
            what=what,
            one=_named(before, draw),
            two=_named(month, draw),
            change=(b - a) / a,
            pen=pen,
        )
        write = draw.choice((move.from_to, move.lines, move.bullet, move.alone))
        yield MadeText("right", write(a, b), table)
        if b > _SMALL:
            yield MadeText("wrong digit", write(a, pen.off(b)), table)
        yield MadeText("wrong period", write(a, other), table)
        turned = draw.choice((move.from_to, move.lines, move.bullet))
        yield MadeText("wrong period", turned(b, a), table)
        yield from _changes(move, table, draw)
    yield from _of_quarters(facts, what, pen, table)


def _changes(move: _Move, table: Table, draw: Random) -> Iterator[MadeText]:
    write = draw.choice((move.on, move.versus, move.changed))
    if abs(move.change) > _NOTHING:
        yield MadeText("right", write(move.change), table)
    further = (1 if move.change > 0 else -1) * draw.choice((0.113, 0.237, 0.41))
    yield MadeText("invented comparison", write(move.change + further), table)
    words = f"It doubled between {move.one} and {move.two}."
    if 0.95 <= move.change <= 1.05:
        yield MadeText("right", words, table)
    elif not 0.7 <= move.change <= 1.5:
        yield MadeText("invented comparison", words, table)


def _of_quarters(
    facts: Sequence[tuple[date, float]], what: str, pen: Pen, table: Table
) -> Iterator[MadeText]:
    if what == "order value":
        return  # means do not add up
    by_quarter: dict[str, float] = {}
    for month, value in facts:
        quarter = f"Q{(month.month + 2) // 3} {month.year}"
        by_quarter[quarter] = by_quarter.get(quarter, 0.0) + value
    for (one, a), (other, b) in pairwise(by_quarter.items()):
        yield MadeText("right", f"{one} closed at {pen.exact(a)} in {what}.", table)
        text = f"Between {one} and {other} it went from {pen.amount(a)} to {pen.amount(b)}."
        yield MadeText("right", text, table)
        yield MadeText("wrong period", f"{other} closed at {pen.exact(a)} in {what}.", table)


def _named(month: date, draw: Random) -> str:
    forms = ("%B %Y", "%b %Y", "%Y-%m", "%b '%y", "%B of %Y")
    return month.strftime(draw.choice(forms))
