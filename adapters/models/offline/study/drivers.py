"""Why a figure changed: by which groups of each kind it rose or fell the most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.growth import compared_periods
from adapters.models.offline.form.interpret import understand_sketch
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.sketch.sketch import Aggregate, Field, Measure
from adapters.models.offline.study.figures import Figure, figure_of, mention_of
from adapters.models.offline.talk.findings import figure as written
from adapters.models.offline.talk.findings import shown
from adapters.models.offline.talk.situation import ToolAnswer
from adapters.models.offline.world.roles import name_columns
from adapters.models.offline.world.schema import Column, Table

MOST_KINDS = 6
_MOST_TOLD = 3
_FEWEST_VALUES, _MOST_VALUES = 2, 15
_FARTHEST = 3.5
_CONTACTS = frozenset({"email", "phone", "address", "url", "description", "comment", "note"})


@dataclass(frozen=True, slots=True)
class Split:
    """A statement that gives a figure before, now and the change, by groups of a kind or in all."""

    kind: str
    sql: str


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A figure in two periods next to each other."""

    figure: Figure
    before: Period
    now: Period

    @property
    def title(self) -> str:
        return f"{self.figure.words}, {said(self.before)} to {said(self.now)}"


def change_of(words: str, tail: str, world: World) -> Change:
    """Read what changed, and when.

    Raises:
        NotUnderstood: there is no such figure, or it does not add up over groups.
    """
    return change_in(figure_of(words, tail, world), world)


def change_in(figure: Figure, world: World) -> Change:
    """Set the period of a figure beside the one before.

    Raises:
        NotUnderstood: it does not add up over groups.
    """
    if not figure.adds_up:
        raise NotUnderstood(
            f"{figure.words!r} does not add up over groups, so I cannot say what made it change:"
            " ask for a sum or a count."
        )
    before, now = compared_periods(figure.sketch.conditions, world.today)
    return Change(figure, before, now)


def whole(change: Change, world: World) -> Split:
    return Split("", _sql(change, None, world))


def splits(change: Change, world: World) -> tuple[Split, ...]:
    """Return the change by each of the kinds that the rows of a figure can be told apart by."""
    kinds = list(_kinds(change.figure.table, world))[:MOST_KINDS]
    return tuple(Split(_called(kind, world), _sql(change, kind, world)) for kind in kinds)


def _sql(change: Change, kind: Column | None, world: World) -> str:
    sketch = change.figure.sketch.copied()
    term = change.figure.term
    if isinstance(term, Field):
        term = Measure(Aggregate.SUM, term.mention)
    sketch.items, sketch.growth = [term], "min"
    sketch.groups = [Field(mention_of(kind, world))] if kind is not None else []
    sketch.order, sketch.limit = [], None
    way = understand_sketch(sketch, world).best
    if way is None:
        raise NotUnderstood(f"I cannot compare {change.figure.words} by periods.")
    return way.sql


def _kinds(table: Table, world: World) -> Iterator[Column]:
    """Return columns of few values of the table and of those its rows belong to, names first."""
    reached: list[tuple[float, Table]] = []
    for other in world.schema.tables:
        way = world.joins.path([table.name], other.name)
        if way is not None and all(join.to_one for join in way):
            reached.append((sum(join.cost for join in way), other))
    near = [other for cost, other in sorted(reached, key=lambda e: e[0]) if cost <= _FARTHEST]
    for names in (True, False):
        for other in near:
            for column in other.columns:
                if (column in name_columns(other)) == names and _is_kind(column):
                    yield column


def _is_kind(column: Column) -> bool:
    few = _FEWEST_VALUES <= len(column.values) <= _MOST_VALUES
    return few and column.is_text and not column.is_key and not _CONTACTS & set(column.words)


def _called(column: Column, world: World) -> str:
    table = world.schema.by_name[column.table]
    return table.label if column in name_columns(table) else column.label


def said(period: Period) -> str:
    """Write a period as a person would."""
    if period.start is None:
        return period.text
    if period.grain.value == "month":
        return f"{period.start:%B %Y}"
    if period.grain.value == "quarter":
        return f"Q{(period.start.month + 2) // 3} {period.start.year}"
    return period.text or period.start.isoformat()


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    name: str
    before: float
    change: float


def told_change(change: Change, answer: ToolAnswer, *, falls: bool | None) -> str:
    """Say by how much it changed, and where it went the other way than was asked."""
    row = answer.rows[0] if answer.rows else ()
    if len(row) < 3 or not all(isinstance(cell, int | float) for cell in row[-3:]):
        return f"There is no {change.figure.words} in {said(change.before)} or {said(change.now)}."
    before, now, difference = (float(str(cell)) for cell in row[-3:])
    way = "fell" if difference < 0 else "rose" if difference > 0 else "stayed"
    name = change.figure.words[:1].upper() + change.figure.words[1:]
    text = (
        f"{name} {way} from {written(before)} in {said(change.before)} to {written(now)} in"
        f" {said(change.now)}"
    )
    text += f", a change of {written(difference)}" if difference else ""
    text += f" ({100 * difference / before:.1f}%)." if before and difference else "."
    wrong = falls is not None and difference != 0 and falls != (difference < 0)
    return (
        f"It did not {'fall' if falls else 'rise'}: {text[:1].lower()}{text[1:]}" if wrong else text
    )


def told_drivers(found: Sequence[tuple[Split, ToolAnswer]], *, falls: bool | None) -> str:
    """Name the group of each kind whose part of the change is farthest over its part before.

    Where it all went the other way than was asked, name those that did go as asked.
    """
    kinds = [list(_groups(split, answer)) for split, answer in found]
    kinds = [groups for groups in kinds if len(groups) >= _FEWEST_VALUES]
    total = sum(group.change for group in kinds[0]) if kinds else 0.0
    if not total:
        return "No kind of group explains the change."
    if falls is not None and falls != (total < 0):
        return _against(kinds, falls=falls)
    best = sorted((_standing_out(groups) for groups in kinds), key=lambda each: -each[0])
    parts = [
        f"by {top.kind}, {top.name} ({written(top.change)} of {written(total)})"
        for _, top in best[:_MOST_TOLD]
    ]
    return f"More than their usual share of it have, {'; '.join(parts)}."


def _standing_out(groups: Sequence[_Group]) -> tuple[float, _Group]:
    total = sum(group.change for group in groups)
    before = sum(group.before for group in groups)

    def weight(group: _Group) -> float:
        usual = group.before / before if before else 0.0
        return (group.change / total if total else 0.0) - usual

    top = max(groups, key=weight)
    return weight(top), top


def _against(kinds: Sequence[Sequence[_Group]], *, falls: bool) -> str:
    sign = -1 if falls else 1
    tops = [max(groups, key=lambda group: sign * group.change) for groups in kinds]
    tops = sorted((top for top in tops if sign * top.change > 0), key=lambda t: -sign * t.change)
    word = "fell" if falls else "rose"
    if not tops:
        return f"No single group {word} either."
    parts = [f"by {top.kind}, {top.name} ({written(top.change)})" for top in tops[:_MOST_TOLD]]
    return f"Against that, these {word}: {'; '.join(parts)}."


def _groups(split: Split, answer: ToolAnswer) -> Iterator[_Group]:
    for row in answer.rows:
        if len(row) < 4 or not all(isinstance(cell, int | float) for cell in row[-3:]):
            continue
        before, _, change = (float(str(cell)) for cell in row[-3:])
        yield _Group(split.kind, shown(row[0]), before, change)
