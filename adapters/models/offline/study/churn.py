"""Who left: learnt from dates of ending, from states and from flags, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.sqltext import column_of, number, table_of, text, truth_of
from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.world.roles import date_columns
from adapters.models.offline.world.schema import Column, Schema, Table

CHURNED, UNIT = "churned", "unit_key"
_CHURN = frozenset({stem("churned"), stem("attrition")})
_BONDS, _BUYERS = words_in("bonds"), words_in("buyers") | words_in("people")
_GONE, _STATES, _STAYS = words_in("gone"), words_in("states"), words_in("stays")
_ENDS = frozenset(stem(word) for word in words_in("ends"))
_BEGINS = frozenset(stem(word) for word in words_in("begins"))


@dataclass(frozen=True, slots=True, eq=False)
class Churn:
    """How a schema tells who left.

    `table` has a row for each bond, such as a subscription; `unit` is what `key` of it tells apart:
    the customers, or the bonds themselves. Either `end` says when a bond ended, or `gone` says
    that it has.
    """

    table: Table
    unit: Table
    key: Column
    end: Column | None = None
    start: Column | None = None
    gone: exp.Expr | None = None

    @property
    def column(self) -> str:
        return f"{self.table.name}.{self.end.name}" if self.end is not None else self.table.name

    def units(self, period: Period | None, dialect: str) -> exp.Select:
        """Return one row for each unit that could leave: its key, and 1 where it did.

        With a period these are the ones that were there when it began, and left within it.
        """
        left, there = self._left(period, dialect)
        flag = exp.Max(this=exp.Case().when(left, number(1)).else_(number(0)))
        select = exp.select(exp.alias_(column_of(self.key), UNIT), exp.alias_(flag, CHURNED)).from_(
            table_of(self.table)
        )
        select = select.where(*there) if there else select
        return select.group_by(column_of(self.key))

    def _left(self, period: Period | None, dialect: str) -> tuple[exp.Expr, list[exp.Expr]]:
        if self.end is None:
            return self.gone or exp.false(), []
        ended = exp.Not(this=exp.Is(this=column_of(self.end), expression=exp.null()))
        if period is None or period.start is None or period.end is None:
            return ended, []
        [before] = calendar.within(self.end, None, period.end, dialect)
        [later] = calendar.within(self.end, period.start, None, dialect)
        open_ = exp.Is(this=column_of(self.end), expression=exp.null())
        there: list[exp.Expr] = [exp.Paren(this=exp.or_(open_, later))]
        if self.start is not None:
            there.insert(0, *calendar.within(self.start, None, period.start, dialect))
        return before, there

    def assumption(self, period: Period | None) -> str:
        """Say how it is told who left."""
        units = self.unit.label
        if self.end is None:
            said = f"churned is read from the state of {self.table.label}, whatever the period"
            return f"{said}, as no column says when"
        if period is None:
            return f"a {units} churned where {self.column} is filled"
        return (
            f"a {units} churned where {self.column} lies in {period.text}; the rate is of those"
            " that were there when it began"
        )


def churn_in(schema: Schema) -> Churn | None:
    """Return the likeliest way to tell who left; None where the schema has none."""
    found = [each for table in schema.tables for each in _ways(table, schema)]
    return max(found, key=lambda each: each[0])[1] if found else None


def _ways(table: Table, schema: Schema) -> Iterator[tuple[float, Churn]]:
    bond = bool(_BONDS & set(table.words))
    fits = bond or bool(_BUYERS & set(table.words[-1:]))
    unit, key = _unit_of(table, schema)
    if key is None:
        return
    for column in table.columns:
        stems = {stem(word) for word in column.words}
        said = bool(_CHURN & {stem(w) for w in re.findall(r"[a-z]+", column.comment.lower())})
        named = bool(_CHURN & stems)
        score = 1.0 if named else 0.95 if said else 0.8 if fits else 0.0
        score += 0.05 * bond
        if not score:
            continue
        if column.is_time and (named or said or _ENDS & stems):
            yield score, Churn(table, unit, key, end=column, start=_start(table, column))
        gone = _gone(column, named=named)
        if gone is not None:
            yield score - 0.15, Churn(table, unit, key, gone=gone)


def _unit_of(table: Table, schema: Schema) -> tuple[Table, Column | None]:
    """Return who is bound: the customers that a table points at, else its own rows."""
    if not _BUYERS & set(table.words[-1:]):
        for column in table.columns:
            other = schema.table(column.target[0]) if column.target is not None else None
            if other is not None and _BUYERS & set(other.words[-1:]):
                return other, column
    return table, (table.key[0] if len(table.key) == 1 else None)


def _start(table: Table, end: Column) -> Column | None:
    dates = [column for column in date_columns(table) if column is not end]
    named = [c for c in dates if _BEGINS & {stem(word) for word in c.words}]
    return next(iter(named or dates[:1]), None)


def _gone(column: Column, *, named: bool) -> exp.Expr | None:
    """Return the condition that a row's state says that it left."""
    if column.is_time:
        return None
    if column.is_boolean or (named and column.is_number):
        stays = bool(_STAYS & set(column.words))
        ended = named or bool({stem(w) for w in column.words} & _ENDS)
        if stays or ended:
            return exp.EQ(this=column_of(column), expression=truth_of(column, truth=not stays))
        return None
    values = [value for value in column.values if value.strip().lower() in _GONE]
    if values and (_STATES & set(column.words) or named):
        return exp.In(this=column_of(column), expressions=[text(value) for value in values])
    return None
