"""What a query is built from: the sketch, what its words were decided to be, and the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from sqlglot import exp

from adapters.models.offline.form.resolve import Reading
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.sqltext import NotUnderstood, table_of
from adapters.models.offline.sketch.sketch import (
    Field,
    Literal,
    Measure,
    Mention,
    Ratio,
    Sketch,
    Span,
)
from adapters.models.offline.world.joins import Join, JoinGraph
from adapters.models.offline.world.roles import date_columns, year_column
from adapters.models.offline.world.schema import Column, Schema, Table

_FARTHEST_DATE = 2


class OutOfReach(NotUnderstood):
    """What is meant is clear, and the data cannot tell it; the message says why to the reader."""


@dataclass(slots=True, eq=False)
class Frame:
    """`core` are the tables whose rows the answer is made of; `notes` are assumptions made."""

    sketch: Sketch
    reading: Reading
    schema: Schema
    joins: JoinGraph
    dialect: str
    today: date
    nested: Callable[[Sketch], exp.Expr]
    core: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def option(self, word: Mention | Literal | None) -> Option:
        found = self.reading.option(word)
        if found is None:
            raise NotUnderstood(f"nothing for {getattr(word, 'text', word)!r}")
        return found

    def table(self, name: str) -> Table:
        found = self.schema.table(name)
        if found is None:
            raise NotUnderstood(f"no table {name!r}")
        return found

    def source(self, table: Table) -> exp.Table:
        return table_of(table)

    def subject(self) -> Table | None:
        mention = self.sketch.subject
        option = self.reading.option(mention)
        return option.table if option is not None else None

    def add_core(self, tables: Iterable[str]) -> None:
        self.core.extend(table for table in tables if table not in self.core)

    def is_single_from(self, table: str, other: str) -> bool:
        """Say whether a row of one table has at most one in the other."""
        way = self.joins.path([table], other)
        return way is not None and all(join.to_one for join in way)

    def multiplies(self, table: str) -> bool:
        """Say whether joining the core makes several rows of one of this table."""
        return any(not self.is_single_from(table, other) for other in self.core if other != table)

    def connections(self) -> tuple[Join, ...]:
        """Return the joins between the tables of the core."""
        tree = self.joins.tree(self.core)
        if tree is None:
            raise NotUnderstood("the tables do not hang together")
        return tree

    def date_column(self, near: Iterable[str]) -> Column:
        """Return the date of what these tables hold, or of what their rows point at.

        Raises:
            NotUnderstood: there is none.
        """
        own = self._date_of_metric()
        if own is not None:
            return own
        for name in dict.fromkeys((*near, *self.core)):
            for table in (self.table(name), *self._pointed_at(name)):
                dates = date_columns(table)
                found = dates[0] if dates else year_column(table)
                if found is not None:
                    return found
        raise NotUnderstood("no date column")

    def _date_of_metric(self) -> Column | None:
        """Return the date that the definition of a figure names."""
        for term in (*self.sketch.items, *(key.term for key in self.sketch.order)):
            option = self.reading.option(term.mention) if isinstance(term, Measure) else None
            metric = option.column.metric if option is not None and option.column else None
            if option is not None and metric is not None and metric.date:
                return option.table.column(metric.date)
        return None

    def _pointed_at(self, name: str) -> list[Table]:
        """Return the tables that rows of one belong to; nearer ones first, events before things."""
        reached = [
            (len(way), -self._pointing(table.name), table.name)
            for table in self.schema.tables
            if table.name != name and self.is_single_from(name, table.name)
            for way in (self.joins.path([name], table.name),)
            if way is not None and len(way) <= _FARTHEST_DATE
        ]
        return [self.table(each) for _, _, each in sorted(reached)]

    def _pointing(self, name: str) -> int:
        return sum(join.to_one for join in self.joins.joins_from(name))

    def measured_tables(self) -> tuple[str, ...]:
        """Return the tables of the figures that are asked for, else that of the subject."""
        figures = [
            self.option(term.mention).table.name
            for term in (*self.sketch.items, *(key.term for key in self.sketch.order))
            if isinstance(term, Measure) and term.mention is not None
        ]
        figures += [
            option.table.name
            for term in (*self.sketch.items, *(key.term for key in self.sketch.order))
            if isinstance(term, Field)
            and (option := self.option(term.mention)).column is not None
            and option.column.is_measure
        ]
        figures += [
            self.option(term.top.mention).table.name
            for term in self.sketch.items
            if isinstance(term, Ratio) and term.top.mention is not None
        ]
        figures += [
            self.option(term.first).table.name
            for term in self.sketch.items
            if isinstance(term, Span)
        ]
        subject = self.subject()
        return tuple(dict.fromkeys((*figures, *((subject.name,) if subject else ()))))
