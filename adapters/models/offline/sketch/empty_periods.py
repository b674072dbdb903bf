"""Reads periods in which nothing was there: `days without orders`, `which months had no sales`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import RECURRING, Grain
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader
from adapters.models.offline.sketch.sketch import Field, Measure

_GRAINS = {grain.value: grain for grain in Grain if grain not in RECURRING}
_ASKING = (
    Role.ASK, Role.WHICH, Role.COUNT, Role.PREPOSITION, Role.FILL, Role.ALL, Role.BE, Role.DO,
    Role.HAVE,
)  # fmt: skip
_BETWEEN = (Role.HAVE, Role.DO, Role.BE, Role.FILL, Role.PREPOSITION, Role.RELATIVE, Role.WHICH)


@dataclass(frozen=True, slots=True)
class EmptyPeriods:
    """Periods of this grain are asked for, or how many there were."""

    grain: Grain
    counted: bool


def parted_periods(sentence: Sequence[Chunk]) -> tuple[EmptyPeriods, Sequence[Chunk]] | None:
    """Return the periods that are asked for, and the words for what was not there in them.

    None where none are asked for.
    """
    at = next((n for n, chunk in enumerate(sentence) if _grain(chunk) is not None), None)
    if at is None or not all(_plays(chunk, _ASKING) for chunk in sentence[:at]):
        return None
    grain = _grain(sentence[at])
    no = at + 1
    while no < len(sentence) and not _denies(sentence[no]):
        if not _plays(sentence[no], _BETWEEN):
            return None
        no += 1
    rest = sentence[no + 1 :]
    if grain is None or not rest or not rest[0].meanings:
        return None
    counted = any(chunk.role(Role.COUNT) for chunk in sentence[:at])
    return EmptyPeriods(grain, counted), rest


def _grain(chunk: Chunk) -> Grain | None:
    return _GRAINS.get(chunk.tokens[-1].lemma) if len(chunk.tokens) == 1 else None


def _denies(chunk: Chunk) -> bool:
    return chunk.text.lower() in {"no", "without", "without any", "zero", "not any"} or (
        chunk.number == 0
    )


def _plays(chunk: Chunk, roles: Sequence[Role]) -> bool:
    return any(chunk.role(role) for role in roles) or chunk.is_glue


def close_periods(r: Reader, asked: EmptyPeriods) -> None:
    """Say of the sketch that was read that periods without such rows are asked for."""
    sketch = r.sketch
    mentions = [i.mention for i in sketch.items if isinstance(i, Field | Measure) and i.mention]
    sketch.subject = sketch.subject or next(iter(mentions), None)
    sketch.empty, sketch.counted = asked.grain, asked.counted
