"""Conditions of a sketch as SQL, with the tables that each of them reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.models.offline.form import calendar
from adapters.models.offline.form.dated import dated
from adapters.models.offline.form.defined import DEFINED, state
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.measures import measure
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import (
    all_of,
    as_number,
    column_of,
    folded,
    is_written_otherwise,
    like,
    number,
    text,
    truth_of,
    value_for,
)
from adapters.models.offline.reading.periods import Period, year_period
from adapters.models.offline.reading.ways import names_of_end
from adapters.models.offline.sketch.sketch import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Dated,
    Field,
    Flag,
    Holds,
    Literal,
    Measure,
    Missing,
    Not,
    Operand,
    Related,
    Sketch,
)
from adapters.models.offline.world.roles import name_columns, person_name
from adapters.models.offline.world.schema import Column

_OPERATORS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE,
}  # fmt: skip
_PATTERNS = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}
_CONTRARY = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
_OPPOSITE = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A condition on rows, or on groups of them (`grouped`).

    `exists` demands rows of these tables even where the condition says nothing of them; `apart`
    keeps it from being fulfilled by the same rows as others.
    """

    sql: exp.Expr
    tables: tuple[str, ...]
    grouped: bool = False
    apart: bool = False
    negated: bool = False
    any_of: tuple[Part, ...] = ()
    count: tuple[str, float] | None = None
    by_verb: bool = False


def parts_of(condition: Condition, frame: Frame) -> list[Part]:
    match condition:
        case Compare():
            return [_comparison(condition, frame)]
        case Holds():
            return [_holds(condition, frame)]
        case Dated(mention=mention):
            return [Part(*dated(condition, frame))]
        case Related():
            return [_related(condition, frame)]
        case Flag(mention=mention, truth=truth):
            column = _column(mention, frame)
            wanted = truth != frame.option(mention).inverse
            if column.condition:
                return [_defined(column, frame, truth=wanted)]
            sql = exp.EQ(this=column_of(column), expression=truth_of(column, truth=wanted))
            return [Part(sql, (column.table,))]
        case Missing(mention=mention, truth=truth):
            return [_missing(_column(mention, frame), truth=truth)]
        case Not(condition=inner):
            return [_negated(inner, frame)]
        case AnyOf(conditions=inner):
            return [_any(inner, frame)]
        case AllOf(conditions=inner, apart=apart):
            parts = [part for each in inner for part in parts_of(each, frame)]
            return [Part(p.sql, p.tables, p.grouped, apart=apart, negated=p.negated) for p in parts]


def _column(mention: object, frame: Frame) -> Column:
    option = frame.option(mention)  # pyright: ignore[reportArgumentType]
    if option.column is None:
        raise NotUnderstood("a table where a column is needed")
    return option.column


def _any(conditions: Sequence[Condition], frame: Frame) -> Part:
    parts = tuple(all_in_one(parts_of(each, frame)) for each in conditions)
    tables = tuple(dict.fromkeys(table for part in parts for table in part.tables))
    either = exp.Paren(this=exp.or_(*(part.sql for part in parts)))
    return Part(either, tables, any(part.grouped for part in parts), any_of=parts)


def all_in_one(parts: Sequence[Part]) -> Part:
    if len(parts) == 1:
        return parts[0]
    tables = tuple(dict.fromkeys(table for part in parts for table in part.tables))
    sql = all_of([part.sql for part in parts])
    return Part(sql, tables, any(p.grouped for p in parts))


def _defined(column: Column, frame: Frame, *, truth: bool) -> Part:
    """Write a state that was defined; of rows of others, there are none where it does not hold."""
    sql, subject = state(column, frame), frame.subject()
    if truth:
        # Two terms of related rows may be true of different ones.
        return Part(sql, (column.table,), apart=True)
    if column.table in frame.core or (subject is not None and subject.name == column.table):
        return Part(exp.Not(this=exp.Paren(this=sql)), (column.table,))
    return Part(sql, (column.table,), apart=True, negated=True)


def _negated(condition: Condition, frame: Frame) -> Part:
    if isinstance(condition, Flag) and _column(condition.mention, frame).condition:
        return all_in_one(parts_of(replace(condition, truth=not condition.truth), frame))
    if isinstance(condition, Holds):
        return _holds(Holds(condition.literal, condition.mention, not condition.negated), frame)
    if isinstance(condition, Related | Compare) and condition.op in _CONTRARY:
        return all_in_one(parts_of(replace(condition, op=_CONTRARY[condition.op]), frame))
    part = all_in_one(parts_of(condition, frame))
    sql = part.sql
    if part.any_of or part.negated:
        return Part(sql, part.tables, part.grouped, part.apart, not part.negated, part.any_of)
    if isinstance(sql, exp.EQ):
        return Part(exp.NEQ(this=sql.this, expression=sql.expression), part.tables, part.grouped)
    return Part(exp.Not(this=exp.Paren(this=sql)), part.tables, part.grouped)


def _holds(condition: Holds, frame: Frame) -> Part:
    option = frame.option(condition.literal)
    column = option.column
    if column is None:
        raise NotUnderstood(f"no column holds {condition.literal.text!r}")
    person = person_name(option.table)
    words = option.value.split()
    if person is not None and column in person and len(words) > 1:
        return _called(person, words, negated=condition.negated)
    known = any(f.column is column and not f.part for f in condition.literal.found)
    if column.is_text and not known:
        sql = like(column, "%{}%", option.value)
        return Part(exp.Not(this=sql) if condition.negated else sql, (column.table,))
    operator = exp.NEQ if condition.negated else exp.EQ
    sql = operator(this=column_of(column), expression=value_for(column, option.value))
    if is_written_otherwise(column, option.value):
        sql = operator(this=folded(column), expression=text(option.value.lower()))
        frame.notes.append(f"{column.label} is compared whatever its letter case")
    return _at_end(sql, option, condition.literal.end, frame) or Part(sql, (column.table,))


def _at_end(sql: exp.Expr, option: Option, end: str, frame: Frame) -> Part | None:
    """Look a value up by the key of its end, where two keys point at the table that holds it."""
    holder = option.table
    for name in sorted(frame.reading.tables):
        joins = [j for j in frame.joins.between(name, holder.name) if j.to_one]
        fitting = [j for j in joins if names_of_end(end) & set(j.left.words)]
        if len(joins) > 1 and len(fitting) == 1:
            [join] = fitting
            keys = exp.select(column_of(join.right)).from_(frame.source(holder)).where(sql)
            within = exp.In(this=column_of(join.left), query=exp.Subquery(this=keys))
            return Part(within, (name,))
    return None


def _called(columns: Sequence[Column], words: Sequence[str], *, negated: bool) -> Part:
    """Compare a full name with the columns of its parts."""
    first, last = columns
    both = all_of(
        [
            exp.EQ(this=exp.Lower(this=column_of(column)), expression=text(value.lower()))
            for column, value in ((first, words[0]), (last, " ".join(words[1:])))
        ]
    )
    return Part(exp.Not(this=exp.Paren(this=both)) if negated else both, (first.table,))


def _comparison(condition: Compare, frame: Frame) -> Part:
    if isinstance(condition.term, Measure):
        return _grouped_comparison(condition, condition.term, frame)
    if not isinstance(condition.term, Field):
        raise NotUnderstood("only columns and figures are compared")
    option = frame.option(condition.term.mention)
    column = option.column
    if column is None and name_columns(option.table):
        column = name_columns(option.table)[0]
    if column is None:
        raise NotUnderstood(f"no column for {condition.term.mention.text!r}")
    op = _OPPOSITE.get(condition.op, condition.op) if option.inverse else condition.op
    return Part(compared(column, op, condition, frame), (column.table,))


def compared(column: Column, op: str, condition: Compare, frame: Frame) -> exp.Expr:
    operand = condition.operand
    if op in _PATTERNS and isinstance(operand, Literal):
        return like(column, _PATTERNS[op], operand.text)
    if isinstance(operand, Period):
        return all_of(_in_period(column, op, operand, frame))
    if column.is_time and isinstance(operand, float):
        return _in_years(column, op, condition, frame)
    if op == "between" and condition.upper is not None:
        low, high = (_operand(each, column, frame) for each in (operand, condition.upper))
        return exp.Between(this=as_number(column), low=low, high=high)
    left = _left(column, operand, op)
    return _OPERATORS[op](this=left, expression=_operand(operand, column, frame))


def _left(column: Column, operand: object, op: str) -> exp.Expr:
    """Compare texts of digits as the numbers that they are."""
    if isinstance(operand, float) and not column.is_number and op not in {"=", "!="}:
        return as_number(column)
    return column_of(column)


def _in_period(column: Column, op: str, period: Period, frame: Frame) -> list[exp.Expr]:
    bounds = {
        ">": (period.end, None), ">=": (period.start, None), "<": (None, period.start),
        "<=": (None, period.end),
    }  # fmt: skip
    start, end = bounds.get(op, (period.start, period.end))
    return calendar.within(column, start, end, frame.dialect)


def _in_years(column: Column, op: str, condition: Compare, frame: Frame) -> exp.Expr:
    """Take numbers beside a date for years."""
    numbers = (condition.operand, condition.upper)
    years = [int(each) for each in numbers if isinstance(each, float) and 1000 <= each <= 2200]
    if not years:
        raise NotUnderstood(f"{column.name} is a date")
    if op == "between" and len(years) == 2:
        first, last = year_period(years[0]), year_period(years[1])
        return all_of(calendar.within(column, first.start, last.end, frame.dialect))
    return all_of(_in_period(column, op, year_period(years[0]), frame))


def _operand(operand: Operand | Sketch, column: Column, frame: Frame) -> exp.Expr:
    match operand:
        case float():
            return number(operand) if column.is_number else _text_number(operand, column)
        case Literal():
            return value_for(column, operand.text)
        case Measure():
            return scalar(operand, frame)
        case Sketch():
            return frame.nested(operand)
        case Field(mention=mention):
            return column_of(_column(mention, frame))
        case _:
            raise NotUnderstood("no such operand")


def _text_number(value: float, column: Column) -> exp.Expr:
    return text(f"{value:.15g}") if column.is_text else number(value)


def scalar(term: Measure, frame: Frame) -> exp.Expr:
    """Write a figure over all rows of its table, to compare with."""
    piece = measure(term, frame)
    if piece.column is None:
        raise NotUnderstood("a figure of what?")
    table = frame.table(piece.column.table)
    return exp.Subquery(this=exp.select(piece.sql).from_(frame.source(table)))


def _grouped_comparison(condition: Compare, term: Measure, frame: Frame) -> Part:
    piece = measure(term, frame)
    operand = condition.operand
    grouped = frame.sketch.groups or any(isinstance(each, Field) for each in frame.sketch.items)
    if piece.column is not None and piece.column.metric is not None and not grouped:
        raise NotUnderstood(f"{DEFINED} {piece.column.name} is one figure of many rows already")
    if not isinstance(operand, float):
        raise NotUnderstood("groups are compared with numbers only")
    if condition.op == "between" and isinstance(condition.upper, float):
        sql: exp.Expr = exp.Between(
            this=piece.sql, low=number(operand), high=number(condition.upper)
        )
    else:
        sql = _OPERATORS[condition.op](this=piece.sql, expression=number(operand))
    return Part(sql, piece.tables, grouped=True)


def _related(condition: Related, frame: Frame) -> Part:
    option = frame.reading.option(condition.mention)
    if condition.op and option is not None and option.column is not None:
        figure = Compare(Field(condition.mention), condition.op, condition.number)
        if option.column.is_measure:
            return _comparison(figure, frame)
    parts = [part for each in condition.conditions for part in parts_of(each, frame)]
    tables = [table for part in parts for table in part.tables]
    if condition.mention.meanings:
        tables.insert(0, frame.option(condition.mention).table.name)
    sql = all_of([part.sql for part in parts]) if parts else exp.true()
    unique = tuple(dict.fromkeys(tables))
    count = (condition.op, condition.number) if condition.op else None
    return Part(
        sql,
        unique,
        apart=condition.negated,
        negated=condition.negated,
        count=count,
        by_verb=condition.by_verb,
    )


def _missing(column: Column, *, truth: bool) -> Part:
    null = exp.Is(this=column_of(column), expression=exp.null())
    if column.is_text:
        empty = exp.EQ(this=column_of(column), expression=text(""))
        null_or_empty: exp.Expr = exp.Paren(this=exp.or_(null, empty))
        return Part(null_or_empty if truth else exp.Not(this=null_or_empty), (column.table,))
    return Part(null if truth else exp.Not(this=null), (column.table,))
