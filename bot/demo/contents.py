"""What stands in the demo database: each table's INSERT and its rows."""

from collections.abc import Iterator

import numpy as np

from bot.demo import world
from bot.demo.accounts import stock_products, win_customers
from bot.demo.rows import (
    Rows,
    customer_rows,
    line_rows,
    order_rows,
    product_rows,
    refund_rows,
    region_rows,
    subscription_rows,
    ticket_rows,
)
from bot.demo.service import give_back, live_through, subscribe
from bot.demo.targets import plan_targets
from bot.demo.trade import fill_orders, place_orders


def tables() -> Iterator[tuple[str, Rows]]:
    """Give each table's INSERT and its rows, parents before children."""
    rng = np.random.default_rng(world.SEED)
    customers = win_customers(rng)
    products = stock_products(rng)
    orders = place_orders(customers, rng)
    lines = fill_orders(orders, customers, products, rng)
    subscriptions = subscribe(customers, rng)
    tickets = live_through(customers, subscriptions, rng)
    refunds = give_back(orders, lines, rng)
    targets = plan_targets(orders, lines, customers, rng)
    yield "INSERT INTO regions VALUES (?, ?, ?)", region_rows()
    yield "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?)", product_rows(products)
    yield "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", customer_rows(customers)
    yield "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)", order_rows(orders, lines, rng)
    yield "INSERT INTO order_lines VALUES (?, ?, ?, ?, ?, ?, ?)", line_rows(lines)
    yield "INSERT INTO refunds VALUES (?, ?, ?, ?, ?, ?)", refund_rows(refunds)
    yield "INSERT INTO subscriptions VALUES (?, ?, ?, ?, ?, ?, ?)", subscription_rows(subscriptions)
    yield "INSERT INTO support_tickets VALUES (?, ?, ?, ?, ?, ?, ?)", ticket_rows(tickets)
    yield "INSERT INTO sales_targets VALUES (?, ?, ?)", targets
