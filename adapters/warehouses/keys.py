"""The keys of one table, as a catalog is read."""

from dataclasses import dataclass

from core.domain.catalog import ForeignKey


@dataclass(frozen=True, slots=True)
class Keys:
    """The columns of the primary key, and every foreign one."""

    primary: tuple[str, ...]
    foreign: tuple[ForeignKey, ...]

    @property
    def columns(self) -> frozenset[str]:
        return frozenset({*self.primary, *(name for key in self.foreign for name in key.columns)})
