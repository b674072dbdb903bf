"""What turns have used, kept for those who look after cost."""

from typing import Protocol

from core.domain.usage import TurnUsage, UsageSearch, UsageTotals


class UsageLog(Protocol):
    """Kept honest by tests/conformance/usage_log.py.

    - `record` keeps an entry for good; it raises StateUnusable when it cannot.
    - `totals` counts a turn once, however many entries it has, and names at most twenty people
      and twenty places.
    """

    async def record(self, entry: TurnUsage) -> None: ...

    async def totals(self, search: UsageSearch) -> UsageTotals: ...
