"""Days, weeks and months in which there are no rows: a calendar less the periods that have some."""

from __future__ import annotations

from datetime import timedelta

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.conditions import parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import joined, placed
from adapters.models.offline.form.sqltext import text
from adapters.models.offline.reading.periods import Grain, Period, floor
from adapters.models.offline.sketch.sketch import Condition, Dated
from adapters.models.offline.world.schema import Column

_STEPS = {
    Grain.DAY: (1, "DAY"), Grain.WEEK: (7, "DAY"), Grain.MONTH: (1, "MONTH"),
    Grain.QUARTER: (3, "MONTH"),
}  # fmt: skip


def empty_periods_query(frame: Frame) -> exp.Select:
    """Return the periods without rows, from the first that has some, or the one asked for, on.

    Raises:
        NotUnderstood: there is nothing dated, or no such calendar in this dialect.
    """
    grain, subject = frame.sketch.empty, frame.subject()
    if grain is None or grain not in _STEPS or subject is None:
        raise NotUnderstood("periods without what?")
    day = frame.date_column([subject.name])
    if not day.is_time:
        raise NotUnderstood(f"{day.name} knows years only")
    frame.core.clear()
    frame.add_core([subject.name, day.table])
    asked = _asked(frame.sketch.conditions)
    rest = [each for each in frame.sketch.conditions if not isinstance(each, Dated)]
    rows = placed([part for each in rest for part in parts_of(each, frame)], frame)
    begins = calendar.bucket(day, grain, frame.dialect)
    there = joined(exp.select(exp.alias_(begins, "period")), frame)
    there = there.where(exp.Not(this=exp.Is(this=begins.copy(), expression=exp.null())), *rows)
    query = exp.select(exp.alias_(_period("all_periods"), grain.value)).from_("all_periods")
    missing = exp.Not(
        this=exp.In(
            this=_period("all_periods"),
            query=exp.Subquery(this=exp.select(_period("busy_periods")).from_("busy_periods")),
        )
    )
    query = query.where(missing)
    if frame.sketch.counted:
        query = query.select(
            exp.alias_(exp.Count(this=exp.Star()), f"number_of_{grain.value}s"), append=False
        )
    else:
        query = query.order_by(exp.Ordered(this=_period("all_periods")))
    frame.notes.append(f"from the first {grain.value} to the last that have {subject.label}")
    query = query.with_("busy_periods", as_=there)
    return _with_calendar(query, grain, asked, day, frame)


def _period(table: str) -> exp.Column:
    return exp.column("period", table)


def _asked(conditions: list[Condition]) -> Period | None:
    dated = [each for each in conditions if isinstance(each, Dated)]
    if not dated:
        return None
    period = dated[0].period
    if len(dated) > 1 or dated[0].relation != "in" or period.start is None or period.end is None:
        raise NotUnderstood("periods without rows are looked for within one period")
    return period


def _with_calendar(
    query: exp.Select, grain: Grain, asked: Period | None, day: Column, frame: Frame
) -> exp.Select:
    """Add all periods from the first to the last, one after the other."""
    first, last = (_end(kind) for kind in (exp.Min, exp.Max))
    if asked is not None and asked.start is not None and asked.end is not None:
        until = min(asked.end, frame.today + timedelta(days=1)) - timedelta(days=1)
        first = calendar.day(floor(grain, asked.start), day, frame.dialect)
        last = calendar.day(floor(grain, until), day, frame.dialect)
    begin = exp.select(exp.alias_(first, "period"))
    following = _next(_period("all_periods"), grain, frame.dialect)
    bound = exp.LT(this=_period("all_periods"), expression=last)
    step = exp.select(following).from_("all_periods").where(bound)
    steps = exp.Union(this=begin, expression=step, distinct=False)
    return query.with_("all_periods", as_=steps, recursive=True)


def _end(kind: type[exp.AggFunc]) -> exp.Expr:
    return exp.Subquery(this=exp.select(kind(this=_period("busy_periods"))).from_("busy_periods"))


def _next(period: exp.Expr, grain: Grain, dialect: str) -> exp.Expr:
    count, unit = _STEPS[grain]
    if dialect == "sqlite":
        step = text(f"+{count} {unit.lower()}s")
        return exp.Anonymous(this="DATE", expressions=[period, step])
    if dialect not in {"postgres", "mysql", "duckdb"}:
        raise NotUnderstood("no calendar in this dialect")
    step = exp.Interval(this=text(str(count)), unit=exp.var(unit))
    return exp.cast(exp.Add(this=period, expression=step), exp.DataType.Type.DATE)
