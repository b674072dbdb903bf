"""By what the rows of an answer are ordered: what was named, the calendar, else their figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from adapters.models.offline.form.dated import natural_order, position_of
from adapters.models.offline.form.frame import Frame
from adapters.models.offline.form.measures import aggregated
from adapters.models.offline.form.pieces import Piece
from adapters.models.offline.form.sqltext import column_of
from adapters.models.offline.form.terms import pieces_of
from adapters.models.offline.sketch.sketch import Field, OrderKey
from adapters.models.offline.world.schema import Column, Table


def shown_entity(frame: Frame) -> Table | None:
    """Return the table that the shown columns are of, if it is one."""
    tables = {
        frame.option(item.mention).table.name
        for item in frame.sketch.items
        if isinstance(item, Field)
    }
    return frame.table(tables.pop()) if len(tables) == 1 else None


def order_piece(key: OrderKey, frame: Frame) -> tuple[Piece, bool]:
    (piece, *_) = pieces_of(key.term, frame)
    descending = key.descending
    if isinstance(key.term, Field):
        option = frame.option(key.term.mention)
        descending = descending != option.inverse
        entity = shown_entity(frame) or frame.subject()
        column = piece.column
        if column is None or entity is None or frame.sketch.groups:
            return piece, descending
        if not frame.is_single_from(entity.name, column.table):
            sql = _of_many(key.term, column, frame, descending=descending)
            piece = replace(piece, sql=sql, aggregated=True, name=f"{column.name}")
    return piece, descending


def of_group(piece: Piece, items: Sequence[Piece], *, descending: bool) -> Piece:
    """Order groups by a figure that is shown, where the column of it was named."""
    if piece.aggregated or piece.grain or any(piece.same_as(i) for i in items if not i.aggregated):
        return piece
    shown = [item for item in items if item.aggregated and item.column is piece.column]
    if shown:
        return shown[0]
    if piece.column is None or not piece.column.is_number:
        return piece
    return replace(piece, sql=aggregated(piece.column, descending=descending), aggregated=True)


def _of_many(term: Field, column: Column, frame: Frame, *, descending: bool) -> exp.Expr:
    """Make one figure of the several that a row has: of its highest, where those were named."""
    described = term.mention.near
    context = frame.reading.option(described or term.mention.context)
    if described is not None or (context is not None and context.table.name == column.table):
        return exp.Max(this=column_of(column)) if descending else exp.Min(this=column_of(column))
    return aggregated(column, descending=descending)


def in_order(
    order: Sequence[tuple[Piece, bool]],
    items: Sequence[Piece],
    groups: Sequence[Piece],
    frame: Frame,
) -> list[tuple[exp.Expr, bool]]:
    """Order as asked; else periods as they follow each other, and groups by their figure."""
    if order:
        return [(_sortable(piece), descending) for piece, descending in order]
    descending = frame.sketch.direction == "desc"
    if frame.sketch.direction:
        figures = [item for item in items if item.aggregated]
        wanted = figures[:1] or items[:1]
        return [(_sortable(piece), descending) for piece in wanted]
    if not groups:
        return []
    in_time = [(g.sort or _sortable(g), False) for g in groups if g.grain or g.sort is not None]
    figures = [(item.sql, True) for item in items if item.aggregated]
    return in_time or figures[:1]


def _sortable(piece: Piece) -> exp.Expr:
    if piece.column is not None and not piece.aggregated and piece.grain is None:
        names = natural_order(piece.column)
        if names:
            return position_of(piece.column, names)
    return piece.sql
