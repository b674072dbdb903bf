"""One figure of each customer, product or month: half of what a correlation compares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.interpret import (
    SURE_ENOUGH,
    Interpretation,
    sketch_of,
    understand_sketch,
)
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Bucket,
    Dated,
    Field,
    Measure,
    Mention,
    Ratio,
    Sketch,
    Term,
)
from adapters.models.offline.study.phrases import counted
from adapters.models.offline.talk.wording import filters_of
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import is_averaged
from adapters.models.offline.world.schema import Column, Table

_NAMED = 0.9
_ADDED = frozenset({Aggregate.COUNT, Aggregate.SUM})


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure as it was read. `table` holds its rows; `column` is None where rows are counted.

    `adds_up` figures are 0 where there are no rows; of others nothing is known there.
    """

    words: str
    term: Term
    sketch: Sketch
    table: Table
    column: Column | None
    way: Interpretation

    @property
    def adds_up(self) -> bool:
        if isinstance(self.term, Field):
            return self.column is not None and not is_averaged(self.column, self.words)
        return isinstance(self.term, Measure) and self.term.aggregate in _ADDED

    @property
    def is_plain(self) -> bool:
        """Say whether a column was named and nothing that makes one figure of many rows."""
        return isinstance(self.term, Field)

    @property
    def name(self) -> str:
        """Return a name for its column that every database takes unquoted."""
        name = re.sub(r"[^a-z0-9]+", "_", self.words.lower()).strip("_")[:40] or "figure"
        odd = name in words_in("reserved") or not name[0].isalpha()
        return f"n_{name}" if odd else name

    @property
    def period(self) -> Period | None:
        """Return the period that was named.

        Raises:
            NotUnderstood: it is none with a beginning and an end.
        """
        return period_of([c for c in self.sketch.conditions if isinstance(c, Dated)])

    @property
    def filters(self) -> tuple[str, ...]:
        return filters_of(self.way)


def period_of(dated: Sequence[Dated]) -> Period | None:
    """Return the one period that conditions leave, such as the months from one to another.

    Raises:
        NotUnderstood: there are several, or it is open at one side.
    """
    if not dated:
        return None
    [first, *others] = dated
    if others or first.relation not in ("in", "between") or first.period.recurring:
        raise NotUnderstood("I can tell who left in one period with a beginning and an end only.")
    last = first.until
    if last is None:
        return first.period
    return replace(first.period, text=f"{first.period.text} to {last.text}", end=last.end)


def figure_of(words: str, tail: str, world: World) -> Figure:
    """Read a figure with the period and the filters behind it.

    Raises:
        NotUnderstood: the words name none; the message says so to the reader.
    """
    text = words if _is_a_column(words, world) else counted(words)
    # "List price" alone would be read as a wish to list.
    sketch = sketch_of(f"what is the {text} {tail}".strip(), world)
    return figure_in(words, sketch, world)


def figure_in(words: str, sketch: Sketch, world: World) -> Figure:
    """Return the figure that a question was about.

    Raises:
        NotUnderstood: it was about none.
    """
    way = understand_sketch(sketch, world).best
    terms = [item for item in sketch.items if isinstance(item, Measure | Field | Ratio)]
    if way is None or way.confidence < SURE_ENOUGH or not terms:
        raise NotUnderstood(f"I found nothing here for {words!r}.")
    term = terms[0]
    option = way.reading.option(_mention_of(term))
    if option is None:
        raise NotUnderstood(f"I found nothing here for {words!r}.")
    column = option.column
    if isinstance(term, Field) and (column is None or not column.is_measure):
        term, column = Measure(Aggregate.COUNT, term.mention), None
    return Figure(words, term, sketch, option.table, column, way)


def overall(figure: Figure, world: World) -> Interpretation:
    """Return the statement that gives the figure over all its rows.

    Raises:
        NotUnderstood: it makes none.
    """
    sketch = figure.sketch.copied()
    sketch.items = [_summed(figure)]
    way = understand_sketch(sketch, world).best
    if way is None:
        raise NotUnderstood(f"I cannot reckon {figure.words!r}.")
    return way


def _is_a_column(words: str, world: World) -> bool:
    found = sketch_of(f"what is the {words}", world).items
    return any(
        isinstance(item, Field)
        and any(m.column is not None and m.score >= _NAMED for m in item.mention.meanings)
        for item in found
    )


def _mention_of(term: Measure | Field | Ratio) -> Mention | None:
    match term:
        case Ratio(bottom=bottom):
            return bottom.mention
        case _:
            return term.mention


def for_each(figure: Figure, by: Column | Bucket, world: World) -> exp.Query:
    """Return a query of two columns: what tells the rows apart, and the figure.

    Raises:
        NotUnderstood: the two do not hang together.
    """
    sketch = figure.sketch.copied()
    sketch.items = [_summed(figure)]
    sketch.groups = [by if isinstance(by, Bucket) else Field(mention_of(by, world))]
    sketch.order, sketch.limit, sketch.ranking, sketch.explicit = [], None, "", False
    way = understand_sketch(sketch, world).best
    if way is None or len(way.query.selects) != 2:
        raise NotUnderstood(f"{figure.words} cannot be told apart that way.")
    query = way.query.copy()
    query.set("order", None)
    return query


def _summed(figure: Figure) -> Term:
    """Make one figure of a column: money adds up, prices and ages are averaged."""
    if isinstance(figure.term, Field):
        return Measure(Aggregate.SUM if figure.adds_up else Aggregate.AVG, figure.term.mention)
    return figure.term


def mention_of(column: Column, world: World) -> Mention:
    """Return a name that means this very column."""
    table = world.schema.by_name[column.table]
    return Mention(column.label, 0, (Meaning(table, column, 1.0),))
