"""A period of rows that have two dates, of which either may be meant: settled, or asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.interpret import SURE_ENOUGH, Interpretation, Understanding
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import alias_of
from adapters.models.offline.form.world import World
from adapters.models.offline.sketch.sketch import Bucket, Condition, Dated, Mention, Sketch, Term
from adapters.models.offline.talk.meanings import CLARIFY, Meanings
from adapters.models.offline.talk.moves import Ask
from adapters.models.offline.talk.situation import Situation
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import date_columns, is_own_date, is_recorded, rival_dates
from adapters.models.offline.world.schema import Column, Table


def with_settled_date(
    situation: Situation, sketch: Sketch, understanding: Understanding, world: World
) -> Sketch | Ask:
    """Return the sketch with the date that its periods are of, or the question that tells it."""
    way = understanding.best
    if way is None or way.confidence < SURE_ENOUGH or not _is_undated(sketch):
        return sketch
    used = list(dict.fromkeys(_dates(way, world)))
    if len(used) != 1:
        return sketch
    table = world.schema.by_name[used[0].table]
    options = tuple(Option(table, column, 1.0) for column in rival_dates(used[0], table))
    if len(options) < 2:
        return _told(sketch, used[0], table)
    open_ = Meanings("date", options)
    said = open_.answer(situation)
    chosen = open_.settled_by(situation) or (open_.named_by(said) if said else None)
    if chosen is None and not said and situation.offers(CLARIFY):
        return open_.asked()
    chosen = chosen or options[0]
    date = Mention("date", 0, (Meaning(table, chosen.column, 1.0),))
    return _settled(_of_date(sketch, date), open_.taken(chosen))


def _told(sketch: Sketch, used: Column, table: Table) -> Sketch:
    """Say which date is meant where the rows have another one, and neither bears their name."""
    others = [c for c in date_columns(table) if c is not used and not is_recorded(c)]
    if not others or is_own_date(used, table):
        return sketch
    both = tuple(Option(table, column, 1.0) for column in (used, others[0]))
    return _settled(sketch, Meanings("date", both).taken(both[0]))


def _settled(sketch: Sketch, told: str) -> Sketch:
    changed = sketch.copied()
    changed.settled = (*sketch.settled, told)
    return changed


def _is_undated(sketch: Sketch) -> bool:
    dated = [each for each in sketch.conditions if isinstance(each, Dated)]
    buckets = [each for each in (*sketch.groups, *sketch.items) if isinstance(each, Bucket)]
    return any(each.mention is None for each in (*dated, *buckets))


def _dates(way: Interpretation, world: World) -> Iterator[Column]:
    """Return the dates that a statement groups by or holds against a period."""
    for clause in way.query.find_all(exp.Where, exp.Group):
        for named in clause.find_all(exp.Column):
            for table in world.schema.tables:
                column = table.column(named.name) if alias_of(table.name) == named.table else None
                if column is not None and column.is_time:
                    yield column


def _of_date(sketch: Sketch, date: Mention) -> Sketch:
    """Return a sketch whose periods are all of this date."""
    changed = sketch.copied()
    changed.conditions = [_condition(each, date) for each in sketch.conditions]
    changed.groups = [_bucket(each, date) for each in sketch.groups]
    changed.items = [_bucket(each, date) for each in sketch.items]
    return changed


def _condition(condition: Condition, date: Mention) -> Condition:
    if isinstance(condition, Dated) and condition.mention is None:
        return replace(condition, mention=date)
    return condition


def _bucket(term: Term, date: Mention) -> Term:
    return (
        replace(term, mention=date) if isinstance(term, Bucket) and term.mention is None else term
    )
