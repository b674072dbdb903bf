"""What to say where nothing was found: the data may end before the period that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.sqltext import alias_of, column_of, table_of
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import Grain, Period, floor, shift
from adapters.models.offline.sketch.sketch import AnyOf, Condition, Dated
from adapters.models.offline.talk.moves import Move, Say, ask
from adapters.models.offline.talk.situation import Situation, ToolAnswer
from adapters.models.offline.world.schema import Column

RUN_QUERY = "run_query"
TITLE = "Last day of the data"
_RECENT = timedelta(days=730)
_LINK = re.compile(r"\s*\b(?:in|during|for|of|over)?\s*(?:the\s+)?$", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def with_last_day(
    situation: Situation, text: str, way: Interpretation, run: ToolAnswer, world: World
) -> Move:
    """Return the answer; where a period was empty, with where the data ends and what to ask."""
    end = _last_day(way, run, world)
    if end is None:
        return Say(text)
    asked = [each for each in situation.answers_of(RUN_QUERY) if each.text("title") == TITLE]
    if not asked:
        wanted = ask(RUN_QUERY, sql=end.sql, title=TITLE)
        return wanted if situation.offers(RUN_QUERY) else Say(text)
    said, last = _told(end, asked[-1])
    if not said:
        return Say(text)
    first, *rest = text.splitlines()
    offer = [f"Suggestion: {_instead(situation.question, end.period.text, last)}"] if last else []
    kept = [line for line in rest if not line.startswith("Suggestion: ")]
    return Say("\n".join((f"{first} {said}", *kept, *offer)))


def _instead(question: str, period: str, last: str) -> str:
    """Ask the same of another period."""
    plain = question.rstrip(" ?!.")
    at = plain.lower().find(period.lower())
    if at < 0:
        return f"{plain} {last}"
    before = _LINK.sub("", plain[:at])
    return f"{before} {last} {plain[at + len(period) :].strip()}".strip()


@dataclass(frozen=True, slots=True, eq=False)
class _LastDay:
    """The statement that gives the last day of a date column, and the period that was empty."""

    sql: str
    column: Column
    period: Period


def _last_day(way: Interpretation, answer: ToolAnswer, world: World) -> _LastDay | None:
    """Return how to find out where the data ends, if nothing was found in a recent period."""
    if not _is_nothing(answer):
        return None
    for period in _periods(way.sketch.conditions):
        column = _column_of(way, period, world)
        recent = period.start is not None and period.start >= world.today - _RECENT
        if column is not None and recent:
            table = world.schema.by_name[column.table]
            last = exp.alias_(exp.Max(this=column_of(column)), "last_day")
            query = exp.select(last).from_(table_of(table))
            return _LastDay(query.sql(dialect=world.dialect, pretty=True), column, period)
    return None


def _is_nothing(answer: ToolAnswer) -> bool:
    """Say whether there are no rows, or a single one without a figure."""
    if answer.row_count == 0:
        return True
    return answer.row_count == 1 and all(cell in {None, 0} for row in answer.rows for cell in row)


def _periods(conditions: list[Condition] | tuple[Condition, ...]) -> Iterator[Period]:
    for condition in conditions:
        if isinstance(condition, Dated) and condition.relation in {"in", "since", "after"}:
            yield condition.period
        elif isinstance(condition, AnyOf):
            yield from _periods(condition.conditions)


def _column_of(way: Interpretation, period: Period, world: World) -> Column | None:
    """Return the date that the statement holds against the period."""
    days = {each.isoformat() for each in (period.start, period.end) if each is not None}
    for compared in way.query.find_all(exp.GTE):
        literal = compared.expression.find(exp.Literal)
        if not isinstance(compared.this, exp.Column) or literal is None or literal.this not in days:
            continue
        for table in world.schema.tables:
            if alias_of(table.name) == compared.this.table:
                return table.column(compared.this.name)
    return None


def _told(found: _LastDay, answer: ToolAnswer) -> tuple[str, str]:
    """Say where the data ends, and name the last whole period before; empty where it goes on."""
    cell = answer.rows[0][0] if answer.rows and answer.rows[0] else None
    day = _DAY.match(str(cell))
    start = found.period.start
    if day is None or start is None:
        return "", ""
    end = date.fromisoformat(day.group())
    if end >= start:
        return "", ""
    text = f"The data ends on {end.isoformat()} ({found.column.table}.{found.column.name})."
    return text, _last_whole(end, found.period)


def _last_whole(end: date, period: Period) -> str:
    """Name the last periods of a grain that the data covers to its last day, as many as asked."""
    grain = period.grain
    over = floor(grain, end + timedelta(days=1))
    last = shift(grain, over, -1)
    if grain not in {Grain.MONTH, Grain.QUARTER, Grain.YEAR}:
        return ""
    several = _how_many(period)
    if several < 2:
        return f"in {_named(grain, last)}"
    return f"from {_named(grain, shift(grain, over, -several))} to {_named(grain, last)}"


def _how_many(period: Period) -> int:
    """Return how many of its grain a period holds: `the last 3 months` are three."""
    if period.start is None or period.end is None or not period.relative:
        return 1
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
    whole = {Grain.QUARTER: 3, Grain.YEAR: 12}.get(period.grain, 1)
    odd = period.grain is Grain.MONTH and period.start.day > period.end.day
    return (months - odd) // whole


def _named(grain: Grain, first: date) -> str:
    match grain:
        case Grain.MONTH:
            return f"{first:%B %Y}"
        case Grain.QUARTER:
            return f"Q{(first.month + 2) // 3} {first.year}"
        case _:
            return str(first.year)
