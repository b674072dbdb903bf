"""Right and wrong texts about real results, for measuring how figures are traced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from random import Random

from core.domain.table import Cell, Table, number

KINDS = ("wrong digit", "wrong unit", "wrong period", "swapped labels", "invented comparison")


@dataclass(frozen=True, slots=True)
class MadeText:
    """`kind` is "right" or what is wrong."""

    kind: str
    text: str
    table: Table


def make_texts(
    by_label: Sequence[Table], by_month: Sequence[Table], *, seed: int = 5
) -> list[MadeText]:
    """Write texts about tables of a label, or the first day of a month, and one measure."""
    draw = Random(seed)
    made = [each for table in by_label for each in _of_labels(table, draw)]
    return made + [each for table in by_month for each in _of_months(table, draw)]


def _of_labels(table: Table, draw: Random) -> Iterator[MadeText]:
    what = table.columns[1].name.replace("_", " ")
    rows = [(str(row[0]), number(row[1])) for row in table.rows]
    total = sum(value for _, value in rows)
    for (one, a), (other, b) in pairwise(rows):
        right = (
            f"{one} has {_n(a)} in {what}.",
            f"{one} made {_n(a)}, {other} made {_n(b)}.",
            f"{_n(a)} came from {one} and {_n(b)} from {other}.",
            f"{one} accounts for {a / total:.1%} of {what}.",
            f"{one} is {_n(abs(a - b))} away from {other}.",
            f"Together, {one} and {other} come to {_n(a + b)} of {_n(total)} in all.",
            f"- {one}: {_n(a)}\n- {other}: {_n(b)}",
            f"{one} and {other} have {_n(a)} and {_n(b)}.",
            f"{one} stands against the {_n(b)} of {other}.",
        )
        yield from (MadeText("right", text, table) for text in right)
        for text in (f"{one} has {_off(a, draw)} in {what}.", f"In all, {_off(total, draw)}."):
            yield MadeText("wrong digit", text, table)
        yield MadeText("wrong unit", f"{one} made {a:,.1f} million.", table)
        yield MadeText("wrong unit", f"{one} made {_n(a)} % of {what}.", table)
        invented = (a - b) / b + draw.choice((0.234, -0.187, 1.618)) if b else 3.7
        yield MadeText("invented comparison", f"{one} is {invented:.1%} above {other}.", table)
        gap = abs(a - b) * draw.choice((1.31, 0.77)) + 17
        yield MadeText("invented comparison", f"{one} is {_n(gap)} ahead of {other}.", table)
        if a != b:
            text = f"{one} made {_n(b)}, {other} made {_n(a)}."
            yield MadeText("swapped labels", text, table)
            yield MadeText("swapped labels", f"- {one}: {_n(b)}\n- {other}: {_n(a)}", table)


def _of_months(table: Table, draw: Random) -> Iterator[MadeText]:
    what = table.columns[1].name.replace("_", " ")
    rows = [(_month(row[0]), number(row[1])) for row in table.rows]
    for (before, a), (month, b) in pairwise(rows):
        change = (b - a) / a
        right = (
            f"In {month}, {what} was {_n(b)}.",
            f"{month} brought {_n(b)}, a change of {change:+.1%} on the month before.",
            f"It went from {_n(a)} in {before} to {_n(b)} in {month}.",
            f"Compared with {before}, {month} was {change:+.1%}.",
        )
        yield from (MadeText("right", text, table) for text in right)
        yield MadeText("wrong digit", f"In {month}, {what} was {_off(b, draw)}.", table)
        wrong = change + draw.choice((0.137, -0.211))
        yield MadeText("invented comparison", f"{month} was {wrong:+.1%} on {before}.", table)
        if a != b:
            yield MadeText("wrong period", f"In {month}, {what} was {_n(a)}.", table)
            text = f"It went from {_n(b)} in {before} to {_n(a)} in {month}."
            yield MadeText("wrong period", text, table)


def _n(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _off(value: float, draw: Random) -> str:
    """Write a number with one of its first three digits changed."""
    written = _n(value)
    places = [at for at, sign in enumerate(written) if sign.isdigit()][:3]
    at = draw.choice(places)
    digit = draw.choice([each for each in "123456789" if each != written[at]])
    return written[:at] + digit + written[at + 1 :]


def _month(cell: Cell) -> str:
    return f"{cell:%B %Y}" if isinstance(cell, date) else str(cell)
