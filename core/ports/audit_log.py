"""Who read what, when and where, and who allowed it."""

from typing import Protocol

from core.domain.audit import AuditEntry, AuditSearch


class AuditLog(Protocol):
    """Kept honest by tests/conformance/audit_log.py.

    - `record` returns when the entry is kept for good, and raises StateUnusable when it cannot be:
      whoever calls it then must not go on as if it were.
    - `entries` gives those that fit, the newest first, at most so many; for admins alone.
    - Nothing changes an entry or takes one away.
    """

    async def record(self, entry: AuditEntry) -> None: ...

    async def entries(self, search: AuditSearch, *, at_most: int) -> tuple[AuditEntry, ...]: ...
