"""What the guard says about a statement."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import NotPossible
from core.domain.ids import QueryHash
from core.domain.query import GuardedQuery


class Refused(NotPossible):
    """A rule said no: `rule` is its stable name, `advice` says what, why and what to do instead."""

    def __init__(self, rule: str, advice: str) -> None:
        super().__init__(advice)
        self.rule = rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Allowed with the query that may run, or refused with the rule and the reason.

    rule: the rule that refused, "" when allowed
    reason: one or two sentences for the model: what, why, and what to do instead
    person: one sentence for a reader who knows no SQL
    relations, functions: what the statement reads and calls, as far as it was read
    reads: every relation as often as the statement reads it, by the catalog's names
    makes_rows: it makes rows that no table holds: series, recursion, joins that nothing links
    """

    query: GuardedQuery | None = None
    rule: str = ""
    reason: str = ""
    person: str = ""
    relations: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    makes_rows: bool = False

    @property
    def allowed(self) -> bool:
        return self.query is not None

    @property
    def sql(self) -> str:
        """Return what would run: rendered from the checked tree, with its row cap."""
        return self.query.sql if self.query else ""

    @property
    def hash(self) -> QueryHash | None:
        return self.query.hash if self.query else None
