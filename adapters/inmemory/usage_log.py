"""What turns have used, in memory: it does not outlive the process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.domain.usage import TurnUsage, UsageLine, UsageSearch, UsageTotals

_MOST_LINES = 20


@dataclass(slots=True)
class InMemoryUsageLog:
    _kept: list[TurnUsage] = field(default_factory=list[TurnUsage])

    async def record(self, entry: TurnUsage) -> None:
        self._kept.append(entry)

    async def totals(self, search: UsageSearch) -> UsageTotals:
        found = [each for each in self._kept if _fits(each, search)]
        return UsageTotals(
            all=_line("", found),
            people=_lines(found, lambda each: each.actor, lambda each: each.actor_name),
            places=_lines(found, lambda each: str(each.place), lambda each: str(each.place)),
        )


def _fits(entry: TurnUsage, search: UsageSearch) -> bool:
    return (
        entry.workspace == search.workspace
        and entry.at >= search.since
        and search.actor in {None, entry.actor}
    )


def _lines(
    entries: Iterable[TurnUsage], key: Callable[[TurnUsage], str], name: Callable[[TurnUsage], str]
) -> tuple[UsageLine, ...]:
    grouped: dict[str, list[TurnUsage]] = {}
    for each in entries:
        grouped.setdefault(key(each), []).append(each)
    lines = [(_line(max(map(name, group)), group), at) for at, group in grouped.items()]
    lines.sort(key=lambda line: (-line[0].questions, line[1]))
    return tuple(line for line, _ in lines[:_MOST_LINES])


def _line(name: str, entries: list[TurnUsage]) -> UsageLine:
    return UsageLine(
        name=name,
        questions=len({each.turn for each in entries}),
        tokens=sum(each.tokens for each in entries),
        usd=sum(each.usd for each in entries),
        unpriced=any(each.unpriced for each in entries),
    )
