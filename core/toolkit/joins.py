"""How tables hang together: declared keys, and columns that look like keys."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.domain.catalog import Catalog, CatalogTable, ForeignKey
from core.domain.names import singular

LONGEST_PATH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Two tables that can be joined where the columns, pair by pair, are equal.

    `declared`: the database keeps it; else only the names say so. `many_left` says whether several
    rows of the left table may meet one of the right, `many_right` the other way round; None where
    only the data can tell.
    """

    left: str
    right: str
    left_columns: tuple[str, ...]
    right_columns: tuple[str, ...]
    declared: bool
    many_left: bool | None
    many_right: bool | None

    @property
    def turned(self) -> Link:
        return Link(
            left=self.right,
            right=self.left,
            left_columns=self.right_columns,
            right_columns=self.left_columns,
            declared=self.declared,
            many_left=self.many_right,
            many_right=self.many_left,
        )


Path = tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class JoinGraph:
    """Every link of a catalog, from both of its ends."""

    links: Mapping[str, Sequence[Link]]

    def paths(self, start: str, end: str) -> tuple[Path, ...]:
        """Return the shortest ways between two tables: fewest guessed links, then fewest steps.

        Empty where there is none of at most five steps. Tables are qualified names.
        """
        found: list[Path] = []
        waiting: deque[Path] = deque([()])
        while waiting:
            path = waiting.popleft()
            if found and len(path) >= len(found[0]):
                break
            at = path[-1].right if path else start
            passed = {start, *(link.right for link in path)}
            for link in self.links.get(at, ()):
                if link.right == end:
                    found.append((*path, link))
                elif link.right not in passed and len(path) + 1 < LONGEST_PATH:
                    waiting.append((*path, link))
        fewest = min((_guessed(path) for path in found), default=0)
        return tuple(path for path in found if _guessed(path) == fewest)


def join_graph(catalog: Catalog) -> JoinGraph:
    """Read the links from foreign keys, and from names where no key is declared."""
    return _graph_of(_Versioned(catalog.version, catalog))


@dataclass(frozen=True)
class _Versioned:
    """A catalog that is compared by its version alone."""

    version: str
    catalog: Catalog = field(compare=False)


@lru_cache(maxsize=8)
def _graph_of(versioned: _Versioned) -> JoinGraph:
    catalog = versioned.catalog
    links: dict[str, list[Link]] = defaultdict(list)
    for link in (*_declared(catalog), *_guesses(catalog)):
        links[link.left].append(link)
        links[link.right].append(link.turned)
    return JoinGraph(links)


def _guessed(path: Path) -> int:
    return sum(not link.declared for link in path)


def _declared(catalog: Catalog) -> Iterator[Link]:
    for table in catalog.tables:
        for key in table.foreign_keys:
            if target := catalog.table(_name_of_target(key)):
                yield Link(
                    left=table.qualified_name,
                    right=target.qualified_name,
                    left_columns=key.columns,
                    right_columns=key.to_columns,
                    declared=True,
                    many_left=not _holds_key(table, key.columns),
                    many_right=False,
                )


def _name_of_target(key: ForeignKey) -> str:
    return f"{key.to_schema}.{key.to_table}" if key.to_schema else key.to_table


def _holds_key(table: CatalogTable, columns: Sequence[str]) -> bool:
    return bool(table.primary_key) and set(table.primary_key) <= set(columns)


def _guesses(catalog: Catalog) -> Iterator[Link]:
    """Yield what names suggest: `customer_id` points at `customers`, by that name or by its `id`.

    Views declare no keys at all: a column of theirs counts that is named as a table's key.
    """
    keyed = _keys_by_name(catalog)
    for table in catalog.tables:
        declared = {column for key in table.foreign_keys for column in key.columns}
        for column in table.columns:
            if column.name not in declared:
                for key in keyed.get(column.name.casefold(), ()):
                    yield from _guess(table, column.name, key)


@dataclass(frozen=True, slots=True)
class _Key:
    """`certain`: declared as the primary key, so no value occurs twice."""

    table: CatalogTable
    column: str
    certain: bool


def _guess(table: CatalogTable, column: str, key: _Key) -> Iterator[Link]:
    is_own_key = table.primary_key == (column,)
    seen_from_both = is_own_key and table.qualified_name > key.table.qualified_name
    if key.table is not table and not seen_from_both:
        yield Link(
            left=table.qualified_name,
            right=key.table.qualified_name,
            left_columns=(column,),
            right_columns=(key.column,),
            declared=False,
            many_left=False if is_own_key else None,
            many_right=False if key.certain else None,
        )


def _keys_by_name(catalog: Catalog) -> Mapping[str, Sequence[_Key]]:
    named: dict[str, list[_Key]] = defaultdict(list)
    for table in catalog.tables:
        for key in _keys_of(table):
            for name in _names_of_key(table, key.column):
                named[name].append(key)
    return named


def _keys_of(table: CatalogTable) -> Iterator[_Key]:
    if len(table.primary_key) == 1:
        yield _Key(table, table.primary_key[0], certain=True)
    elif not table.primary_key and not table.is_view:
        names = {"id", *_names_of_key(table, "id")}
        yield from (
            _Key(table, column.name, certain=False)
            for column in table.columns
            if column.name.casefold() in names
        )


def _names_of_key(table: CatalogTable, key: str) -> set[str]:
    """Return the names under which other tables would keep this key."""
    folded = key.casefold()
    if folded not in _BARE_KEYS:
        return {folded}
    words = {table.name.casefold(), singular(table.name.casefold())}
    return {f"{word}{joint}{folded}" for word in words for joint in ("_", "")}


_BARE_KEYS = {"id", "key", "code", "uuid", "guid"}
