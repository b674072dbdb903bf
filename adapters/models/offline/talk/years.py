"""A month or a quarter without a year: the thread settles it, the data, or the person who asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from sqlglot import exp

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.sqltext import alias_of, column_of, table_of
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Grain, Period, shift
from adapters.models.offline.sketch.sketch import Bucket, Condition, Dated, Sketch
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation
from adapters.models.offline.world.schema import Column

RUN_QUERY, CLARIFY = "run_query", "ask_clarification"
TITLE = "First and last day of the data"
QUESTION = "Which year do you mean?"
EVERY_YEAR = "every year"
_MOST_YEARS = 4
_ANY_YEAR = re.compile(
    r"\b(?:every|each|all|across|typical\w*|usual\w*|season\w*|year(?:s|ly)?|annual\w*)\b", re.I
)
_LATEST = re.compile(r"\b(?:last|latest|newest|recent|this)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(r"\b(?P<year>(?:19|20)\d\d)-\d\d-\d\d\b")


def year_of(conditions: Sequence[Condition]) -> int | None:
    """Return the one year that the periods of some conditions lie in; None without one."""
    years: set[int] = set()
    for each in conditions:
        if isinstance(each, Dated):
            years.update(_years(each.period))
    return next(iter(years)) if len(years) == 1 else None


def _years(period: Period) -> tuple[int, ...]:
    if period.start is None or period.end is None:
        return ()
    return tuple({period.start.year, (period.end - timedelta(days=1)).year})


def open_months(sketch: Sketch) -> Dated | None:
    """Return the condition on months that follow each other and no year; None without one."""
    dated = [each for each in sketch.conditions if isinstance(each, Dated)]
    if len(dated) != 1 or any(
        isinstance(g, Bucket) and g.grain is Grain.YEAR for g in sketch.groups
    ):
        return None
    months = dated[0].period.months
    in_a_row = all(other == one + 1 for one, other in pairwise(months))
    return dated[0] if months and in_a_row and dated[0].until is None else None


def in_year(condition: Dated, year: int) -> Dated:
    """Return a condition on months as one on those of a year."""
    first, last = condition.period.months[0], condition.period.months[-1]
    start = date(year, first, 1)
    period = Period(
        text=f"{condition.period.text} {year}",
        start=start,
        end=shift(Grain.MONTH, date(year, last, 1), 1),
        grain=Grain.MONTH if first == last else Grain.QUARTER,
    )
    return replace(condition, period=period)


def with_year(sketch: Sketch, condition: Dated, year: int) -> Sketch:
    changed = sketch.copied()
    changed.conditions = [
        in_year(condition, year) if each is condition else each for each in sketch.conditions
    ]
    return changed


@dataclass(frozen=True, slots=True)
class Before:
    """What the question before leaves: its sketch, and what it has run."""

    sketch: Sketch
    sql: str


def settled_year(
    sketch: Sketch,
    way: Interpretation | None,
    before: Before | None,
    situation: Situation,
    world: World,
) -> Sketch | Ask:
    """Return the sketch with its year, as it is where it needs none, or what has to be asked."""
    condition = open_months(sketch)
    if condition is None or way is None or _ANY_YEAR.search(situation.question):
        return sketch
    if before is not None:
        year = year_of(before.sketch.conditions)
        if year is not None:
            return with_year(sketch, condition, year)
        if open_months(before.sketch) is not None:
            # It was settled for the question before.
            ran = [int(day["year"]) for day in _DAY.finditer(before.sql)]
            return with_year(sketch, condition, min(ran)) if ran else sketch
    column = _column(way, world)
    return sketch if column is None else _of_data(sketch, condition, column, situation, world)


def _of_data(
    sketch: Sketch, condition: Dated, column: Column, situation: Situation, world: World
) -> Sketch | Ask:
    runs = [each for each in situation.answers_of(RUN_QUERY) if each.text("title") == TITLE]
    if not runs:
        if not situation.offers(RUN_QUERY):
            return sketch
        return ask(RUN_QUERY, sql=_first_and_last(column, world), title=TITLE)
    row = runs[-1].rows[0] if runs[-1].rows else ()
    days = [date.fromisoformat(each.group()) for each in map(_DAY.match, map(str, row)) if each]
    years = _with_data(condition, days) if len(days) == 2 else []
    if len(years) < 2:
        return with_year(sketch, condition, years[0]) if years else sketch
    return _asked(sketch, condition, years, situation)


def _asked(
    sketch: Sketch, condition: Dated, years: Sequence[int], situation: Situation
) -> Sketch | Ask:
    said = [each for each in situation.answers_of(CLARIFY) if each.text("question") == QUESTION]
    every = (EVERY_YEAR,) if condition.relation == "in" else ()
    if said:
        year = _YEAR.search(said[-1].finding)
        if year is None and every and not _LATEST.search(said[-1].finding):
            return sketch
        return with_year(sketch, condition, int(year.group()) if year else years[0])
    if not situation.offers(CLARIFY):
        return sketch if every else with_year(sketch, condition, years[0])
    options = [f"{condition.period.text} {each}" for each in years[:_MOST_YEARS]]
    return ask(CLARIFY, question=QUESTION, options=[*options, *every])


def _with_data(condition: Dated, days: Sequence[date]) -> list[int]:
    """Return the years of which the data holds something of the months, the newest first."""
    first, last = days
    periods = {y: in_year(condition, y).period for y in range(last.year, first.year - 1, -1)}
    return [
        year
        for year, period in periods.items()
        if period.start is not None
        and period.end is not None
        and period.start <= last
        and period.end > first
    ]


def _column(way: Interpretation, world: World) -> Column | None:
    """Return the date that the statement holds against the months; None for a column of names."""
    for where in way.query.find_all(exp.Where):
        for named in where.find_all(exp.Column):
            for table in world.schema.tables:
                column = table.column(named.name) if alias_of(table.name) == named.table else None
                if column is not None and column.is_time:
                    return column
    return None


def _first_and_last(column: Column, world: World) -> str:
    table = world.schema.by_name[column.table]
    first = exp.alias_(exp.Min(this=column_of(column)), "first_day")
    last = exp.alias_(exp.Max(this=column_of(column)), "last_day")
    query = exp.select(first, last).from_(table_of(table))
    return query.sql(dialect=world.dialect, pretty=True)
