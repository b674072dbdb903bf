"""One expression of a query, and what else is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from adapters.models.offline.form.sqltext import column_of
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.world.schema import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One expression of a query: its SQL, the tables it reads, and what to call it."""

    sql: exp.Expr
    name: str
    tables: tuple[str, ...]
    aggregated: bool = False
    column: Column | None = None
    table: Table | None = None
    grain: Grain | None = None
    median: bool = False
    sort: exp.Expr | None = None

    def same_as(self, other: Piece) -> bool:
        return self.sql == other.sql


def plain(column: Column) -> Piece:
    return Piece(column_of(column), column.name, (column.table,), column=column)
