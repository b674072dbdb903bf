"""Terms of a sketch as SQL, with the tables that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.bands import band
from adapters.models.offline.form.buckets import bucket, span
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.measures import PREFIXES, measure
from adapters.models.offline.form.pieces import Piece, plain
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import folded, is_written_otherwise
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Band,
    Bucket,
    Everything,
    Field,
    Gap,
    Measure,
    Mention,
    Ratio,
    Span,
    Term,
)
from adapters.models.offline.world.roles import display_columns, name_columns
from adapters.models.offline.world.schema import Column


def tables_needed(term: Term, frame: Frame) -> tuple[str, ...]:
    """Return the tables that a term reads, before it can be written."""
    match term:
        case (
            Field(mention=mention)
            | Measure(mention=mention)
            | Band(mention=mention)
            | Everything(mention=mention)
            | Bucket(mention=mention)
        ):
            return (frame.option(mention).table.name,) if mention is not None else ()
        case Span(first=first, pick=pick) if pick:
            return (frame.option(first).table.name,)
        case Span(first=first, last=last):
            return (frame.option(first).table.name, frame.option(last).table.name)
        case Ratio(top=top, bottom=bottom) | Gap(top=top, bottom=bottom):
            return (*tables_needed(top, frame), *tables_needed(bottom, frame))


def pieces_of(term: Term, frame: Frame) -> tuple[Piece, ...]:
    """Write a term; a table stands for what its rows are called by."""
    match term:
        case Field(mention=mention):
            return _field(mention, frame)
        case Measure():
            return (measure(term, frame),)
        case Everything(mention=mention):
            return _everything(mention, frame)
        case Bucket() | Band() | Span():
            return (_stretch(term, frame),)
        case Gap():
            return (_gap(term, frame),)
        case Ratio():
            raise NotUnderstood("a ratio is written with its conditions")


def _stretch(term: Bucket | Band | Span, frame: Frame) -> Piece:
    if isinstance(term, Bucket):
        return bucket(term, frame)
    return band(term, frame) if isinstance(term, Band) else span(term, frame)


def _gap(term: Gap, frame: Frame) -> Piece:
    (one,), (other,) = pieces_of(term.top, frame), pieces_of(term.bottom, frame)
    sql: exp.Expr = exp.Sub(this=one.sql, expression=other.sql)
    tables = (*one.tables, *other.tables)
    if term.aggregate is None:
        return Piece(sql, "difference", tables, aggregated=one.aggregated)
    kind = {Aggregate.AVG: exp.Avg, Aggregate.SUM: exp.Sum, Aggregate.MIN: exp.Min}
    made = kind.get(term.aggregate, exp.Max)(this=sql)
    name = f"{PREFIXES[term.aggregate]}_difference"
    return Piece(made, name, tables, aggregated=True)


def _field(mention: Mention, frame: Frame) -> tuple[Piece, ...]:
    option = frame.option(mention)
    if option.column is None:
        columns = display_columns(option.table)
        return tuple(replace(plain(column), table=option.table) for column in columns)
    return tuple(plain(column) for column in _whole_name(mention, option))


def _whole_name(mention: Mention, option: Option) -> Sequence[Column]:
    """Take first and last name where just the name was asked for and there is no other."""
    column = option.column
    words = mention.text.lower().split()
    named = name_columns(option.table)
    whole = not set(words) & {"first", "last", "given", "family"} or "and" in words
    if column in named and len(named) == 2 and words[-1] in {"name", "names"} and whole:
        return named
    return (column,) if column is not None else ()


def _everything(mention: Mention | None, frame: Frame) -> tuple[Piece, ...]:
    table = frame.option(mention).table if mention is not None else frame.subject()
    if table is None:
        raise NotUnderstood("everything of what?")
    return tuple(plain(column) for column in table.columns)


def folded_case(piece: Piece, frame: Frame) -> Piece:
    """Make one group of values that differ by their letter case alone."""
    column = piece.column
    mixed = column is not None and any(is_written_otherwise(column, v) for v in column.values)
    if column is None or not mixed or not isinstance(piece.sql, exp.Column):
        return piece
    frame.notes.append(f"{column.label} is grouped whatever its letter case")
    return replace(piece, sql=folded(column))
