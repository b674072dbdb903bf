"""What two sets of rows have in common."""

from __future__ import annotations

from copy import copy

from adapters.models.offline.form.frame import Frame
from adapters.models.offline.sketch.sketch import AllOf, Condition, Field, Related, Sketch


def common_parts(frame: Frame) -> list[Sketch]:
    """Return one sketch for each set whose common rows are asked for; empty where none are.

    Rows that fulfil conditions which exclude each other do not exist: what is meant then are
    values that occur with one and with the other.
    """
    sketch = frame.sketch
    apart = _apart(sketch)
    if apart is None or not _shows_values(frame):
        return []
    rest = [
        each for each in sketch.conditions if each is not apart and each not in apart.conditions
    ]
    return [_with(sketch, [*rest, each]) for each in apart.conditions]


def _apart(sketch: Sketch) -> AllOf | None:
    for condition in sketch.conditions:
        if isinstance(condition, AllOf) and condition.apart:
            return condition
    if not sketch.common:
        return None
    telling = tuple(c for c in sketch.conditions if not isinstance(c, Related))
    return AllOf(telling, apart=True) if len(telling) == 2 else None


def _shows_values(frame: Frame) -> bool:
    """Say whether plain columns are shown, and the conditions are about that very table."""
    options = [frame.option(item.mention) for item in frame.sketch.items if isinstance(item, Field)]
    if len(options) != len(frame.sketch.items) or not options:
        return False
    if any(o.column is None or o.column in o.table.key for o in options):
        return False
    tables = {option.table.name for option in options}
    return frame.reading.tables <= tables


def _with(sketch: Sketch, conditions: list[Condition]) -> Sketch:
    other = copy(sketch)
    other.items, other.order = list(sketch.items), []
    other.conditions, other.common, other.distinct = conditions, False, True
    return other
