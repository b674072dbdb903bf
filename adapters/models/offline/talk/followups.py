"""Questions that only make sense after the last one: `by month`, `only Spain`, `top 3 instead`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.models.offline.sketch.sketch import (
    Aggregate,
    AnyOf,
    Bucket,
    Compare,
    Condition,
    Dated,
    Field,
    Holds,
    Measure,
    Not,
    OrderKey,
    Sketch,
    Term,
)

_OPENING = re.compile(
    r"^\W*(and|but|only|just|now|then|also|what about|how about|same|instead|by|per|as (a|an)"
    r"|without|exclud\w+|except|in (?!which|what)|for (?!each|every)|from|with|sort\w*"
    r"|order(ed)?\b|top \d+|bottom \d+|limit|break|split|group|make it|remove|drop|clear|not|no"
    r"|the same|of (those|these|them)|show (it|that|them|this|those|these)|plot|chart"
    r"|visuali[sz]e|draw|monthly|weekly|daily|yearly|quarterly|since|before|after|until|during"
    r"|between|last|this|previous|all)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(instead|those|these|them|that (result|list|number|figure|table|chart)|it by|this by|"
    r"that by|the same)\b|\b(too|as well)\W*$",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(also|too|as well|add|additionally|and also)\b|^\W*and by\b", re.IGNORECASE)
_REMOVES = re.compile(
    r"\b(remove|drop|clear|without|no|ignore|forget)\b.{0,12}\b(filters?|conditions?|restrictions?"
    r"|limits?|periods?|dates?|years?|grouping|groups?)\b|^\W*(for )?all \w+\W*$|\boverall\W*$",
    re.IGNORECASE,
)
_LONGEST_OPENING = 9
_LONGEST_BACK = 14


def is_followup(question: str, sketch: Sketch) -> bool:
    """Say whether a question goes on from the one before."""
    words = question.split()
    if not words:
        return False
    if _REMOVES.search(question) and len(words) <= _LONGEST_OPENING:
        return True
    if _OPENING.match(question) and len(words) <= _LONGEST_OPENING:
        return not _stands_alone(sketch) or len(words) <= 5
    if _BACK.search(question) and len(words) <= _LONGEST_BACK:
        return True
    changes = bool(sketch.conditions or sketch.groups or sketch.order or sketch.limit)
    return (
        not sketch.items and (changes or not sketch.unexplained) and len(words) <= _LONGEST_OPENING
    )


def _stands_alone(sketch: Sketch) -> bool:
    """Say whether a question names something to show by itself."""
    return any(isinstance(item, Measure) and item.mention is not None for item in sketch.items)


def merged(before: Sketch, now: Sketch, question: str) -> Sketch:
    """Return the sketch of the last question, changed by what the new one says."""
    sketch = before.copied()
    sketch.unexplained = list(now.unexplained)
    sketch.verbs, sketch.doubts = list(now.verbs), []
    if _REMOVES.search(question):
        return _without(sketch, question)
    _change_items(sketch, now, question)
    _change_groups(sketch, now, question)
    _change_conditions(sketch, now, question)
    _change_order(sketch, now)
    return sketch


def _without(sketch: Sketch, question: str) -> Sketch:
    if re.search(r"period|date|year|month|time", question, re.IGNORECASE):
        sketch.conditions = [c for c in sketch.conditions if not isinstance(c, Dated)]
    elif re.search(r"group", question, re.IGNORECASE):
        sketch.groups = []
    elif re.search(r"limit", question, re.IGNORECASE):
        sketch.limit = None
    else:
        sketch.conditions = []
    return sketch


def _change_items(sketch: Sketch, now: Sketch, question: str) -> None:
    figures = [item for item in now.items if isinstance(item, Measure)]
    names = [item for item in now.items if isinstance(item, Field)]
    if figures:
        wanted = [_of_subject(figure, sketch) for figure in figures]
        if _ADDS.search(question):
            sketch.items = [*sketch.items, *wanted]
        else:
            kept = [item for item in sketch.items if isinstance(item, Field) and sketch.groups]
            sketch.items = [*kept, *wanted]
            sketch.order = []
    elif names and _ADDS.search(question):
        sketch.items = [*sketch.items, *names]


def _of_subject(figure: Measure, sketch: Sketch) -> Term:
    if figure.mention is None and figure.aggregate is Aggregate.COUNT:
        return Measure(Aggregate.COUNT, sketch.subject)
    return figure


def _change_groups(sketch: Sketch, now: Sketch, question: str) -> None:
    """Replace a period by a period and a name by a name; of two kinds both stay."""
    if not now.groups:
        return
    if not any(isinstance(item, Measure) for item in sketch.items):
        sketch.items = [Measure(Aggregate.COUNT, sketch.subject)]
    else:
        sketch.items = [item for item in sketch.items if not isinstance(item, Field)]
    if "instead" in question.lower():
        sketch.groups = list(now.groups)
    elif _ADDS.search(question):
        sketch.groups = [*sketch.groups, *now.groups]
    else:
        kinds = {isinstance(group, Bucket) for group in now.groups}
        kept = [group for group in sketch.groups if isinstance(group, Bucket) not in kinds]
        sketch.groups = [*kept, *now.groups]
    sketch.order, sketch.limit, sketch.ranking = [], None, ""


def _change_conditions(sketch: Sketch, now: Sketch, question: str) -> None:
    """Replace the last period, or a value of the same column; add what is neither."""
    for condition in now.conditions:
        replaced = [c for c in sketch.conditions if _is_replaced(c, condition)]
        if replaced and _ADDS.search(question):
            sketch.conditions = [c for c in sketch.conditions if c not in replaced]
            sketch.conditions.append(AnyOf((*replaced, condition)))
            continue
        sketch.conditions = [c for c in sketch.conditions if c not in replaced]
        sketch.conditions.append(condition)


def _is_replaced(old: Condition, new: Condition) -> bool:
    match old, new:
        case Dated(), Dated():
            return True
        case Holds(), Holds():
            return bool(_holders([old]) & _holders([new]))
        case AnyOf(conditions=conditions), Holds():
            return bool(_holders(conditions) & _holders([new]))
        case Compare(term=Field(mention=one)), Compare(term=Field(mention=other)):
            return one.text.lower() == other.text.lower()
        case Not(condition=inner), _:
            return _is_replaced(inner, new)
        case _:
            return False


def _holders(conditions: Sequence[Condition]) -> set[int]:
    return {
        id(found.column)
        for condition in conditions
        if isinstance(condition, Holds)
        for found in condition.literal.found
    }


def _change_order(sketch: Sketch, now: Sketch) -> None:
    if now.limit is not None:
        sketch.limit = now.limit
    if now.order:
        sketch.order = list(now.order)
    elif now.ranking:
        figures = [item for item in sketch.items if isinstance(item, Measure)]
        if figures:
            sketch.order = [OrderKey(figures[0], now.ranking != "asc")]
        elif sketch.order:
            sketch.order = [OrderKey(sketch.order[0].term, now.ranking != "asc")]
        else:
            sketch.ranking = now.ranking
    if now.direction:
        sketch.direction = now.direction
        sketch.order = [OrderKey(key.term, now.direction == "desc") for key in sketch.order]
