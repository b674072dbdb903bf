"""Queries that the guard would refuse, to test the walls behind it."""

from core.domain.query import GUARD_SEAL, Dialect, GuardedQuery


def unguarded(sql: str, dialect: Dialect) -> GuardedQuery:
    return GuardedQuery(sql=sql, dialect=dialect, relations=(), seal=GUARD_SEAL)
