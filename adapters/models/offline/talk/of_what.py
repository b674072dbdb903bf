"""Asks of which figure the best period is wanted, where a question names none."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from adapters.models.offline.form.interpret import has_its_own
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.lemmas import plural
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.over_time import course_of, unusual_grain
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation
from adapters.models.offline.world.roles import date_columns, is_mean, money_columns, money_rank
from adapters.models.offline.world.schema import Table

CLARIFY = "ask_clarification"
QUESTION = "By which figure?"
_MOST = 4


def with_figure(situation: Situation, world: World) -> Situation | Ask:
    """Return the situation whose question names its figure, or what has to be asked for that."""
    grain = None if situation.earlier else _grain_of_nothing(situation.question)
    if grain is None or has_its_own(grain, world):
        return situation
    options = _options(grain, world)
    if not options:
        return situation
    said = [each for each in situation.answers_of(CLARIFY) if each.text("question") == QUESTION]
    if not said and len(options) > 1 and situation.offers(CLARIFY):
        return ask(CLARIFY, question=QUESTION, options=options)
    chosen = _chosen(said[-1].finding, options) if said else options[0]
    return replace(situation, question=f"{situation.question.rstrip(' ?!.')} by {chosen}")


def _grain_of_nothing(question: str) -> Grain | None:
    """Return by which periods something is wanted that is not named."""
    course = course_of(question)
    if course is None:
        return unusual_grain(question)
    return None if course.figure else course.grain


def _chosen(said: str, options: list[str]) -> str:
    named = [each for each in options if each.lower() in said.lower()]
    words = set(said.lower().split())
    return named[0] if named else max(options, key=lambda each: len(words & set(each.split())))


def _options(grain: Grain, world: World) -> list[str]:
    """Return what can be told by such periods: money first, then what happens most often."""
    tables = [table for table in world.schema.tables if _happens(table, grain)]
    ranked = sorted(tables, key=lambda table: (not _is_moment(table), -_pointed_at(table, world)))
    names = {table.name for table in tables}
    parts = [t for t in world.schema.tables if t.name not in names and _belongs(t, names)]
    money = sorted(
        (rank, column.label)
        for table in (*tables, *parts)
        for column in money_columns(table)
        if (rank := money_rank(column)) is not None and not is_mean(column)
    )
    counts = [f"number of {plural(table.label)}" for table in ranked]
    return [*(label for _, label in money[:1]), *counts][:_MOST]


def _happens(table: Table, grain: Grain) -> bool:
    """Say whether rows belong to something and have their day, or their hour where that counts."""
    belongs = any(column.target is not None for column in table.columns)
    if not date_columns(table) or not belongs or table.is_link:
        return False
    return grain is not Grain.HOUR or _is_moment(table)


def _is_moment(table: Table) -> bool:
    return date_columns(table)[0].has_hours


def _belongs(table: Table, names: Set[str]) -> bool:
    """Say whether rows are parts of what happens, and have their day from there."""
    owned = any(column.target is not None and column.target[0] in names for column in table.columns)
    return owned and not date_columns(table)


def _pointed_at(table: Table, world: World) -> int:
    return sum(
        column.target is not None and column.target[0] == table.name
        for other in world.schema.tables
        for column in other.columns
    )
