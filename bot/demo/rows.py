"""Columns of numbers turned into the rows of the tables."""

from collections.abc import Iterable

import numpy as np

from bot.demo import world
from bot.demo.accounts import Customers, Products, industry_name
from bot.demo.dates import day_text, day_text_european, moment_text
from bot.demo.service import RUNNING, Refunds, Subscriptions, Tickets, order_totals
from bot.demo.trade import Lines, Orders

SqlValue = int | float | str | None
Rows = Iterable[tuple[SqlValue, ...]]


def region_rows() -> Rows:
    return (
        (number, region.name, region.opened_on.isoformat())
        for number, region in enumerate(world.REGIONS, start=1)
    )


def product_rows(products: Products) -> Rows:
    for at in range(len(products)):
        yield (
            at + 1,
            products.names[at],
            world.CATEGORIES[int(products.category[at])].name,
            float(products.unit_cost[at]),
            float(products.list_price[at]),
            day_text(int(products.launched[at])),
            int(products.active[at]),
        )


def customer_rows(customers: Customers) -> Rows:
    for at in range(len(customers)):
        yield (
            at + 1,
            customers.names[at],
            int(customers.region[at]) + 1,
            customers.countries[at],
            industry_name(int(customers.industry[at])),
            world.TIERS[customers.tier[at]],
            world.ACQUISITION[customers.acquisition[at]],
            day_text(int(customers.signed_up[at])),
        )


def order_rows(orders: Orders, lines: Lines, rng: np.random.Generator) -> Rows:
    totals = order_totals(orders, lines).tolist()
    shipped = np.minimum(orders.day + rng.integers(0, 5, len(orders)), world.DAYS - 1).tolist()
    states = np.where(orders.cancelled, 2, np.where(orders.returned, 1, 0)).tolist()
    days, seconds = orders.day.tolist(), orders.second.tolist()
    customers, channels = orders.customer.tolist(), orders.channel.tolist()
    for at, state in enumerate(states):
        yield (
            at + 1,
            customers[at] + 1,
            moment_text(days[at], seconds[at]),
            world.CHANNELS[channels[at]],
            ("delivered", "returned", "cancelled")[state],
            None if state == 2 else day_text(shipped[at]),
            totals[at],
        )


def line_rows(lines: Lines) -> Rows:
    columns = (
        (lines.order + 1).tolist(),
        (lines.product + 1).tolist(),
        lines.quantity.tolist(),
        lines.unit_price.tolist(),
        lines.discount.tolist(),
        lines.revenue.tolist(),
    )
    return ((number, *row) for number, row in enumerate(zip(*columns, strict=True), start=1))


def refund_rows(refunds: Refunds) -> Rows:
    for at in range(len(refunds)):
        paid = int(refunds.paid[at])
        yield (
            at + 1,
            int(refunds.order[at]) + 1,
            day_text_european(int(refunds.requested[at])),
            None if paid == RUNNING else day_text(paid),
            world.REFUND_REASONS[refunds.reason[at]],
            float(refunds.amount[at]),
        )


def subscription_rows(subscriptions: Subscriptions) -> Rows:
    for at in range(len(subscriptions)):
        plan, fee = world.PLANS[int(subscriptions.plan[at])]
        ended = int(subscriptions.ended[at])
        runs = ended == RUNNING
        yield (
            at + 1,
            int(subscriptions.customer[at]) + 1,
            plan,
            fee,
            day_text(int(subscriptions.started[at])),
            None if runs else day_text(ended),
            None if runs else world.END_REASONS[subscriptions.reason[at]],
        )


def ticket_rows(tickets: Tickets) -> Rows:
    end = world.DAYS * 86_400
    for at in range(len(tickets)):
        day, second = int(tickets.day[at]), int(tickets.second[at])
        closed = second + 60 * int(tickets.minutes[at])
        priority = world.PRIORITIES[int(tickets.priority[at])]
        yield (
            at + 1,
            int(tickets.customer[at]) + 1,
            moment_text(day, second),
            moment_text(day, closed) if day * 86_400 + closed < end else None,
            world.TOPICS[tickets.topic[at]],
            priority.upper() if tickets.shouted[at] else priority,
            int(tickets.satisfaction[at]) or None,
        )
