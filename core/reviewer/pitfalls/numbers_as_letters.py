"""Numbers kept as text, compared or sorted letter by letter: '9' is more than '10'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark
from core.toolkit.time_columns import is_text

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def numbers_as_letters(ran: Ran) -> Iterator[Remark]:
    """Find ranges, extremes and sorting of text that holds numbers of different lengths."""
    for name in (*_compared(ran), *_extremes(ran), *_sorted_by(ran)):
        yield Remark(
            f"{name} holds numbers as text, so they are compared letter by letter, '9' as more than"
            " '10': cast them to numbers first.",
            for_reader=True,
        )
        return


def _compared(ran: Ran) -> Iterator[str]:
    for node in ran.nodes(exp.GT, exp.GTE, exp.LT, exp.LTE):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(other, exp.Literal) and _NUMBER.fullmatch(other.name):
                stored = ran.stored(one)
                known = stored.column.values if stored is not None else ()
                if _of_several_lengths([*known, other.name]):
                    yield from _text(one, ran, shown=())


def _extremes(ran: Ran) -> Iterator[str]:
    for at, value in _selected(ran):
        if isinstance(value, exp.Min | exp.Max):
            yield from _text(value.this, ran, shown=_cells(ran, at))


def _sorted_by(ran: Ran) -> Iterator[str]:
    order = ran.tree.args.get("order")
    key = order.expressions[0].this.name if order is not None else ""
    for at, value in _selected(ran):
        if key and key in {str(at + 1), ran.table.columns[at].name}:
            cells = _cells(ran, at)
            if _of_several_lengths(cells):
                yield from _text(value, ran, shown=cells)


def _of_several_lengths(written: list[str]) -> bool:
    return len({len(each.partition(".")[0]) for each in written}) > 1


def _selected(ran: Ran) -> Iterator[tuple[int, exp.Expr]]:
    if isinstance(ran.tree, exp.Select):
        for at, projection in enumerate(ran.tree.selects[: len(ran.table.columns)]):
            yield at, projection.unalias()


def _cells(ran: Ran, at: int) -> list[str]:
    return [str(row[at]) for row in ran.table.rows if row[at] is not None]


def _text(value: exp.Expr, ran: Ran, *, shown: list[str] | tuple[str, ...]) -> Iterator[str]:
    """Name a text column, or a number made text, whose values are numbers as far as is known."""
    if isinstance(value, exp.Cast) and value.is_type(*exp.DataType.TEXT_TYPES):
        yield value.sql(dialect=ran.dialect)
        return
    stored = ran.stored(value)
    if stored is None or not is_text(stored.column):
        return
    known = [*stored.column.values, *shown]
    if known and all(_NUMBER.fullmatch(each) for each in known):
        yield stored.column.name
