"""What becomes of a column under the rules of a connection, wherever else its values show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, Origin
from core.domain.errors import ConnectionUnusable


class Fate(IntEnum):
    """From the mildest to the strictest."""

    SHOWN = 0
    MASKED = 1
    HIDDEN = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern of `Rights.hide` or `Rights.mask`."""

    pattern: str
    _fits: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str) -> Rule:
        """Read a pattern.

        Raises:
            ConnectionUnusable: it names no column.
        """
        if "." not in pattern:
            raise ConnectionUnusable(
                f"The rule {pattern!r} of this connection's rights names no column. Write "
                f"table.column, or '{pattern}.*' for all of a table."
            )
        parts = (re.escape(part) for part in pattern.casefold().split("*"))
        return cls(pattern, re.compile(".*".join(parts), re.DOTALL))

    @property
    def is_exact(self) -> bool:
        return "*" not in self.pattern

    def fits(self, origin: Origin) -> bool:
        """Say whether it speaks of a column, by the table's name with its schema or without."""
        names = {origin.table, origin.table.rpartition(".")[2]}
        return any(self._fits.fullmatch(f"{each}.{origin.column}".casefold()) for each in names)


class ColumnRules:
    """The fates of a catalog's columns.

    A view's column has the strictest fate of all that it is made of; where that has not been told
    it is hidden, unless a rule of its own masks it. Tables that share rows by inheritance share
    the fates of their columns.
    """

    def __init__(self, catalog: Catalog, *, hide: Sequence[str], mask: Sequence[str]) -> None:
        self._catalog = catalog
        self._rules = [
            *((Fate.HIDDEN, Rule.of(each)) for each in hide),
            *((Fate.MASKED, Rule.of(each)) for each in mask),
        ]
        self._family = _families(catalog)
        self._fates: dict[Origin, Fate] = {}

    @property
    def without_effect(self) -> Iterator[Rule]:
        """Give the rules without a star that fit no column."""
        every = [
            Origin(table.qualified_name, column.name)
            for table in self._catalog.tables
            for column in table.columns
        ]
        exact = (rule for _, rule in self._rules if rule.is_exact)
        return (rule for rule in exact if not any(map(rule.fits, every)))

    def fate(self, table: CatalogTable, column: CatalogColumn) -> Fate:
        """Return what becomes of a column of the catalog."""
        if not self._rules:
            return Fate.SHOWN
        place = Origin(table.qualified_name, column.name)
        if place not in self._fates:
            # Whatever leads back here on the way adds nothing.
            self._fates[place] = self._by_name(place)
            self._fates[place] = max(self._behind(table, column), self._fates[place])
        return self._fates[place]

    def _by_name(self, place: Origin) -> Fate:
        found = (fate for fate, rule in self._rules if rule.fits(place))
        return max(found, default=Fate.SHOWN)

    def _behind(self, table: CatalogTable, column: CatalogColumn) -> Fate:
        if not table.is_view:
            family = self._family.get(table.qualified_name, ())
            fates = (self._by_name(Origin(each, column.name)) for each in family)
            return max(fates, default=Fate.SHOWN)
        own = self._by_name(Origin(table.qualified_name, column.name))
        if column.origins is None:
            return own or Fate.HIDDEN
        return max((self._of(each) for each in column.origins), default=Fate.SHOWN)

    def _of(self, origin: Origin) -> Fate:
        table = self._catalog.table(origin.table)
        column = table.column(origin.column) if table is not None else None
        if table is None or column is None:
            return self._by_name(origin)
        return max(self._by_name(origin), self.fate(table, column))


def _families(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Return each table that inherits, or is inherited from, with all that it shares rows with."""
    near: defaultdict[str, set[str]] = defaultdict(set)
    for table in catalog.tables:
        for parent in table.inherits:
            near[table.qualified_name].add(parent)
            near[parent].add(table.qualified_name)
    return {name: frozenset(_reached(name, near)) for name in near}


def _reached(name: str, near: dict[str, set[str]]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        further = near[waiting.pop()] - found
        found |= further
        waiting += further
    return found
