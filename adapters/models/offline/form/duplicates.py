"""What is there more than once: rows that are the same in some columns, or in all but their key."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from adapters.models.offline.form.conditions import parts_of
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.joining import joined, placed
from adapters.models.offline.form.sqltext import column_of, number
from adapters.models.offline.sketch.sketch import Mention
from adapters.models.offline.world.roles import name_columns
from adapters.models.offline.world.schema import Column, Table


def duplicates_query(frame: Frame) -> exp.Select:
    """Return each combination that is there more than once and how often, or how many there are.

    Raises:
        NotUnderstood: the columns are not of one table.
    """
    table = _table(frame)
    columns = [_own(mention, table, frame) for mention in frame.sketch.repeated]
    columns = columns or [c for c in table.columns if c not in table.key]
    if not columns:
        raise NotUnderstood(f"{table.label} has nothing beside its key")
    frame.core.clear()
    frame.add_core([table.name])
    parts = [part for each in frame.sketch.conditions for part in parts_of(each, frame)]
    rows = placed(parts, frame)
    if len(columns) == 1:
        rows.append(_there(columns[0]))
        frame.notes.append(f"rows without {columns[0].label} are not counted")
    query = joined(exp.select(*(column_of(each) for each in columns)), frame)
    times = exp.Count(this=exp.Star())
    query = query.select(exp.alias_(times, "times"))
    query = query.where(*rows) if rows else query
    query = query.group_by(*(column_of(each) for each in columns))
    query = query.having(exp.GT(this=times.copy(), expression=number(1)))
    if not frame.sketch.counted:
        return query.order_by(exp.Ordered(this=times.copy(), desc=True, nulls_first=False))
    count = exp.alias_(exp.Count(this=exp.Star()), "number_of_duplicates")
    return exp.select(count).from_(query.subquery("repeated"))


def _there(column: Column) -> exp.Expr:
    return exp.Not(this=exp.Is(this=column_of(column), expression=exp.null()))


def _table(frame: Frame) -> Table:
    subject = frame.subject()
    if subject is not None:
        return subject
    tables = _tables(frame.sketch.repeated, frame)
    if len(tables) != 1:
        raise NotUnderstood("duplicates of what?")
    return frame.table(tables.pop())


def _tables(mentions: Sequence[Mention], frame: Frame) -> set[str]:
    return {frame.option(mention).table.name for mention in mentions}


def _own(mention: Mention, table: Table, frame: Frame) -> Column:
    """Return the column that is meant: for another table the key that points at it."""
    option = frame.option(mention)
    if option.column is not None and option.table is table:
        return option.column
    if option.table is table and name_columns(table):
        return name_columns(table)[0]
    pointing = [c for c in table.columns if c.target and c.target[0] == option.table.name]
    if len(pointing) != 1:
        raise NotUnderstood(f"{mention.text} is not of {table.label}")
    return pointing[0]
