"""The columns that a query may use: a table's own, and those of the rows that it points at.

`customers.country` on `orders` is the country of the one customer that an order points at. Only
such look-ups are made: a join that could meet several rows would count a measure twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.errors import BadArguments
from core.domain.names import unknown_name
from core.domain.query import Dialect
from core.sql import builder
from core.toolkit.joins import Link, join_graph

_MOST_HINTS = 3


@dataclass(frozen=True, slots=True)
class Picked:
    """A column, and how a query of its source names it."""

    column: CatalogColumn
    value: exp.Expr

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(slots=True)
class Source:
    """One table and the look-ups that were asked for so far; ask first, then make the query."""

    catalog: Catalog
    table: CatalogTable
    _joined: dict[str, Link] = field(default_factory=dict[str, Link])

    @classmethod
    def of(cls, catalog: Catalog, name: str) -> Source:
        """Begin with a table.

        Raises:
            BadArguments: there is none of that name; the advice lists the nearest names.
        """
        table = catalog.table(name)
        if table is None:
            raise BadArguments(unknown_name("table", name, (t.name for t in catalog.tables)))
        return cls(catalog, table)

    @property
    def dialect(self) -> Dialect:
        return self.catalog.dialect

    def column(self, name: str) -> Picked:
        """Find a column: the table's own, or `other_table.column` for a look-up.

        Raises:
            BadArguments: there is none; the advice lists the nearest, and look-ups that have it.
        """
        own = self.table.column(name)
        if own is not None:
            return Picked(own, builder.column_of(own))
        table_name, _, column_name = name.rpartition(".")
        if table_name:
            return self._look_up(_bare(table_name), _bare(column_name))
        raise BadArguments(self._unknown(name))

    def condition(self, text: str) -> exp.Expr | None:
        """Read a condition on these columns; None of empty text.

        Raises:
            BadArguments: it is no condition, or names a column that there is not.
        """
        tree = builder.condition(text, self.dialect)
        return None if tree is None else self._resolved(tree)

    def expression(self, text: str) -> exp.Expr:
        """Read arithmetic on these columns, such as `quantity * price`; it divides exactly.

        Raises:
            BadArguments: it is none, or names a column that there is not.
        """
        try:
            tree = sqlglot.parse_one(text, dialect=self.dialect)
        except (SqlglotError, RecursionError, ValueError) as error:
            raise BadArguments(_no_expression(text)) from error
        if not isinstance(tree, _VALUES) or tree.find(exp.AggFunc, exp.Query, exp.Window):
            raise BadArguments(_no_expression(text))
        for division in list(tree.find_all(exp.Div)):
            division.set("this", builder.as_number(division.this, self.dialect))
        return self._resolved(tree)

    def grouped(
        self,
        by: Mapping[str, exp.Expr],
        figures: Mapping[str, exp.Expr],
        where: Sequence[exp.Expr | None] = (),
    ) -> exp.Select:
        """Select figures for each group (for all rows together without one)."""
        query = self.rows({**by, **figures}, where)
        keys = [self._qualified(value.copy()) for value in by.values()]
        return query.group_by(*keys) if keys else query

    def rows(
        self, values: Mapping[str, exp.Expr], where: Sequence[exp.Expr | None] = ()
    ) -> exp.Select:
        """Select values row by row."""
        columns = (
            self._qualified(value.copy()).as_(name, quoted=True) for name, value in values.items()
        )
        holds = [self._qualified(each.copy()) for each in where if each is not None]
        query = exp.select(*columns).from_(self._table(self.table)).where(*holds)
        for link in self._joined.values():
            target = self._target(link)
            query = query.join(self._table(target), on=self._meets(link), join_type="left")
        return query

    # Look-ups

    def _look_up(self, table_name: str, column_name: str) -> Picked:
        target = self.catalog.table(table_name)
        if target is None:
            names = (table.name for table in self.catalog.tables)
            raise BadArguments(unknown_name("table", table_name, names))
        column = target.column(column_name)
        if column is None:
            what = f"column of {target.qualified_name}"
            raise BadArguments(unknown_name(what, column_name, (c.name for c in target.columns)))
        if target is self.table:
            return Picked(column, builder.column_of(column))
        for link in self._path(target):
            self._joined.setdefault(link.right, link)
        return Picked(column, builder.column_of(column, of=target.name))

    def _path(self, target: CatalogTable) -> tuple[Link, ...]:
        paths = join_graph(self.catalog).paths(self.table.qualified_name, target.qualified_name)
        single = [path for path in paths if all(link.many_right is False for link in path)]
        if len(single) == 1:
            return single[0]
        if single:
            raise BadArguments(
                f"There are several ways from {self.table.name} to {target.name}: write the join "
                "yourself with run_query."
            )
        raise BadArguments(
            f"A row of {self.table.name} does not point at one row of {target.name}, so a join "
            f"would count its figures more than once. Begin with {target.name}, or write the query "
            "with run_query."
        )

    def _target(self, link: Link) -> CatalogTable:
        return self._known(link.right)

    def _known(self, name: str) -> CatalogTable:
        table = self.catalog.table(name)
        if table is None:
            raise BadArguments(unknown_name("table", name, (t.name for t in self.catalog.tables)))
        return table

    def _meets(self, link: Link) -> exp.Expr:
        left, right = self._known(link.left).name, self._known(link.right).name
        pairs = zip(link.left_columns, link.right_columns, strict=True)
        return exp.and_(
            *(
                exp.EQ(
                    this=builder.column_of(mine, of=left),
                    expression=builder.column_of(its, of=right),
                )
                for mine, its in pairs
            )
        )

    # Names

    def _table(self, table: CatalogTable) -> exp.Table:
        needed = self._joined and table.schema  # else its name alone says which table is meant
        return builder.table_of(table, alias=table.name if needed else "")

    def _qualified(self, value: exp.Expr) -> exp.Expr:
        """Say which table the table's own columns are of, once there is more than one table."""
        if self._joined:
            for column in _columns_outside_queries(value):
                if not column.table:
                    column.set("table", exp.to_identifier(self.table.name, quoted=True))
        return value

    def _resolved(self, tree: exp.Expr) -> exp.Expr:
        """Write every column as the catalog does; what a subquery names is its own matter."""
        whole = exp.Paren(this=tree)
        for column in _columns_outside_queries(whole):
            found = self.column(f"{column.table}.{column.name}" if column.table else column.name)
            column.replace(found.value.copy())
        return whole.this

    def _unknown(self, name: str) -> str:
        what = f"column of {self.table.qualified_name}"
        advice = unknown_name(what, name, (column.name for column in self.table.columns))
        hints = list(self._elsewhere(name))[:_MOST_HINTS]
        return f"{advice} Through a key there is {', '.join(hints)}." if hints else advice

    def _elsewhere(self, name: str) -> Iterator[str]:
        for link in join_graph(self.catalog).links.get(self.table.qualified_name, ()):
            table = self.catalog.table(link.right)
            if table and link.many_right is False and (column := table.column(name)):
                yield f"{table.qualified_name}.{column.name}"


_VALUES = (exp.Column, exp.Binary, exp.Unary, exp.Paren, exp.Func, exp.Case)


def _columns_outside_queries(tree: exp.Expr) -> list[exp.Column]:
    """Return the columns of an expression in its own scope."""
    inner = {
        id(column) for query in tree.find_all(exp.Query) for column in query.find_all(exp.Column)
    }
    return [column for column in tree.find_all(exp.Column) if id(column) not in inner]


def _bare(name: str) -> str:
    return name.strip().strip('"`[]')


def _no_expression(text: str) -> str:
    return (
        f"{text!r} is neither a column nor arithmetic on columns of one row, such as "
        "quantity * price. Aggregates are chosen with `how`."
    )
