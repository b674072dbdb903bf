"""What turns have used, in the state database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from adapters.storage.database import Database, Record, Transaction, Value, moment, only
from core.domain.usage import TurnUsage, UsageLine, UsageSearch, UsageTotals

_MOST_LINES = 20
_RECORD = """
    INSERT INTO turn_usage
      (at, turn, actor, actor_name, workspace, place, connection, tokens, usd,
       unpriced)
    VALUES (:at, :turn, :actor, :actor_name, :workspace, :place, :connection, :tokens, :usd,
       :unpriced)
"""
_ALL = """
    SELECT '', COUNT(DISTINCT turn), COALESCE(SUM(tokens), 0), COALESCE(SUM(usd), 0),
      COALESCE(MAX(unpriced), 0)
    FROM turn_usage
    WHERE workspace = :workspace AND at >= :since AND (:everybody = 1 OR actor = :actor)
"""
_PEOPLE = """
    SELECT MAX(actor_name), COUNT(DISTINCT turn), SUM(tokens), SUM(usd), MAX(unpriced)
    FROM turn_usage
    WHERE workspace = :workspace AND at >= :since AND (:everybody = 1 OR actor = :actor)
    GROUP BY actor ORDER BY COUNT(DISTINCT turn) DESC, actor LIMIT :most
"""
_PLACES = """
    SELECT place, COUNT(DISTINCT turn), SUM(tokens), SUM(usd), MAX(unpriced)
    FROM turn_usage
    WHERE workspace = :workspace AND at >= :since AND (:everybody = 1 OR actor = :actor)
    GROUP BY place ORDER BY COUNT(DISTINCT turn) DESC, place LIMIT :most
"""


@dataclass(frozen=True, slots=True)
class StoredUsageLog:
    """Every entry is a row; entries are added up when they are asked for."""

    database: Database

    async def record(self, entry: TurnUsage) -> None:
        await self.database.run(
            only(
                _RECORD,
                at=moment(entry.at),
                turn=entry.turn,
                actor=entry.actor,
                actor_name=entry.actor_name.replace("\0", ""),
                workspace=entry.workspace,
                place=str(entry.place),
                connection=entry.connection,
                tokens=entry.tokens,
                usd=entry.usd,
                unpriced=int(entry.unpriced),
            )
        )

    async def totals(self, search: UsageSearch) -> UsageTotals:
        return await self.database.run(partial(_totals, search=search))


def _totals(transaction: Transaction, *, search: UsageSearch) -> UsageTotals:
    wanted: dict[str, Value] = {
        "workspace": search.workspace,
        "since": moment(search.since),
        "everybody": int(search.actor is None),
        "actor": search.actor or "",
    }
    people = transaction.execute(_PEOPLE, **wanted, most=_MOST_LINES)
    places = transaction.execute(_PLACES, **wanted, most=_MOST_LINES)
    everything = transaction.execute(_ALL, **wanted)
    return UsageTotals(all=_lines(everything)[0], people=_lines(people), places=_lines(places))


def _lines(rows: Sequence[Record]) -> tuple[UsageLine, ...]:
    return tuple(
        UsageLine(
            name=name,
            questions=questions,
            tokens=int(tokens),
            usd=float(usd),
            unpriced=bool(unpriced),
        )
        for name, questions, tokens, usd, unpriced in rows
    )
