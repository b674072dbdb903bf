"""Writes the demo database: one SQLite file, the same at every making."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile

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

VERSION = 1


def make_demo(path: Path) -> Path:
    """Write the demo database to `path` in one go: whoever looks sees the old file or the new one.

    The bytes of the tables depend on nothing but this version of the generator.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".demo-", delete=False) as unfinished:
        draft = Path(unfinished.name)
    try:
        _write(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def is_current(path: Path) -> bool:
    """Say whether `path` holds a whole demo database of this version."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    except sqlite3.Error:
        return False


def _write(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        # A draft that breaks is thrown away, so nothing needs to survive a crash.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript((files("bot.demo") / "schema.sql").read_text(encoding="utf-8"))
        for insert, rows in _tables():
            database.executemany(insert, rows)
        database.executescript((files("bot.demo") / "indexes.sql").read_text(encoding="utf-8"))
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.commit()
        database.execute("ANALYZE")
        database.commit()


def _tables() -> Iterator[tuple[str, Rows]]:
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
