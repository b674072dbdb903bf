"""Reads what a login may read in PostgreSQL, in a few queries, and one that counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.warehouses.enrichment import CUT_TEXT_AT, named, relation
from adapters.warehouses.kinds import kind_of
from adapters.warehouses.sql_warehouse import Fetch, Found
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.errors import ToolError
from core.domain.query import Dialect
from core.domain.table import Cell, Row

_SECONDS = 30.0
_SECONDS_TO_COUNT = 1.0
_COUNTED_UP_TO = 64 * 1024 * 1024
_TABLES_AT_ONCE = 100

_SCHEMA = "SELECT coalesce(current_schema()::text, '')"
# Partitions are left out: their rows are the parent's. So is what an extension brought along:
# such views tell other people's queries.
_RELATIONS = """
SELECT c.oid::bigint, n.nspname::text, n.nspname = current_schema(), c.relname::text,
  c.relkind::text, c.reltuples::bigint, coalesce(pg_total_relation_size(c.oid), 0),
  coalesce(obj_description(c.oid, 'pg_class'), ''),
  CASE WHEN c.relkind IN ('v', 'm') THEN coalesce(pg_get_viewdef(c.oid), '') ELSE '' END,
  ARRAY(SELECT i.inhparent::bigint FROM pg_inherits AS i WHERE i.inhrelid = c.oid)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND has_schema_privilege(n.oid, 'USAGE')
  AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
  AND NOT EXISTS (
    SELECT FROM pg_depend AS d
    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
  )
ORDER BY c.relname, n.nspname
"""
_COLUMNS = """
SELECT a.attrelid::bigint, a.attnum::int, a.attname::text,
  CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod)
    ELSE format_type(a.atttypid, a.atttypmod) END,
  NOT (a.attnotnull OR t.typnotnull), coalesce(col_description(a.attrelid, a.attnum), '')
FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (
  SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
) AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
"""
_KEYS = """
SELECT conrelid::bigint, contype::text, conkey::int[], confrelid::bigint, confkey::int[]
FROM pg_constraint WHERE contype IN ('p', 'f', 'u') AND conrelid <> 0 AND conparentid = 0
ORDER BY conrelid, conname
"""

_PLAIN_VALUE = (
    *("smallint", "integer", "bigint", "numeric", "money", "real", "double", "boolean"),
    *("date", "timestamp", "time"),
)
_NO_PLAIN_VALUE = ("json", "xml", "bytea", "tsvector", "interval")


@dataclass(frozen=True, slots=True)
class _Relation:
    schema: str
    name: str
    kind: str
    rows: int
    bytes: int
    comment: str
    definition: str
    parents: tuple[Cell, ...]

    @property
    def qualified_name(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name

    @property
    def is_view(self) -> bool:
        return self.kind in "vm"

    @property
    def row_estimate(self) -> int | None:
        return self.rows if self.rows > 0 else None

    @property
    def wants_counting(self) -> bool:
        """Say whether there are no statistics, and few enough rows to count them."""
        return self.kind in "rpm" and self.rows <= 0 and self.bytes <= _COUNTED_UP_TO


async def read_tables(fetch: Fetch) -> Found:
    """Return what the login may read, those of the current schema without a schema's name."""
    [[schema]] = await fetch(_SCHEMA, _SECONDS)
    relations = {row[0]: _relation(row) for row in await fetch(_RELATIONS, _SECONDS)}
    columns = await fetch(_COLUMNS, _SECONDS)
    names = {(oid, _whole(number)): str(name) for oid, number, name, *_ in columns}
    keys = _Keys(relations, names)
    for row in await fetch(_KEYS, _SECONDS):
        keys.add(row)
    found = _tables(relations, columns, keys)
    counts = await _counted([t for oid, t in found.items() if relations[oid].wants_counting], fetch)
    return Found(
        tables=tuple(
            replace(table, row_estimate=counts.get(table.qualified_name, table.row_estimate))
            for table in found.values()
        ),
        bytes_by_table={table.qualified_name: relations[oid].bytes for oid, table in found.items()},
        default_schema=str(schema),
    )


def cut(column: CatalogColumn) -> exp.Expr:
    """Return a cell that is not too long: text is cut, and what is no plain value left out."""
    cell = named(column)
    if column.type.endswith("]") or column.type.startswith(_NO_PLAIN_VALUE):
        return exp.null()
    if column.type.startswith(_PLAIN_VALUE):
        return cell
    return exp.func("left", exp.cast(cell, "text"), exp.Literal.number(CUT_TEXT_AT))


class _Keys:
    """Keys by table; one with a column that may not be read is left out."""

    def __init__(
        self, relations: Mapping[Cell, _Relation], names: Mapping[tuple[Cell, int], str]
    ) -> None:
        self._relations = relations
        self._names = names
        self.primary: dict[Cell, tuple[str, ...]] = {}
        self.foreign: defaultdict[Cell, list[ForeignKey]] = defaultdict(list)
        self.unique: defaultdict[Cell, list[tuple[str, ...]]] = defaultdict(list)

    def add(self, row: Row) -> None:
        oid, kind, numbers, target_oid, target_numbers = row
        here, target = self._columns(oid, numbers), self._relations.get(target_oid)
        if kind == "p" and here:
            self.primary[oid] = here
        if kind == "u" and here:
            self.unique[oid].append(here)
        there = self._columns(target_oid, target_numbers)
        if kind == "f" and here and there and target is not None:
            self.foreign[oid].append(
                ForeignKey(
                    columns=here, to_table=target.name, to_columns=there, to_schema=target.schema
                )
            )

    def columns_of(self, oid: Cell) -> frozenset[str]:
        pointing = (name for key in self.foreign[oid] for name in key.columns)
        return frozenset({*self.primary.get(oid, ()), *pointing})

    def _columns(self, oid: Cell, numbers: Cell) -> tuple[str, ...]:
        listed = numbers if isinstance(numbers, list) else []
        names = tuple(self._names.get((oid, _whole(number)), "") for number in listed)
        return names if all(names) else ()


def _tables(
    relations: Mapping[Cell, _Relation], columns: Sequence[Row], keys: _Keys
) -> dict[Cell, CatalogTable]:
    by_table: defaultdict[Cell, list[CatalogColumn]] = defaultdict(list)
    for oid, _, name, type_, nullable, comment in columns:
        is_key = name in keys.columns_of(oid)
        by_table[oid].append(
            CatalogColumn(
                name=str(name),
                type=str(type_),
                kind=kind_of(str(name), str(type_), is_key=is_key),
                nullable=bool(nullable),
                comment=str(comment),
            )
        )
    return {
        oid: CatalogTable(
            name=each.name,
            schema=each.schema,
            columns=tuple(by_table[oid]),
            primary_key=keys.primary.get(oid, ()),
            foreign_keys=tuple(keys.foreign[oid]),
            unique_keys=tuple(keys.unique[oid]),
            row_estimate=each.row_estimate,
            comment=each.comment,
            is_view=each.is_view,
            definition=each.definition,
            inherits=tuple(
                relations[parent].qualified_name for parent in each.parents if parent in relations
            ),
        )
        for oid, each in relations.items()
        if by_table[oid]
    }


async def _counted(tables: Sequence[CatalogTable], fetch: Fetch) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(tables), _TABLES_AT_ONCE):
        sql = " UNION ALL ".join(
            exp.select(exp.Literal.string(table.qualified_name), exp.func("count", exp.Star()))
            .from_(relation(table))
            .sql(Dialect.POSTGRES)
            for table in tables[start : start + _TABLES_AT_ONCE]
        )
        # Without a count the estimate stays unknown.
        with suppress(ToolError):
            rows = await fetch(sql, _SECONDS_TO_COUNT)
            found |= {str(name): _whole(count) for name, count in rows}
    return found


def _relation(row: Row) -> _Relation:
    _, schema, is_default, name, kind, rows, size, comment, definition, parents = row
    return _Relation(
        schema="" if is_default else str(schema),
        name=str(name),
        kind=str(kind),
        rows=_whole(rows),
        bytes=_whole(size),
        comment=str(comment),
        definition=str(definition),
        parents=tuple(parents) if isinstance(parents, list) else (),
    )


def _whole(cell: Cell) -> int:
    return cell if isinstance(cell, int) else 0
