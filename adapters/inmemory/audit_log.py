"""An audit log in memory: it does not outlive the process."""

from dataclasses import dataclass, field
from datetime import datetime

from core.domain.audit import AuditEntry, AuditSearch
from core.domain.errors import StateUnusable


@dataclass(slots=True)
class InMemoryAuditLog:
    """`full` makes it fail as a disk does that takes nothing more."""

    full: bool = False
    _kept: list[AuditEntry] = field(default_factory=list[AuditEntry])

    async def record(self, entry: AuditEntry) -> None:
        if self.full:
            raise StateUnusable("The audit log takes no more entries.")
        self._kept.append(entry)

    async def entries(self, search: AuditSearch, *, at_most: int) -> tuple[AuditEntry, ...]:
        found = [each for each in reversed(self._kept) if _fits(each, search)]
        return tuple(found[: max(at_most, 0)])


def _fits(entry: AuditEntry, search: AuditSearch) -> bool:
    wanted = (
        (search.workspace, entry.workspace),
        (search.actor, entry.actor),
        (search.connection, entry.connection),
        (search.deed, entry.deed),
    )
    return all(each in {None, has} for each, has in wanted) and _is_within(entry.at, search)


def _is_within(at: datetime, search: AuditSearch) -> bool:
    not_before = search.since is None or search.since <= at
    return not_before and (search.until is None or at < search.until)
