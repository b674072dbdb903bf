"""Show questions, tokens and money of the last 7 days, or of 30."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.commanding import NotDone, Order
from core.domain.replies import Group, Item, Listed, Reply
from core.domain.usage import UsageLine, UsageSearch

TAKES = "[7 | 30]"
ADMINS_ONLY = False
_DAYS = {"": 7, "7": 7, "30": 30}


async def run(order: Order) -> Reply:
    """Show admins the whole workspace, and everybody else their own part.

    Raises:
        NotDone: it was asked for other days.
    """
    days = _DAYS.get(" ".join(order.words))
    if days is None:
        raise NotDone("Usage is counted for the last 7 days or the last 30: usage 7, or usage 30.")
    outside = order.room.turns.outside
    everybody = UsageSearch(
        workspace=order.actor.workspace, since=outside.clock.now() - timedelta(days=days)
    )
    search = everybody if order.is_admin else replace(everybody, actor=order.actor.id)
    totals = await outside.usage.totals(search)
    whose = "In all" if order.is_admin else "You"
    groups = (
        Group(title="By person", items=_items(totals.people) if order.is_admin else ()),
        Group(title="By place", items=_items(totals.places)),
    )
    return Listed(
        text=f"The last {days} days. {whose}: {_in_words(totals.all)}.",
        groups=tuple(each for each in groups if each.items),
    )


def _items(lines: tuple[UsageLine, ...]) -> tuple[Item, ...]:
    return tuple(Item(title=each.name, detail=_in_words(each)) for each in lines)


def _in_words(line: UsageLine) -> str:
    questions = f"{line.questions:,} question{'' if line.questions == 1 else 's'}"
    return f"{questions}, {line.tokens:,} tokens, {line.cost_in_words}"
