"""By what things are ranked when a question does not say: `top 5 products`."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.models.offline.form.resolve import Reading
from adapters.models.offline.form.world import World
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Field,
    Measure,
    Mention,
    OrderKey,
    Sketch,
)
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import count_column, is_mean, money_columns, money_rank
from adapters.models.offline.world.schema import Column, Table
from core.domain.definitions import told

MOST_CHOICES = 4
DEFAULT_LIMIT = 10
_FARTHEST = 2.7
_A_TABLE = 2  # ranks of words for money


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A figure to rank by, in words, and the sketch that ranks by it."""

    words: str
    sketch: Sketch


def needs_ranking(sketch: Sketch) -> bool:
    """Say whether the first of a ranking are wanted, and nothing says by what."""
    figures = any(isinstance(item, Measure) for item in sketch.items)
    return bool(sketch.ranking) and not sketch.order and not figures


def choices(sketch: Sketch, reading: Reading, world: World) -> tuple[Choice, ...]:
    """Return figures by which the rows can be ranked, the likeliest first."""
    table = _ranked_table(sketch, reading)
    if table is None:
        return ()
    usual = world.defined.ranking(table)
    if usual is not None:
        metric, meaning = usual
        figure = Measure(Aggregate.SUM, Mention(metric.name, 0, (meaning,)))
        return (_choice(sketch, f"{metric.name}. {told(metric)}", figure),)
    found = [*_worths(table, world), *_amounts(table, world), *_counts(table, world)]
    return tuple(_choice(sketch, words, term) for words, term in found[:MOST_CHOICES])


def _ranked_table(sketch: Sketch, reading: Reading) -> Table | None:
    words = [item.mention for item in sketch.items if isinstance(item, Field)]
    option = reading.option(words[0] if words else sketch.subject)
    return option.table if option is not None else None


def _near(table: Table, world: World) -> list[Table]:
    """Return the table itself and those whose rows belong to its rows, the nearest first."""
    reached = [
        (distance, other.name, other)
        for other in world.schema.tables
        for distance in (world.joins.distance([table.name], other.name),)
        if distance is not None and distance <= _FARTHEST and not _is_parent(table, other, world)
    ]
    return [other for _, _, other in sorted(reached, key=lambda each: each[:2])]


def _is_parent(table: Table, other: Table, world: World) -> bool:
    way = world.joins.path([table.name], other.name)
    return bool(way) and all(join.to_one for join in way)


def _worths(table: Table, world: World) -> list[tuple[str, Measure]]:
    """Return the sum of money that is rather meant; the price of a thing itself adds up to nothing.

    A plain word for it outweighs a table between, so revenue of order lines is before a fee.
    """
    columns = [
        (money_rank(column) or 0, at, column)
        for at, other in enumerate(_near(table, world))
        for column in money_columns(other)[:1]
        if other is not table or column.words[-1] not in {"price", "cost", "rate"}
    ]
    ranked = sorted(columns, key=lambda each: each[0] + _A_TABLE * each[1])
    return [(_sum_of(c), _sum(c, world)) for _, _, c in ranked[:1]]


def _sum_of(column: Column) -> str:
    total = "" if "total" in column.words else "total "
    return f"{total}{column.label} ({column.table})"


def _amounts(table: Table, world: World) -> list[tuple[str, Measure]]:
    columns = [
        column
        for other in _near(table, world)
        for column in other.columns
        if column.is_measure
        and {"quantity", "unit"} & set(column.words)
        and money_rank(column) is None
        and not is_mean(column)
    ]
    return [(f"total {c.label} ({c.table})", _sum(c, world)) for c in columns[:1]]


def _counts(table: Table, world: World) -> list[tuple[str, Measure]]:
    others = [o for o in _near(table, world) if o is not table and count_column(o) is None]
    return [(f"number of {o.rows}", _count(o)) for o in others[:1]]


def _sum(column: Column, world: World) -> Measure:
    table = world.schema.by_name[column.table]
    meaning = Meaning(table, column, 1.0)
    return Measure(Aggregate.SUM, Mention(column.label, 0, (meaning,)))


def _count(table: Table) -> Measure:
    return Measure(Aggregate.COUNT, Mention(table.label, 0, (Meaning(table, None, 1.0),)))


def _choice(sketch: Sketch, words: str, term: Measure) -> Choice:
    other = sketch.copied()
    other.order = [OrderKey(term, sketch.ranking != "asc")]
    other.limit = sketch.limit or DEFAULT_LIMIT
    return Choice(words, other)
