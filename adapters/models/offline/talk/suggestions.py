"""Questions that may come next, and that the offline analyst can answer."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.world import World
from adapters.models.offline.sketch.sketch import Bucket, Dated
from adapters.models.offline.talk.ranks import columns_of
from adapters.models.offline.world.roles import date_columns, display_columns
from adapters.models.offline.world.schema import Column, Table

MOST = 3
_CONTACTS = frozenset({"email", "phone", "address", "url", "description", "comment", "note"})
_FEWEST_VALUES, _MOST_VALUES = 2, 15


def suggestions(way: Interpretation, world: World) -> tuple[str, ...]:
    """Return up to three follow-ups on a figure, in words that are understood."""
    if not any(is_figure for _, is_figure in columns_of(way.query)):
        return ()
    return tuple(dict.fromkeys(_all(way, world)))[:MOST]


def _all(way: Interpretation, world: World) -> Iterator[str]:
    tables = [
        table
        for name in sorted(way.reading.tables)
        if (table := world.schema.table(name)) is not None
    ]
    shown = {name.lower() for name in way.query.named_selects}
    if not any(isinstance(group, Bucket) for group in way.sketch.groups):
        yield from ("By month",) if any(date_columns(table) for table in tables) else ()
    for table in tables:
        yield from (f"By {column.label}" for column in _dimensions(table, shown))
    if way.sketch.groups and way.sketch.limit is None:
        yield "Top 5"
    if any(isinstance(condition, Dated) for condition in way.sketch.conditions):
        yield "Remove the period"


def _dimensions(table: Table, shown: set[str]) -> Iterator[Column]:
    for column in table.columns:
        if _CONTACTS & set(column.words):
            continue
        few = _FEWEST_VALUES <= len(column.values) <= _MOST_VALUES
        few = few and column not in display_columns(table)
        if few and column.is_text and not column.is_key and column.name.lower() not in shown:
            yield column
            return
