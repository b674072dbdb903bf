"""Gives a query its shape: what it shows, groups by, orders by and leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.tokens import Tokenizer

from adapters.models.offline.form.changes import with_changes
from adapters.models.offline.form.conditions import Part, parts_of
from adapters.models.offline.form.duplicates import duplicates_query
from adapters.models.offline.form.empty_periods import empty_periods_query
from adapters.models.offline.form.frame import Frame, NotUnderstood
from adapters.models.offline.form.growth import growth_query
from adapters.models.offline.form.joining import exists, joined, placed
from adapters.models.offline.form.median import WITHOUT_MEDIAN, median_query
from adapters.models.offline.form.ordering import in_order, of_group, order_piece, shown_entity
from adapters.models.offline.form.pieces import Piece, plain
from adapters.models.offline.form.ratios import ratio
from adapters.models.offline.form.rewrite import rewritten
from adapters.models.offline.form.running import added_up
from adapters.models.offline.form.sqltext import (
    column_of,
    number,
)
from adapters.models.offline.form.terms import folded_case, pieces_of, tables_needed
from adapters.models.offline.form.within import first_within
from adapters.models.offline.sketch.sketch import (
    Bucket,
    Field,
    Measure,
    Ratio,
    Term,
)
from adapters.models.offline.world.roles import display_columns, name_columns
from adapters.models.offline.world.schema import Table

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The expressions of a query before its tables are joined."""

    items: tuple[Piece, ...]
    groups: tuple[Piece, ...]
    order: tuple[tuple[exp.Expr, bool], ...]
    rows: tuple[exp.Expr, ...]
    having: tuple[exp.Expr, ...]


def build(frame: Frame) -> exp.Select:
    """Write the whole query.

    Raises:
        NotUnderstood: the reading makes no query.
    """
    special = _special(frame)
    return special if special is not None else _plain(frame)


def _special(frame: Frame) -> exp.Select | None:
    """Write a query whose shape is not that of rows, groups and figures."""
    sketch = frame.sketch
    if sketch.growth:
        return growth_query(frame)
    if sketch.duplicates:
        return duplicates_query(frame)
    if sketch.empty is not None:
        return empty_periods_query(frame)
    if sketch.within is not None and sketch.order:
        return first_within(frame, build)
    return None


def _plain(frame: Frame) -> exp.Select:
    superlatives = rewritten(frame)
    frame.add_core(_core(frame))
    parts = [part for condition in frame.sketch.conditions for part in parts_of(condition, frame)]
    if not frame.core:
        frame.add_core(next((part.tables for part in parts if part.tables), ()))
    if not frame.core:
        raise NotUnderstood("the question names no table")
    parts += superlatives
    parts = [_values_without(part, frame) for part in parts]
    grouped = [part for part in parts if part.grouped or _counts_the_group(part, frame)]
    for part in grouped:
        frame.add_core(part.tables)
    rows = _different(placed([part for part in parts if part not in grouped], frame))
    shape = _shape(frame, rows, grouped)
    if frame.dialect in WITHOUT_MEDIAN and any(item.median for item in shape.items):
        return median_query(shape.items, shape.groups, shape.rows, frame)
    return _written(shape, frame)


def _values_without(part: Part, frame: Frame) -> Part:
    """Write `countries without an author born before 1950`: values that occur with none."""
    entity = shown_entity(frame)
    if not part.negated or entity is None:
        return part
    if set(part.tables) != {entity.name}:
        return _kinds_without(part, entity, frame)
    shown = [frame.option(item.mention) for item in frame.sketch.items if isinstance(item, Field)]
    if len(shown) != 1 or shown[0].column is None or part.sql == exp.true():
        raise NotUnderstood("nothing that rows could be without")
    if shown[0].column in entity.key:
        return part
    frame.sketch.distinct = True
    value = column_of(shown[0].column)
    among = exp.select(value.copy()).from_(frame.source(entity)).where(part.sql)
    sql = exp.Not(this=exp.In(this=value, query=exp.Subquery(this=among)))
    return Part(sql, part.tables)


def _kinds_without(part: Part, entity: Table, frame: Frame) -> Part:
    """Write `type codes that are not used by any document`: kinds, not rows, occur with none."""
    shown = [frame.option(item.mention) for item in frame.sketch.items if isinstance(item, Field)]
    column = shown[0].column if len(shown) == 1 and len(frame.sketch.items) == 1 else None
    if column is None or column.target is None or column in entity.key or part.any_of:
        return part
    frame.sketch.distinct = True
    value = column_of(column)
    among = exp.select(value.copy()).from_(frame.source(entity))
    among = among.where(exists([replace(part, negated=False, apart=False)], frame))
    sql = exp.Not(this=exp.In(this=value, query=exp.Subquery(this=among)))
    return Part(sql, (entity.name,))


def _different(expressions: Sequence[exp.Expr]) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    for each in expressions:
        if each not in found:
            found.append(each)
    return found


def _core(frame: Frame) -> list[str]:
    """Return the tables of what is shown, grouped and ordered by; the subject first."""
    subject = frame.subject()
    found = [subject.name] if subject is not None else []
    terms: list[Term] = [*frame.sketch.items, *frame.sketch.groups]
    terms += [key.term for key in frame.sketch.order]
    for term in terms:
        found.extend(tables_needed(term, frame))
    if any(isinstance(term, Bucket) and term.mention is None for term in terms):
        buckets = (pieces_of(term, frame) for term in terms if isinstance(term, Bucket))
        found.extend(table for pieces in buckets for piece in pieces for table in piece.tables)
    return found


def _counts_the_group(part: Part, frame: Frame) -> bool:
    """Say whether `more than 3 of them` is about the rows of a group."""
    if part.count is None:
        return False
    sketch = frame.sketch
    shows_rows = any(isinstance(term, Field) for term in sketch.items)
    if sketch.groups or (shows_rows and any(isinstance(t, Measure) for t in sketch.items)):
        return True
    entity = shown_entity(frame)
    return entity is not None and entity.name in part.tables


def _shape(frame: Frame, rows: Sequence[exp.Expr], grouped: Sequence[Part]) -> Shape:
    items = [piece for term in frame.sketch.items for piece in _pieces(term, frame)]
    groups = [piece for term in frame.sketch.groups for piece in _group_pieces(term, frame, items)]
    having = [_having(part) for part in grouped]
    order = [order_piece(key, frame) for key in frame.sketch.order]
    is_grouped = bool(having) or any(
        piece.aggregated for piece in (*items, *(piece for piece, _ in order))
    )
    items = _with_groups(items, groups, frame)
    if is_grouped:
        order = [(of_group(each, items, descending=down), down) for each, down in order]
    items = _with_ranking(items, order, frame)
    by = _group_by(items, groups, frame) if is_grouped else []
    items = added_up(items, groups) if frame.sketch.running else items
    items = with_changes(items, groups, frame) if frame.sketch.changes else items
    return Shape(
        items=tuple(_unique(items)),
        groups=tuple(by),
        order=tuple(in_order(order, items, groups, frame)),
        rows=tuple(rows),
        having=tuple(having),
    )


def _pieces(term: Term, frame: Frame) -> Sequence[Piece]:
    return (ratio(term, frame),) if isinstance(term, Ratio) else pieces_of(term, frame)


def _having(part: Part) -> exp.Expr:
    if part.count is None:
        return part.sql
    operators: dict[str, type[exp.Binary]] = {
        ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "=": exp.EQ, "!=": exp.NEQ,
    }  # fmt: skip
    op, wanted = part.count
    counted: exp.Expr = exp.Count(this=exp.Star())
    if part.sql != exp.true():
        counted = exp.Sum(this=exp.Case().when(part.sql, number(1)).else_(number(0)))
    return operators[op](this=counted, expression=number(wanted))


def _group_pieces(term: Term, frame: Frame, items: Sequence[Piece]) -> Sequence[Piece]:
    """Group by a column, or by the rows of a table and what of them is shown."""
    pieces = [folded_case(piece, frame) for piece in pieces_of(term, frame)]
    if not isinstance(term, Field) or frame.option(term.mention).column is not None:
        return pieces
    table = frame.option(term.mention).table
    shown = [p for p in items if not p.aggregated and p.column and p.column.table == table.name]
    called = (*display_columns(table), *table.key)
    names = any(p.column in called or p.column.words[-1] == "name" for p in shown if p.column)
    return tuple(shown) if names else (*pieces, *shown)


def _with_groups(items: list[Piece], groups: Sequence[Piece], frame: Frame) -> list[Piece]:
    """Show the groups too, before the figures, unless they are listed already."""
    missing = [group for group in groups if not any(group.same_as(item) for item in items)]
    if not missing or (frame.sketch.explicit and any(not item.aggregated for item in items)):
        return items
    return [*missing, *items]


def _with_ranking(
    items: list[Piece], order: Sequence[tuple[Piece, bool]], frame: Frame
) -> list[Piece]:
    """Show what things are ranked by, where only the things were named."""
    sketch = frame.sketch
    named_only = all(item.table is not None for item in items) or sketch.ranked
    several = sketch.limit is None or sketch.limit > 1
    if not (named_only and several and order) or sketch.explicit:
        return items
    missing = [piece for piece, _ in order if not any(piece.same_as(item) for item in items)]
    return [*items, *missing]


def _group_by(items: Sequence[Piece], groups: Sequence[Piece], frame: Frame) -> list[Piece]:
    """Group by everything shown that is no figure, and by the key of what the rows are."""
    by = _unique([*groups, *(item for item in items if not item.aggregated)])
    keys = [
        plain(key)
        for table in _entities(by, frame)
        for key in table.key
        if not any(plain(key).same_as(piece) for piece in by)
    ]
    return [*keys, *by]


def _entities(by: Sequence[Piece], frame: Frame) -> list[Table]:
    """Return the tables that rows are grouped to: those whose names stand among the groups."""
    names = {piece.column.table for piece in by if piece.column is not None and piece.grain is None}
    found: list[Table] = []
    for name in names:
        table = frame.table(name)
        mine = [piece.column for piece in by if piece.column and piece.column.table == name]
        called = any(column in display_columns(table) or column in table.key for column in mine)
        if called and len(table.key) == 1 and frame.multiplies(name):
            found.append(table)
    return found


def _unique(pieces: Sequence[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for piece in pieces:
        if not any(piece.same_as(other) for other in found):
            found.append(piece)
    return found


def _written(shape: Shape, frame: Frame) -> exp.Select:
    sketch = frame.sketch
    if not shape.items:
        raise NotUnderstood("nothing to show")
    select = exp.select(*_aliased(shape.items))
    select = joined(select, frame)
    if shape.rows:
        select = select.where(*shape.rows)
    if shape.groups:
        select = select.group_by(*(piece.sql.copy() for piece in shape.groups))
    if shape.having:
        select = select.having(*shape.having)
    for sql, descending in shape.order:
        select = select.order_by(
            exp.Ordered(this=sql.copy(), desc=descending, nulls_first=False if descending else None)
        )
    if sketch.limit is not None:
        select = select.limit(sketch.limit)
        select = select.offset(sketch.offset) if sketch.offset else select
    if (sketch.distinct or _asks_for_values(shape, frame)) and not shape.groups:
        select = select.distinct()
    return select


def _asks_for_values(shape: Shape, frame: Frame) -> bool:
    """Say whether `which countries have …` asks for values, which are named once each."""
    sketch = frame.sketch
    if not sketch.which or sketch.limit or len(shape.items) != 1:
        return False
    [item] = shape.items
    if item.column is None or item.table is not None or shape.order:
        return False
    table = frame.table(item.column.table)
    called = (*name_columns(table), *table.key)
    return item.column not in called and (item.column.is_year or not item.column.is_number)


def _aliased(pieces: Sequence[Piece]) -> list[exp.Expr]:
    """Name figures; plain columns keep their names, and two of one name say their table."""
    names = [piece.name for piece in pieces]
    found: list[exp.Expr] = []
    for piece in pieces:
        computed = not isinstance(piece.sql, exp.Column)
        name = piece.name
        if names.count(name) > 1 and piece.column is not None:
            name = f"{piece.column.table}_{name}"
        plain_name = not computed and name == piece.name
        found.append(piece.sql.copy() if plain_name else _named(piece.sql.copy(), name))
    return found


def _named(sql: exp.Expr, name: str) -> exp.Expr:
    """Name a figure; quoted where the name of its column has spaces or is a word of SQL."""
    is_plain = _PLAIN_NAME.fullmatch(name) is not None and name.upper() not in Tokenizer.KEYWORDS
    return exp.alias_(sql, name, quoted=not is_plain)
