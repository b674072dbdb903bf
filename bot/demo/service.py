"""After the sale: subscriptions that churn, support tickets, refunds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.demo import world
from bot.demo.accounts import Customers
from bot.demo.dates import day_number, quarters
from bot.demo.trade import Lines, Orders

Ints = NDArray[np.int64]
RUNNING = -10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriptions:
    """One entry a subscription; `ended` is RUNNING while it runs."""

    customer: Ints
    plan: Ints
    started: Ints
    ended: Ints
    reason: Ints

    def __len__(self) -> int:
        return len(self.customer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tickets:
    """One entry a ticket, oldest first; `minutes` until it was closed, `satisfaction` 0 unknown."""

    customer: Ints
    day: Ints
    second: Ints
    minutes: Ints
    topic: Ints
    priority: Ints
    shouted: NDArray[np.bool_]
    satisfaction: Ints

    def __len__(self) -> int:
        return len(self.customer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refunds:
    """One entry a refund; `paid` is RUNNING while it is open."""

    order: Ints
    requested: Ints
    paid: Ints
    reason: Ints
    amount: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.order)


def subscribe(customers: Customers, rng: np.random.Generator) -> Subscriptions:
    """Sell service plans to the customers of the higher tiers; none has ended yet."""
    buyers = np.flatnonzero((customers.tier > 0) & (rng.random(len(customers)) < 0.9))
    wait = rng.integers(5, 120, len(buyers))
    started = customers.signed_up[buyers] + wait
    kept = started < world.DAYS
    buyers, started = buyers[kept], started[kept]
    plan = np.where(customers.tier[buyers] == 1, rng.integers(0, 2, len(buyers)), 2)
    return Subscriptions(
        customer=buyers,
        plan=plan,
        started=started,
        ended=np.full(len(buyers), RUNNING),
        reason=rng.integers(0, len(world.END_REASONS), len(buyers)),
    )


def live_through(
    customers: Customers, subscriptions: Subscriptions, rng: np.random.Generator
) -> Tickets:
    """Go through the quarters: open tickets, and end the subscriptions of those who leave.

    In the bad quarter tickets come thicker, and whoever wrote more of them leaves more often;
    in all others the two have nothing to do with each other.
    """
    opened: list[tuple[Ints, Ints]] = []
    for first, last in quarters():
        bad = first == day_number(world.BAD_QUARTER)
        there = customers.signed_up < first
        rate = rng.gamma(1.0, 1.6, len(customers)) if bad else np.full(len(customers), 0.7)
        count = np.where(there, rng.poisson(rate), 0)
        ends = _churn(subscriptions, count, bad=bad, first=first, last=last, rng=rng)
        who = np.repeat(np.arange(len(customers)), count)
        day = first + (rng.random(len(who)) * (ends[who] - first)).astype(np.int64)
        opened.append((who, day))
    return _tickets(
        np.concatenate([who for who, _ in opened]), np.concatenate([day for _, day in opened]), rng
    )


def give_back(orders: Orders, lines: Lines, rng: np.random.Generator) -> Refunds:
    """Refund returned orders whole and some of the others in part; a few are booked twice."""
    totals = order_totals(orders, lines)
    partly = ~orders.returned & ~orders.cancelled & (rng.random(len(orders)) < 0.025)
    order = np.flatnonzero((orders.returned | partly) & (totals > 0))
    share = np.where(orders.returned[order], 1.0, rng.uniform(0.1, 0.6, len(order)))
    requested = orders.day[order] + rng.integers(2, 21, len(order))
    paid = requested + rng.integers(1, 15, len(order))
    twice = rng.choice(len(order) - 500, world.DOUBLED_REFUNDS, replace=False)
    rows = np.sort(np.concatenate([np.arange(len(order)), twice]))
    kept = rows[requested[rows] < world.DAYS]
    return Refunds(
        order=order[kept],
        requested=requested[kept],
        paid=np.where(paid < world.DAYS, paid, RUNNING)[kept],
        reason=rng.integers(0, len(world.REFUND_REASONS), len(order))[kept],
        amount=np.round(totals[order] * share, 2)[kept],
    )


def order_totals(orders: Orders, lines: Lines) -> NDArray[np.float64]:
    totals = np.zeros(len(orders))
    np.add.at(totals, lines.order, lines.revenue)
    return np.round(totals, 2)


def _churn(
    subscriptions: Subscriptions,
    tickets: Ints,
    *,
    bad: bool,
    first: int,
    last: int,
    rng: np.random.Generator,
) -> Ints:
    """End subscriptions within the quarter; return for every customer the last day for tickets."""
    running = (subscriptions.ended == RUNNING) & (subscriptions.started < first)
    written = tickets[subscriptions.customer]
    chance = np.minimum(0.02 + 0.09 * written, 0.95) if bad else np.full(len(running), 0.025)
    leaves = running & (rng.random(len(running)) < chance)
    day = rng.integers(first + 20, last + 1, len(running))
    subscriptions.ended[leaves] = day[leaves]
    ends = np.full(len(tickets), last + 1)
    ends[subscriptions.customer[leaves]] = day[leaves]
    return ends


def _tickets(customer: Ints, day: Ints, rng: np.random.Generator) -> Tickets:
    second = np.clip(rng.normal(12 * 3600, 3 * 3600, len(day)), 0, 86_399).astype(np.int64)
    order = np.lexsort((second, day))
    count = len(order)
    return Tickets(
        customer=customer[order],
        day=day[order],
        second=second[order],
        minutes=(rng.lognormal(6.3, 1.1, count)).astype(np.int64),
        topic=rng.choice(len(world.TOPICS), count, p=[0.2, 0.28, 0.22, 0.18, 0.12]),
        priority=rng.choice(3, count, p=[0.3, 0.5, 0.2]),
        shouted=rng.random(count) < 0.03,
        satisfaction=np.where(
            rng.random(count) < 0.4,
            0,
            rng.choice([1, 2, 3, 4, 5], count, p=[0.1, 0.1, 0.2, 0.35, 0.25]),
        ),
    )
