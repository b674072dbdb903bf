"""Reads parts of a whole: `ratio of A to B`, `percentage of A that are B`, `share by region`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.cursor import Cursor
from adapters.models.offline.sketch.rates import read_rate
from adapters.models.offline.sketch.reader import Reader, Zone, is_participle
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Condition,
    Dated,
    Field,
    Measure,
    Mention,
    Ratio,
    Related,
    Sketch,
)

ReadRest = Callable[[Reader], Sketch]


def read_ratio(r: Reader, read_rest: ReadRest) -> bool:
    return (
        _of_growth(r)
        or _ratio(r, read_rest)
        or _percentage(r, read_rest)
        or read_rate(r, read_rest)
    )


def _of_growth(r: Reader) -> bool:
    """Read `by how many percent did revenue grow`: the change is a part of what was before."""
    at = r.cursor.at
    r.cursor.accept(Role.BY)
    r.cursor.accept(Role.COUNT, Role.WHICH, Role.HOW_MUCH)
    percent = r.cursor.accept(Role.PERCENT)
    rest = r.cursor.chunks[r.cursor.at :]
    grows = next((k for chunk in rest if (k := chunk.role(Role.GROW)) is not None), None)
    if percent is None or grows is None:
        r.cursor.at = at
        return False
    r.cursor.skip(Role.OF, Role.DO)
    r.sketch.growth, r.sketch.percent_growth = "min" if grows.argument == "min" else "max", True
    r.zone = Zone.SELECT
    return True


def _ratio(r: Reader, read_rest: ReadRest) -> bool:
    """Read `ratio of A to B`; what only B says in the end is true of both."""
    if not (r.cursor.role(Role.RATIO) or r.cursor.role(Role.PERCENT)):
        return False
    percent = r.cursor.role(Role.PERCENT)
    rest = r.cursor.chunks[r.cursor.at + 1 :]
    split = _split_at(rest, by_to=percent is None)
    if split is None:
        return False
    top, bottom = _read(r, rest[:split], read_rest), _read(r, rest[split + 1 :], read_rest)
    top_figure, bottom_figure = _figure(top), _figure(bottom)
    if top_figure is None and bottom_figure is not None and top.conditions:
        # "Returned to delivered orders": what is counted stands behind the second part.
        top_figure = bottom_figure
    if top_figure is None:
        return False
    if percent is not None and bottom_figure is not None and _adds_up(bottom_figure):
        # "Fines as a share of revenue": money of money, and no number of it.
        top_figure = replace(top_figure, aggregate=Aggregate.SUM)
    whole = any(_is_whole(chunk) for chunk in rest[split:])
    only_top, only_bottom, shared = _contrast(top.conditions, bottom.conditions, whole=whole)
    bottom_figure = bottom_figure or Measure(top_figure.aggregate, top_figure.mention)
    _adopt(r, top, bottom, shared)
    r.show(
        Ratio(
            top=_with(top_figure, only_top),
            bottom=_with(bottom_figure, only_bottom),
            percent=percent is not None and percent.argument == "percent",
            of_all_groups=bool(top.groups) and not bottom.groups,
        )
    )
    r.cursor.at = len(r.cursor.chunks)
    return True


def _adds_up(figure: Measure) -> bool:
    return figure.aggregate is Aggregate.SUM


def _is_whole(chunk: Chunk) -> bool:
    return bool(chunk.role(Role.ALL)) or bool({"all", "total"} & set(chunk.text.lower().split()))


def _split_at(chunks: Sequence[Chunk], *, by_to: bool) -> int | None:
    for at, chunk in enumerate(chunks):
        if by_to and at and chunk.text.lower() == "per":
            return at
        if chunk.role(Role.OUT_OF) or (by_to and (chunk.role(Role.TO) or chunk.role(Role.BETWEEN))):
            return at
    if not by_to:
        return None
    return next((at for at, chunk in enumerate(chunks) if chunk.role(Role.AND)), None)


def _read(r: Reader, chunks: Sequence[Chunk], read_rest: ReadRest) -> Sketch:
    inner = Reader(Cursor(chunks), Sketch(), r.lexicon)
    return read_rest(inner)


def _figure(sketch: Sketch) -> Measure | None:
    """Return what is counted or added up on one side; a table alone is counted."""
    for item in sketch.items:
        if isinstance(item, Measure):
            return item
        if isinstance(item, Field):
            numbers = [m for m in item.mention.meanings if m.column and m.column.is_measure]
            figure = bool(numbers) and item.mention.table_score < item.mention.column_score
            return Measure(Aggregate.SUM if figure else Aggregate.COUNT, item.mention)
    if sketch.subject is not None:
        return Measure(Aggregate.COUNT, sketch.subject)
    return None


def _contrast(
    top: Sequence[Condition], bottom: Sequence[Condition], *, whole: bool
) -> tuple[list[Condition], list[Condition], list[Condition]]:
    """Part conditions into those of the one side, of the other, and of both."""
    top, bottom = _telling(top), _telling(bottom)
    if whole:
        return top, [], bottom
    size = min(len(top), len(bottom))
    extra = len(top) - size
    return top[extra:], bottom[:size], [*top[:extra], *bottom[size:]]


def _telling(conditions: Sequence[Condition]) -> list[Condition]:
    """Leave out those that only say that a table's rows are there."""
    return [c for c in conditions if not (isinstance(c, Related) and not (c.op or c.negated))]


def _with(measure: Measure, only: Sequence[Condition]) -> Measure:
    return Measure(measure.aggregate, measure.mention, distinct=measure.distinct, only=tuple(only))


def _adopt(r: Reader, top: Sketch, bottom: Sketch, shared: Sequence[Condition]) -> None:
    sketch = r.sketch
    sketch.conditions.extend(shared)
    sketch.groups.extend((*top.groups, *bottom.groups)[:2])
    sketch.subject = sketch.subject or top.subject or bottom.subject
    sketch.unexplained.extend((*top.unexplained, *bottom.unexplained))


def _percentage(r: Reader, read_rest: ReadRest) -> bool:
    """Read `percentage of A that are B`: what follows the noun tells the part from the whole."""
    keyword = r.cursor.role(Role.PERCENT)
    if keyword is None or keyword.argument == "" or r.cursor.peek(1) is None:
        return False
    rest = r.cursor.chunks[r.cursor.at + 1 :]
    inner = Reader(Cursor(rest), Sketch(), r.lexicon)
    split = next((at for at, c in enumerate(rest) if at and _tells(c)), len(rest))
    split = _main_verb(rest, split) or split
    inner.cursor = Cursor(rest[:split])
    read_rest(inner)
    before = len(inner.sketch.conditions)
    inner.cursor = Cursor(rest[split:])
    read_rest(inner)
    figure = _figure(inner.sketch)
    if figure is None:
        return False
    conditions = inner.sketch.conditions
    part, whole = conditions[before:], conditions[:before]
    belonging = [] if _telling(part) else _belonging(part, figure)
    when = all(isinstance(each, Dated) for each in _telling(whole))
    if not _telling(part) and not (inner.sketch.groups and when):
        # "Share of orders by region in 2025" is of all orders of that year.
        part, whole = whole, part
    part, whole = _period_of_all(part, whole)
    told = _telling(part) or belonging
    grouped = bool(inner.sketch.groups) and not told
    if not grouped and not told:
        return False
    _adopt(r, inner.sketch, Sketch(), _telling(whole))
    r.show(
        Ratio(
            top=_with(figure, told),
            bottom=_with(figure, ()),
            percent=keyword.argument == "percent",
            of_all_groups=grouped,
        )
    )
    r.cursor.at = len(r.cursor.chunks)
    return True


def _belonging(part: Sequence[Condition], figure: Measure) -> list[Condition]:
    """Return `that were refunded`, `that have a ticket`: rows of another table belong to them."""
    own = _tables(figure.mention)
    return [c for c in part if isinstance(c, Related) and not own & _tables(c.mention)]


def _tables(mention: Mention | None) -> set[str]:
    meanings = list(mention.meanings) if mention is not None else []
    return {m.table.name for m in meanings if m.score == meanings[0].score}


def _period_of_all(
    part: Sequence[Condition], whole: Sequence[Condition]
) -> tuple[list[Condition], list[Condition]]:
    """Take the period of `share of tickets that were urgent in 2025` for that of all tickets."""
    when = [c for c in part if isinstance(c, Dated) and not _happens(c)]
    others = [c for c in part if c not in when]
    return (others, [*whole, *when]) if _telling(others) else (list(part), list(whole))


def _happens(condition: Dated) -> bool:
    """Say whether a period is of something that happened then, not of the rows themselves."""
    meanings = condition.mention.meanings if condition.mention is not None else ()
    return any(m.column is None or m.column.is_time for m in meanings)


def _main_verb(chunks: Sequence[Chunk], clause: int) -> int | None:
    """Find `ordered` in `of those who signed up in 2023 ordered in 2025`: the clause is over."""
    if clause >= len(chunks) or not chunks[clause].role(Role.RELATIVE):
        return None
    for at in range(clause + 2, len(chunks)):
        before, chunk = chunks[at - 1], chunks[at]
        ended = before.period is not None or before.number is not None or before.quoted
        verb = is_participle(chunk) or chunk.is_glue or _tells(chunk)
        if ended and verb and not chunk.role(Role.RELATIVE):
            return at
    return None


def _tells(chunk: Chunk) -> bool:
    return any(chunk.role(role) for role in (Role.RELATIVE, Role.BE, Role.HAVE)) or (
        chunk.text.lower() == "with"
    )
