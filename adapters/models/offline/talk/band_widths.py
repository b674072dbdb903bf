"""How wide bands are that nobody gave a width: the data is asked how far its figures reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor, log10

from sqlglot import exp

from adapters.models.offline.form.resolve import readings
from adapters.models.offline.form.sqltext import as_number, table_of
from adapters.models.offline.form.world import World
from adapters.models.offline.sketch.sketch import Band, Sketch
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation
from adapters.models.offline.world.schema import Column

RUN_QUERY = "run_query"
TITLE = "Reach of the figures to part"
_WANTED = 6
_MOST = 12
_FAR = 4.0


def with_widths(sketch: Sketch, situation: Situation, world: World) -> Sketch | Ask:
    """Return the sketch with a width for every band; ask the data first where one has none."""
    opened = [group for group in sketch.groups if isinstance(group, Band) and group.open]
    column = _column(opened[0], sketch, world) if opened else None
    if column is None:
        return sketch
    asked = [each for each in situation.answers_of(RUN_QUERY) if each.text("title") == TITLE]
    if not asked and situation.offers(RUN_QUERY):
        return ask(RUN_QUERY, sql=_reach(column, world), title=TITLE)
    cells = asked[-1].rows[0] if asked and asked[-1].rows else ()
    figures = [float(cell) for cell in cells if isinstance(cell, int | float | str) and _is(cell)]
    if len(figures) < 3:
        return sketch
    width, top = _width(figures, whole="int" in column.type.lower())
    groups = [replace(g, width=width, top=top) if g is opened[0] else g for g in sketch.groups]
    other = sketch.copied()
    other.groups = groups
    return other


def _is(cell: object) -> bool:
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


def _column(band: Band, sketch: Sketch, world: World) -> Column | None:
    for reading in readings(sketch, world.schema, world.joins)[:1]:
        option = reading.option(band.mention)
        return option.column if option is not None else None
    return None


def _reach(column: Column, world: World) -> str:
    figure = as_number(column)
    ends = [
        exp.alias_(kind(this=figure.copy()), name)
        for kind, name in ((exp.Min, "lowest"), (exp.Max, "highest"), (exp.Avg, "average"))
    ]
    query = exp.select(*ends).from_(table_of(world.schema.by_name[column.table]))
    return query.sql(dialect=world.dialect, pretty=True)


def _width(figures: Sequence[float], *, whole: bool) -> tuple[float, float | None]:
    """Return a round width for about six bands, and where the last begins that holds all above."""
    lowest, highest, average = figures[:3]
    far = lowest + _FAR * (average - lowest)
    reach = min(highest, far) - lowest
    if reach <= 0:
        return 1.0, None
    rough = reach / _WANTED
    unit = 10.0 ** floor(log10(rough))
    width = next(unit * step for step in (1, 2, 5, 10) if unit * step >= rough)
    width = max(width, 1.0) if whole else width
    first = floor(lowest / width) * width
    last = first + width * _MOST
    return width, (float(f"{last:.12g}") if highest >= last else None)
