"""Who may use a connection, who may approve for it, and what nobody sees through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from core.domain.column_rules import ColumnRules, Fate
from core.domain.errors import ConnectionUnusable
from core.domain.people import Actor, Place
from core.domain.table import ColumnKind

MASK = "***"
_MASKED = (
    f"Masked: each value shows as {MASK}. It can be shown and its values counted, but not "
    "filtered, joined, grouped or computed with."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """The same for everybody who may use the connection: who should see more gets another one.

    people: who may ask, by id or as "@group" or "@role"; where nobody is named, everybody may
    places: where it may be asked, as a whole platform ("page"), or a workspace or channel of it
        ("slack:T0123", "slack:C0123"); where none is named, everywhere
    approvers: who may approve a costly query besides the person who asked, written like `people`
    hide: columns that are not there: "table.column", "table.*" for all of a table; a star stands
        for any characters, and a schema may stand before
    mask: columns of which only three stars are shown, written like `hide`

    Where people are named, a shared place hears answers only when it is named as well; those
    people may then ask alone, on the platforms of the places.
    """

    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()

    def refusal(self, actor: Actor, place: Place) -> str:
        """Say why this person may not ask here, in half a sentence; nothing when they may."""
        if not self._is_for(actor):
            return "you are not among the people who may use it"
        if self._admits(place):
            return ""
        if self.only_in_private(actor, place):
            return "not everybody here may see it, so it can only be asked in a direct message"
        return "it may only be used in other places than this one"

    def only_in_private(self, actor: Actor, place: Place) -> bool:
        """Say whether this person may hear the answer to what they ask here, but nobody else."""
        alone = replace(place, shared=False)
        return self._is_for(actor) and not self._admits(place) and self._admits(alone)

    def names(self, place: Place) -> bool:
        """Say whether a place is among those where it may be asked, whoever asks."""
        known_as = {place.platform, str(place)}
        if place.workspace:
            known_as.add(f"{place.platform}:{place.workspace}")
        return not self.places or not known_as.isdisjoint(self.places)

    def may_approve(self, actor: Actor) -> bool:
        """Say whether this person decides about the cost of other people's queries."""
        return _is_among(actor, self.approvers)

    def _is_for(self, actor: Actor) -> bool:
        return not self.people or _is_among(actor, self.people)

    def _admits(self, place: Place) -> bool:
        """Say whether whoever reads along in a place may see what comes of the connection."""
        if self.places and self.names(place):
            return True
        if not self.people:
            return not self.places
        return not place.shared and (not self.places or self._reaches(place))

    def _reaches(self, place: Place) -> bool:
        platforms = {each.partition(":")[0] for each in self.places}
        return bool(place.channel) and place.platform in platforms


def _is_among(actor: Actor, named: tuple[str, ...]) -> bool:
    known_as = {f"@{actor.role}", *(f"@{group}" for group in actor.groups)}
    # A platform that lets people choose their ids must not let them choose a group.
    if not actor.id.startswith("@"):
        known_as.add(actor.id)
    return not known_as.isdisjoint(named)


def narrowed(
    catalog: Catalog,
    rights: Rights,
    *,
    schemas: tuple[str, ...] = (),
    tables: tuple[str, ...] = (),
) -> Catalog:
    """Return what may be told of a database: all that a run ever learns of it.

    A column of a view is hidden or masked as what it is made of is; so the catalog's views should
    have been traced (core/sql/view_lineage.py), else nothing of them is shown under such rules.

    schemas: when given, besides the default one only these are read
    tables: when given, only these are read (names or `schema.name`)

    Raises:
        ConnectionUnusable: a rule without a star fits no column, so that it protects nothing.
    """
    if not (rights.hide or rights.mask or schemas or tables):
        return catalog
    rules = ColumnRules(catalog, hide=rights.hide, mask=rights.mask)
    for rule in rules.without_effect:
        raise ConnectionUnusable(
            f"The rule {rule.pattern!r} of this connection's rights fits no column that can be "
            "read, so nothing is read at all. Write it as table.column, or take it out."
        )
    admitted = [each for each in catalog.tables if _is_admitted(each, schemas, tables)]
    seen = [left for each in admitted if (left := _seen(each, rules)) is not None]
    return replace(
        catalog,
        tables=tuple(_without_lost_keys(each, seen) for each in seen),
        narrowed=catalog.narrowed
        or len(seen) < len(catalog.tables)
        or any(each.restricted for each in seen),
    )


def _is_admitted(table: CatalogTable, schemas: tuple[str, ...], tables: tuple[str, ...]) -> bool:
    if schemas and table.schema and not _is_named(table.schema, schemas):
        return False
    return not tables or _is_named(table.name, tables) or _is_named(table.qualified_name, tables)


def _is_named(name: str, named: tuple[str, ...]) -> bool:
    return name.casefold() in {each.casefold() for each in named}


def _seen(table: CatalogTable, rules: ColumnRules) -> CatalogTable | None:
    """Return what is left of a table; None where it is nothing."""
    left = tuple(_columns_seen(table, rules))
    if left == table.columns:
        return table
    return replace(table, columns=left, restricted=True) if left else None


def _columns_seen(table: CatalogTable, rules: ColumnRules) -> Iterator[CatalogColumn]:
    for column in table.columns:
        match rules.fate(table, column):
            case Fate.HIDDEN:
                continue
            case Fate.MASKED:
                yield _masked(column)
            case Fate.SHOWN:
                yield column


def _masked(column: CatalogColumn) -> CatalogColumn:
    return replace(
        column,
        type="masked",
        kind=ColumnKind.TEXT,
        comment=f"{column.comment} {_MASKED}".strip(),
        values=(),
        masked=True,
    )


def _without_lost_keys(table: CatalogTable, seen: list[CatalogTable]) -> CatalogTable:
    """Let go of the keys that lead through what is not seen any more."""
    keys = tuple(each for each in table.foreign_keys if _leads_on(table, each, seen))
    primary = table.primary_key if _has_all(table, table.primary_key) else ()
    unique = tuple(each for each in table.unique_keys if _has_all(table, each))
    if (keys, primary, unique) == (table.foreign_keys, table.primary_key, table.unique_keys):
        return table
    return replace(table, foreign_keys=keys, primary_key=primary, unique_keys=unique)


def _leads_on(table: CatalogTable, key: ForeignKey, seen: list[CatalogTable]) -> bool:
    target = next((each for each in seen if _is_target(each, key)), None)
    return target is not None and _has_all(table, key.columns) and _has_all(target, key.to_columns)


def _is_target(table: CatalogTable, key: ForeignKey) -> bool:
    return (table.name, table.schema) == (key.to_table, key.to_schema)


def _has_all(table: CatalogTable, names: tuple[str, ...]) -> bool:
    found = [table.column(name) for name in names]
    return all(each is not None and not each.masked for each in found)
