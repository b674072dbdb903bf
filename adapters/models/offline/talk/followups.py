"""Questions that only make sense after the last one: `by month`, `only Spain`, `top 3 instead`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adapters.models.offline.reading.periods import Grain, shifted
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
from adapters.models.offline.talk.years import in_year, open_months, year_of

# Words that go on from the last question whatever follows, and words that may also begin one.
_GOING_ON = re.compile(
    r"^\W*(and|but|only|just|now|then|also|what about|how about|same|instead|the same"
    r"|of (those|these|them)|show (it|that|them|this|those|these)|make it)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\W*(by|per|as (a|an)|without|exclud\w+|except|in (?!which|what)|for (?!each|every)|from"
    r"|with|sort\w*|order(ed)?\b|top \d+|bottom \d+|limit|break|split|group|remove|drop|clear|not"
    r"|no|plot|chart|visuali[sz]e|draw|monthly|weekly|daily|yearly|quarterly|since|before|after"
    r"|until|during|between|last|this|previous|all|(?:asc|desc)(?:ending)?|revers\w+)\b",
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
# Words that say that the last question is meant, and nothing else.
_HARMLESS = re.compile(
    r"(same|group\w*|break|split|instead|now|make|keep|change|switch|again|update|add|adding"
    r"|chart|plot|table|it|that|this|those|them|thing|result|results|view|down|one|ones)",
    re.IGNORECASE,
)
# "The average instead": the same, made of its rows another way.
_AGGREGATES = {
    Aggregate.AVG: "average|mean|avg", Aggregate.SUM: "sum|total", Aggregate.MEDIAN: "median",
    Aggregate.MAX: "maximum|max|highest", Aggregate.MIN: "minimum|min|lowest",
    Aggregate.COUNT: "count|number",
}  # fmt: skip
_OTHERWISE = re.compile(
    r"\W*(?:(?:and|but|now|then|show|use|take|give|make|me|it|what about|how about|the|as|an?)\W+)*"
    rf"(?P<word>{'|'.join(_AGGREGATES.values())})(?:\W+(?:instead|of (?:it|that|them)|please|too))*"
    r"\W*",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"^\W*(?:and\s+)?(?:compared?(?: (?:it|that|this|them))? (?:to|with)|versus|vs\.?|against)"
    r"(?=\W)",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(r"\b(?:the year before|(?:last|previous|prior) year)\b", re.IGNORECASE)
_BARE_YEAR = re.compile(
    r"\W*(?:(?:and|but|only|just|now|then|what about|how about)\W+)*"
    r"(?P<year>(?:19|20)\d\d)\W*(?:(?:only|instead)\W*)?",
    re.IGNORECASE,
)
_LONGEST_OPENING = 9
_LONGEST_BACK = 14


def is_followup(question: str, sketch: Sketch) -> bool:
    """Say whether a question goes on from the one before."""
    words = question.split()
    short = len(words) <= _LONGEST_OPENING
    if not words:
        return False
    if _goes_on(question, short=short):
        return True
    if any(isinstance(item, Measure) and item.mention is None for item in sketch.items):
        return True
    if _stands_alone(sketch):
        return False
    changes = bool(sketch.conditions or sketch.groups or sketch.order or sketch.limit)
    return short and (_OPENING.match(question) is not None or (changes and not sketch.items))


def _goes_on(question: str, *, short: bool) -> bool:
    """Say whether the words themselves go on, whatever they name."""
    if short and any(p.match(question) for p in (_GOING_ON, _COMPARED)):
        return True
    if _OTHERWISE.fullmatch(question) or (short and _REMOVES.search(question)):
        return True
    return _BACK.search(question) is not None and len(question.split()) <= _LONGEST_BACK


def with_year_as_period(question: str) -> str:
    """Return `only 2025` as `only in 2025`: alone, after a question, a number like it is a year."""
    year = _BARE_YEAR.fullmatch(question)
    if year is not None:
        return f"only in {year['year']}"
    compared = _COMPARED.match(question)
    rest = question[compared.end() :] if compared is not None else ""
    bare = _BARE_YEAR.fullmatch(rest) if rest else None
    return question if bare is None else f"{question[: -len(rest)]} in {bare['year']}"


def _stands_alone(sketch: Sketch) -> bool:
    """Say whether a question names something to show by itself."""
    return any(isinstance(item, Measure | Field) for item in sketch.items)


def merged(before: Sketch, now: Sketch, question: str) -> Sketch:
    """Return the sketch of the last question, changed by what the new one says."""
    sketch = before.copied()
    sketch.unexplained = [words for words in now.unexplained if not _HARMLESS.fullmatch(words)]
    sketch.verbs, sketch.doubts = list(now.verbs), []
    if _REMOVES.search(question):
        sketch.unexplained.clear()
        return _without(sketch, question)
    if _OTHERWISE.fullmatch(question):
        sketch.unexplained.clear()
        return _aggregated_otherwise(sketch, question)
    if _COMPARED.match(question):
        return _compared(sketch, now, question)
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


def _aggregated_otherwise(sketch: Sketch, question: str) -> Sketch:
    """Make the same figures of their rows in another way."""
    found = _OTHERWISE.fullmatch(question)
    word = found["word"].lower() if found is not None else ""
    wanted = next(each for each, words in _AGGREGATES.items() if word in words.split("|"))
    changed: dict[int, Term] = {}
    for item in sketch.items:
        if isinstance(item, Measure) and item.aggregate is not Aggregate.COUNT:
            changed[id(item)] = replace(item, aggregate=wanted)
        elif isinstance(item, Field) and _is_figure(item):
            changed[id(item)] = Measure(wanted, item.mention)
    if not changed:
        # Rows that are counted have nothing to average.
        sketch.unexplained.append(word)
    sketch.items = [changed.get(id(item), item) for item in sketch.items]
    sketch.order = [replace(k, term=changed.get(id(k.term), k.term)) for k in sketch.order]
    return sketch


def _compared(sketch: Sketch, now: Sketch, question: str) -> Sketch:
    """Set the period of the last question beside another one: `compared to 2024`."""
    sketch.unexplained.clear()
    old = next((c for c in sketch.conditions if isinstance(c, Dated)), None)
    new = next((c for c in now.conditions if isinstance(c, Dated)), None)
    period = new.period if new is not None else None
    if old is not None and _YEAR_BEFORE.search(question):
        period = shifted(old.period, Grain.MONTH, -12, several=False)
        whole = period.grain is Grain.YEAR and period.start is not None
        text = (
            str(period.start.year) if whole and period.start else f"{old.period.text} a year before"
        )
        period = replace(period, text=text)
    if old is None or period is None:
        sketch.unexplained.append("compared")
        return sketch
    rest = [c for c in sketch.conditions if c is not old]
    sketch.conditions = [*rest, AnyOf((replace(old, period=period), old))]
    groups = [group for group in sketch.groups if not isinstance(group, Bucket)]
    sketch.groups = [*groups, Bucket(old.period.grain)]
    sketch.order, sketch.limit = [], None
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
    figures = [item for item in sketch.items if _is_figure(item)]
    sketch.items = figures or [Measure(Aggregate.COUNT, sketch.subject)]
    if "instead" in question.lower():
        sketch.groups = list(now.groups)
    elif _ADDS.search(question):
        sketch.groups = [*sketch.groups, *now.groups]
    else:
        kinds = {isinstance(group, Bucket) for group in now.groups}
        kept = [group for group in sketch.groups if isinstance(group, Bucket) not in kinds]
        sketch.groups = [*kept, *now.groups]
    sketch.order, sketch.limit, sketch.ranking = [], None, ""


def _is_figure(term: Term) -> bool:
    """Say whether a term is a figure, or the name of a column of figures such as `revenue`."""
    if isinstance(term, Field):
        best = term.mention.meanings[:1]
        return any(m.column is not None and m.column.is_measure for m in best)
    return not isinstance(term, Bucket)


def _change_conditions(sketch: Sketch, now: Sketch, question: str) -> None:
    """Replace the last period, or a value of the same column; add what is neither."""
    for said in now.conditions:
        condition = _of_the_year_before(said, sketch)
        replaced = [c for c in sketch.conditions if _is_replaced(c, condition)]
        if replaced and _ADDS.search(question):
            sketch.conditions = [c for c in sketch.conditions if c not in replaced]
            sketch.conditions.append(AnyOf((*replaced, condition)))
            continue
        sketch.conditions = [c for c in sketch.conditions if c not in replaced]
        sketch.conditions.append(condition)


def _of_the_year_before(condition: Condition, sketch: Sketch) -> Condition:
    """Read `and in March?` after a question about 2025 as March 2025."""
    year = year_of(sketch.conditions)
    if year is None or not isinstance(condition, Dated) or not condition.period.months:
        return condition
    return in_year(condition, year) if open_months(Sketch(conditions=[condition])) else condition


def _is_replaced(old: Condition, new: Condition) -> bool:
    match old, new:
        case Dated(), Dated():
            return True
        case (Holds(negated=True) | Not(), Holds(negated=True) | Not()):
            # "Without Spain", "and without France": both stay away.
            return False
        case (Holds() | AnyOf(), Holds() | AnyOf()):
            return bool(_holders([old]) & _holders([new]))
        case Compare(term=Field(mention=one)), Compare(term=Field(mention=other)):
            return one.text.lower() == other.text.lower()
        case Not(condition=inner), _:
            return _is_replaced(inner, new)
        case _:
            return False


def _holders(conditions: Sequence[Condition]) -> set[int]:
    """Return the columns that hold the values of some conditions."""
    found: set[int] = set()
    for condition in conditions:
        if isinstance(condition, Holds):
            found |= {id(each.column) for each in condition.literal.found}
        elif isinstance(condition, AnyOf):
            found |= _holders(condition.conditions)
    return found


def _change_order(sketch: Sketch, now: Sketch) -> None:
    if now.limit is not None:
        sketch.limit = now.limit
    if now.order:
        sketch.order = list(now.order)
    elif now.ranking:
        figures = [item for item in sketch.items if _is_figure(item)]
        if figures:
            sketch.order = [OrderKey(figures[0], now.ranking != "asc")]
        elif sketch.order:
            sketch.order = [OrderKey(sketch.order[0].term, now.ranking != "asc")]
        else:
            sketch.ranking = now.ranking
    if now.direction:
        if sketch.limit is not None and sketch.order and now.limit is None:
            # The first five stay the first five, whichever way they are sorted.
            sketch.turned = now.direction
            return
        sketch.direction = now.direction
        sketch.order = [OrderKey(key.term, now.direction == "desc") for key in sketch.order]
