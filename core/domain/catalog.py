"""What tables and columns a connection has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from core.domain.query import Dialect
from core.domain.table import ColumnKind


@dataclass(frozen=True, slots=True)
class Origin:
    """A column that another is made of, by its table's qualified name."""

    table: str
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogColumn:
    """`type` is the engine's own word; `kind` is read from it (a numeric key is a DIMENSION).

    `values` are all distinct values of a column with few of them (at most 30), else empty.
    `masked`: every value of it shows as three stars, whatever a query does with it.
    `origins`: what a view's column is made of, at least; None where that has not been told.
    """

    name: str
    type: str
    kind: ColumnKind
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()
    masked: bool = False
    origins: tuple[Origin, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """`columns` of this table point at `to_columns` of table `to_table` in `to_schema`."""

    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]
    to_schema: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTable:
    """`schema` is empty for the connection's default one; `row_estimate` is None where unknown.

    `restricted`: the database has more of it than may be seen; every query reads it through the
    columns that stand here, and the masked ones among them through their mask.
    `definition` is a view's statement, as the engine keeps it; empty where it is not told.
    `unique_keys` are further keys that are declared, as far as the engine tells them.
    `inherits` are the tables whose rows and columns this one shares.
    """

    name: str
    columns: tuple[CatalogColumn, ...]
    schema: str = ""
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    row_estimate: int | None = None
    comment: str = ""
    is_view: bool = False
    restricted: bool = False
    definition: str = ""
    inherits: tuple[str, ...] = ()

    @property
    def qualified_name(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name

    def column(self, name: str) -> CatalogColumn | None:
        """Find a column: by its exact name first, else whatever the letter case."""
        exact = next((column for column in self.columns if column.name == name), None)
        folded = name.casefold()
        return exact or next((c for c in self.columns if c.name.casefold() == folded), None)


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Tables in the order of their names.

    `default_schema` is the one that tables without a schema live in, empty where the engine's
    usual one is meant ("public", "main", "dbo"); MySQL's is the database connected to.
    `narrowed`: there is more in the database than may be told, so that its own lists of what it
    has are not read either.
    """

    dialect: Dialect
    tables: tuple[CatalogTable, ...] = ()
    default_schema: str = ""
    narrowed: bool = False

    def table(self, name: str) -> CatalogTable | None:
        """Find a table by name or `schema.name`: exactly first, else whatever the letter case."""
        return self._exact.get(name) or self._folded.get(name.casefold())

    @cached_property
    def _exact(self) -> dict[str, CatalogTable]:
        return _index(self.tables, fold=False)

    @cached_property
    def _folded(self) -> dict[str, CatalogTable]:
        return _index(self.tables, fold=True)

    @cached_property
    def version(self) -> str:
        """Return a hash of tables, columns, types and keys; what they hold does not change it."""
        structure = (self.dialect, self.default_schema, [*map(_structure, self.tables)])
        return hashlib.sha256(repr(structure).encode()).hexdigest()[:16]


def _structure(table: CatalogTable) -> object:
    columns = [(each.name, each.type, each.nullable, each.masked) for each in table.columns]
    keys = (table.primary_key, table.foreign_keys)
    return (table.schema, table.name, table.is_view, table.restricted, columns, keys)


def _index(tables: tuple[CatalogTable, ...], *, fold: bool) -> dict[str, CatalogTable]:
    found: dict[str, CatalogTable] = {}
    for table in tables:
        for name in (table.name, table.qualified_name):
            found.setdefault(name.casefold() if fold else name, table)
    return found
