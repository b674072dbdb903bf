"""The keys of one table, as a catalog is read."""

from dataclasses import dataclass

from core.domain.catalog import ForeignKey


@dataclass(frozen=True, slots=True)
class Keys:
    """The columns of the primary key, every foreign key, and the other unique ones."""

    primary: tuple[str, ...]
    foreign: tuple[ForeignKey, ...]
    unique: tuple[tuple[str, ...], ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        return frozenset({*self.primary, *(name for key in self.foreign for name in key.columns)})
