"""Dates kept as text in a form that does not sort, compared or sorted letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.data_end import DAY_FIRST
from core.reviewer.ran import Ran, Stored, called
from core.reviewer.remark import Remark
from core.toolkit.time_columns import is_text

_PART_OF_DAY_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{0,2}")
_ISO = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[ T].*)?")
_FIRST_LETTERS = ("substr", "substring", "left")
_LEAST = 2  # values that make a form


def dates_as_letters(ran: Ran) -> Iterator[Remark]:
    """Find ranges, extremes and sorting of text such as 31/12/2025."""
    for tested in (*_compared(ran), *_extremes(ran), *_sorted_by(ran)):
        yield Remark(
            f"{tested} holds dates as text that begins with the day or the month, so they are"
            " compared letter by letter: make dates of them first.",
            for_reader=True,
        )
        return
    for name in _cut(ran):
        yield Remark(
            f"{name} holds dates as text that begins with the day, so its first letters name no"
            " month: take the year and the month out of the middle.",
            for_reader=True,
        )


def _cut(ran: Ran) -> Iterator[str]:
    """Name a text column of which the result shows the first letters: 01/02/2."""
    for at, projection in enumerate(ran.tree.selects if isinstance(ran.tree, exp.Select) else ()):
        value = projection.unalias()
        if called(value) in _FIRST_LETTERS and at < len(ran.table.columns):
            texts = [str(row[at]) for row in ran.table.rows if row[at] is not None]
            column = value.find(exp.Column)
            stored = ran.stored(column) if column is not None else None
            is_cut = len(texts) >= _LEAST and all(map(_PART_OF_DAY_FIRST.fullmatch, texts))
            if is_cut and stored is not None and is_text(stored.column):
                yield stored.column.name


def _compared(ran: Ran) -> Iterator[str]:
    for node in ran.nodes(exp.GT, exp.GTE, exp.LT, exp.LTE):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            yield from _odd(one, [other], ran)
    for node in ran.nodes(exp.Between):
        yield from _odd(node.this, [node.args["low"], node.args["high"]], ran)


def _odd(tested: exp.Expr, ends: list[exp.Expr], ran: Ran) -> Iterator[str]:
    written = [each.name for each in ends if isinstance(each, exp.Literal) and each.is_string]
    is_odd = any(DAY_FIRST.fullmatch(each) for each in written)
    if not is_odd and not any(_ISO.fullmatch(each) for each in written):
        return
    stored = ran.stored(tested)
    if stored and is_text(stored.column) and (is_odd or _sorts_badly(stored.column.values)):
        yield stored.column.name


def _extremes(ran: Ran) -> Iterator[str]:
    if isinstance(ran.tree, exp.Select):
        for at, projection in enumerate(ran.tree.selects):
            value = projection.unalias()
            if isinstance(value, exp.Min | exp.Max):
                yield from _shown(value.this, at, ran, least=1)


def _sorted_by(ran: Ran) -> Iterator[str]:
    order = ran.tree.args.get("order")
    if order is None or not isinstance(ran.tree, exp.Select):
        return
    key = order.expressions[0].this
    for at, projection in enumerate(ran.tree.selects):
        if key.name in {projection.alias_or_name, str(at + 1)}:
            yield from _shown(projection.unalias(), at, ran, least=_LEAST)


def _shown(value: exp.Expr, at: int, ran: Ran, *, least: int) -> Iterator[str]:
    """Name a stored text column whose values, as the result shows them, do not sort as dates."""
    if at >= len(ran.table.columns):
        return
    texts = [row[at] for row in ran.table.rows if row[at] is not None]
    if len(texts) < least or not _sorts_badly([each for each in texts if isinstance(each, str)]):
        return
    stored = ran.stored(value)
    if isinstance(stored, Stored) and is_text(stored.column):
        yield stored.column.name


def _sorts_badly(values: tuple[str, ...] | list[str]) -> bool:
    return bool(values) and all(DAY_FIRST.fullmatch(each) for each in values)
