"""Says how a figure goes from period to period, and which period is not over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp

from adapters.models.offline.form.interpret import Interpretation
from adapters.models.offline.form.sqltext import alias_of, column_of, table_of
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.periods import RECURRING, Grain, shift
from adapters.models.offline.sketch.sketch import Bucket, Dated
from adapters.models.offline.talk.data_ends import TITLE
from adapters.models.offline.talk.findings import Subject, finding, told_cell, worths
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation, ToolAnswer
from adapters.models.offline.world.schema import Column

RUN_QUERY = "run_query"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
Row = Sequence[object]


def end_asked(
    situation: Situation, way: Interpretation, run: ToolAnswer, world: World
) -> Ask | None:
    """Ask where the data ends, if the last period of a course may not be over."""
    sketch = way.sketch
    lowest = bool(sketch.order) and sketch.limit is not None and not sketch.order[0].descending
    grains = [group.grain for group in sketch.groups if isinstance(group, Bucket)]
    in_a_row = bool(grains) and not RECURRING & set(grains)
    if not in_a_row or not (sketch.changes or sketch.develops or lowest) or not run.rows:
        return None
    column = _day_of_rows(way, world)
    asked = any(each.text("title") == TITLE for each in situation.answers_of(RUN_QUERY))
    if column is None or asked or not situation.offers(RUN_QUERY):
        return None
    last = exp.alias_(exp.Max(this=column_of(column)), "last_day")
    query = exp.select(last).from_(table_of(world.schema.by_name[column.table]))
    return ask(RUN_QUERY, sql=query.sql(dialect=world.dialect, pretty=True), title=TITLE)


def _day_of_rows(way: Interpretation, world: World) -> Column | None:
    """Return the date whose periods the rows are."""
    group = way.query.args.get("group")
    for named in group.find_all(exp.Column) if isinstance(group, exp.Group) else ():
        for table in world.schema.tables:
            column = table.column(named.name) if alias_of(table.name) == named.table else None
            if column is not None and column.is_time:
                return column
    return None


def told_course(
    run: ToolAnswer, subject: Subject, way: Interpretation, situation: Situation
) -> str:
    """Return the finding of any result; of a course, where it goes and which period is open."""
    if not run.rows or run.truncated or not run.complete:
        return finding(run, subject)
    at = _time_at(run, subject)
    if at is None:
        return finding(run, subject)
    known = _known(way, situation)
    rest = _cut_short(run.rows, at, subject, known)
    if subject.changes:
        return _changes(run, at, subject) + rest
    if subject.runs and len(run.columns) == 2:
        return _running(run, at, subject)
    if subject.develops and len(run.columns) == 2:
        return _development(run, at, subject, known) + rest
    lowest = bool(way.sketch.order) and not way.sketch.order[0].descending
    return finding(run, subject) + (rest if lowest else "")


def _time_at(run: ToolAnswer, subject: Subject) -> int | None:
    """Return the column of the periods that follow each other."""
    if subject.grain is None or subject.grain in RECURRING:
        return None
    return run.columns.index(subject.grain.value) if subject.grain.value in run.columns else None


@dataclass(frozen=True, slots=True)
class _Known:
    """The last day of the data, and from where to before where the question reaches."""

    last: date | None = None
    start: date | None = None
    end: date | None = None

    def holds(self, cell: object, grain: Grain) -> bool:
        """Say whether a period lies whole in the data and in what was asked for."""
        first = _start(cell)
        if first is None or self.last is None:
            return True
        over = shift(grain, first, 1)
        begun = self.start is None or first >= self.start
        return begun and over <= self.last + timedelta(days=1) and not self._is_past(over)

    def _is_past(self, day: date) -> bool:
        return self.end is not None and day > self.end


def _known(way: Interpretation, situation: Situation) -> _Known:
    said = [each for each in situation.answers_of(RUN_QUERY) if each.text("title") == TITLE]
    cell = said[-1].rows[0][0] if said and said[-1].rows and said[-1].rows[0] else None
    found = _DAY.match(str(cell))
    if found is None:
        return _Known()
    last = min(date.fromisoformat(found.group()), situation.today)
    dated = [each for each in way.sketch.conditions if isinstance(each, Dated)]
    begins = [c.period.start for c in dated if c.relation in {"in", "since", "between"}]
    ends = [c.until.end if c.until else c.period.end for c in dated if _is_bounded(c)]
    return _Known(
        last,
        max((day for day in begins if day is not None), default=None),
        min((day for day in ends if day is not None), default=None),
    )


def _is_bounded(condition: Dated) -> bool:
    return condition.relation == "in" or condition.until is not None


def _start(cell: object) -> date | None:
    if isinstance(cell, int) and date.min.year <= cell < date.max.year:
        return date(cell, 1, 1)
    found = _DAY.match(str(cell))
    return date.fromisoformat(found.group()) if found is not None else None


def _cut_short(rows: Sequence[Row], at: int, subject: Subject, known: _Known) -> str:
    """Say which periods at the ends are no whole ones."""
    grain, last = subject.grain or Grain.DAY, known.last
    cells = [cell for _, cell in sorted({str(r[at]): r[at] for r in rows if r[at]}.items())]
    ends = dict.fromkeys((cells[0], cells[-1])) if cells else {}
    found = [cell for cell in ends if last is not None and not known.holds(cell, grain)]
    return "".join(_why_part(cell, grain, subject, last) for cell in found if last is not None)


def _why_part(cell: object, grain: Grain, subject: Subject, last: date) -> str:
    name = _upper(told_cell(cell, subject))
    first = _start(cell)
    if first is not None and shift(grain, first, 1) > last + timedelta(days=1):
        return f" {name} is not complete: the data ends on {last.isoformat()}."
    return f" {name} is in the period asked for by a part only."


def _development(run: ToolAnswer, at: int, subject: Subject, known: _Known) -> str:
    """Say from where to where, and what lies highest and lowest."""
    figure = 1 - at
    rows = [row for row in run.rows if _is_figure(row[figure]) and row[at] is not None]
    whole = [row for row in rows if known.holds(row[at], subject.grain or Grain.DAY)]
    if len(whole) < 2:
        return finding(run, subject)
    worth = worths(run, figure, subject)
    ordered = sorted(whole, key=lambda row: str(row[at]))
    first, last = ordered[0], ordered[-1]
    way = _direction(_number(first[figure]), _number(last[figure]))
    best = max(whole, key=lambda row: _number(row[figure]))
    worst = min(whole, key=lambda row: _number(row[figure]))
    return (
        f"{subject.title}: {way} from {worth(first[figure])} in {told_cell(first[at], subject)}"
        f" to {worth(last[figure])} in {told_cell(last[at], subject)}."
        f" Highest is {told_cell(best[at], subject)} with {worth(best[figure])},"
        f" lowest {told_cell(worst[at], subject)} with {worth(worst[figure])}."
    )


def _direction(first: float, last: float) -> str:
    if last == first:
        return "as high at the end as at the beginning,"
    return "up" if last > first else "down"


def _running(run: ToolAnswer, at: int, subject: Subject) -> str:
    figure = 1 - at
    ordered = sorted(run.rows, key=lambda row: str(row[at]))
    worth = worths(run, figure, subject)
    first, last = ordered[0], ordered[-1]
    return (
        f"{subject.title}: adds up to {worth(last[figure])} with {told_cell(last[at], subject)},"
        f" from {worth(first[figure])} in {told_cell(first[at], subject)}."
    )


def _changes(run: ToolAnswer, at: int, subject: Subject) -> str:
    """Name the largest rise and the largest fall against the period before."""
    by, part = len(run.columns) - 2, len(run.columns) - 1
    rows = [row for row in run.rows if _is_figure(row[by])]
    if not rows:
        return f"{subject.title}: no period has one right before it to compare with."
    amount, percent = worths(run, by, subject), worths(run, part, subject)

    def said(row: Row) -> str:
        name = " ".join(told_cell(cell, subject) for cell in row[: by - 1])
        share = f" ({percent(row[part])})" if _is_figure(row[part]) else ""
        return f"{name} with {amount(row[by])}{share}"

    rise = max(rows, key=lambda row: _number(row[by]))
    fall = min(rows, key=lambda row: _number(row[by]))
    parts = [f"the largest rise is {said(rise)}"] if _number(rise[by]) > 0 else []
    parts += [f"the largest fall is {said(fall)}"] if _number(fall[by]) < 0 else []
    told = ", ".join(parts) or "nothing changed"
    first = min((row for row in run.rows if row[at] is not None), key=lambda row: str(row[at]))
    none = "" if _is_figure(first[by]) else f" {_upper(told_cell(first[at], subject))} has none."
    return f"{subject.title}: {told}, each against the period before.{none}"


def _is_figure(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
