"""Says of what a ranking shows the first: `top 3 of each region`, `highest list price`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from adapters.models.offline.form.apart import SIDES
from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.reading.lemmas import singular
from adapters.models.offline.sketch.sketch import Aggregate, Field, Measure
from adapters.models.offline.talk.labels import label_of, words_for


def first_shown(way: Interpretation, figures: list[str]) -> str:
    """Say which of a ranking are shown: `, top 3 of each region`."""
    sketch = way.sketch
    if sketch.limit is None or not sketch.order or sketch.offset:
        return ""
    word = _word(way, highest="top")
    many = f"{word} {sketch.limit}" if sketch.limit > 1 else word
    if sketch.within is not None:
        [group, *_] = [*words_for(sketch.within, way), "group"]
        return f", {many} of each {singular(group)}"
    return f", {many}" if sketch.limit > 1 and figures else ""


def first_is(way: Interpretation) -> str:
    """Return what the first row of a ranking is: highest or lowest; nothing where it is none."""
    sketch = way.sketch
    if sketch.limit is None or sketch.within is not None or not sketch.order or sketch.turned:
        return ""
    return _word(way)


def rank_of(way: Interpretation) -> Iterator[str]:
    """Say what the first of a ranking are the first in: `highest list price`."""
    sketch = way.sketch
    aggregated = sketch.within is not None and any(figure for _, figure in columns_of(way.query))
    for key in sketch.order[:1] if sketch.limit == 1 and not aggregated else ():
        mention = key.term.mention if isinstance(key.term, Field | Measure) else None
        option = way.reading.option(mention)
        counted = isinstance(key.term, Measure) and key.term.aggregate is Aggregate.COUNT
        if mention is None and counted and isinstance(key.term, Measure):
            each = way.reading.option(key.term.each)
            if each is not None:
                yield f"{'most' if key.descending else 'fewest'} {each.table.rows}"
            continue
        if option is None or option.inverse:
            continue
        word = ("most" if key.descending else "fewest") if counted else _word(way)
        place = f"number {sketch.offset + 1} by " if sketch.offset else ""
        yield f"{place}{word} {label_of(mention, way.reading) if mention else ''}".strip()


def _word(way: Interpretation, *, highest: str = "highest") -> str:
    """Say which come first: the latest of dates, else the highest, or their opposites."""
    key = way.sketch.order[0]
    mention = key.term.mention if isinstance(key.term, Field) else None
    option = way.reading.option(mention)
    falls = key.descending != (option is not None and option.inverse)
    if option is not None and option.column is not None and option.column.is_time:
        return "latest" if falls else "earliest"
    return highest if falls else "lowest"


def columns_of(query: exp.Query) -> tuple[tuple[str, bool], ...]:
    """Return the columns of a query with the mark whether each is a figure over many rows."""
    source = query.args.get("from_")
    ranked = source.this if isinstance(source, exp.From) else None
    inner = ranked.this if isinstance(ranked, exp.Subquery) else None
    if (
        isinstance(inner, exp.Select)
        and isinstance(ranked, exp.Subquery)
        and ranked.alias == "ranked"
    ):
        shown = {each.alias_or_name for each in query.selects}
        return tuple(each for each in columns_of(inner) if each[0] in shown)
    if isinstance(ranked, exp.Subquery) and ranked.alias == SIDES:
        return tuple((each.alias_or_name, isinstance(each, exp.Alias)) for each in query.selects)
    return tuple((each.alias_or_name, each.find(exp.AggFunc) is not None) for each in query.selects)
