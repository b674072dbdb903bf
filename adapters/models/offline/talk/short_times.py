"""Tells a time that is shorter than a day in hours."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.form.interpret import Interpretation, understand_sketch
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.sketch import Span
from adapters.models.offline.talk.situation import ToolAnswer


def in_hours(way: Interpretation, run: ToolAnswer, world: World) -> Interpretation | None:
    """Return the same in hours where the one time that was found is no day; None elsewhere."""
    spans = [item for item in way.sketch.items if isinstance(item, Span)]
    cells = [cell for row in run.rows for cell in row]
    if len(way.sketch.items) != 1 or not spans or len(cells) != 1 or not _is_short(cells[0]):
        return None
    [span] = spans
    sides = [way.reading.option(each) for each in (span.first, span.last)]
    moments = [o is not None and o.column is not None and o.column.has_hours for o in sides]
    if span.unit is not Grain.DAY or span.pick or not all(moments):
        return None
    sketch = way.sketch.copied()
    sketch.items = [replace(span, unit=Grain.HOUR)]
    best = understand_sketch(sketch, world).best
    return best if best is not None and best.reading.tables == way.reading.tables else None


def _is_short(cell: object) -> bool:
    return isinstance(cell, int | float) and -1 < cell < 1
