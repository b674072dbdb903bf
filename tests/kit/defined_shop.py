"""A small shop on every engine, with what its words mean, and its rows to reckon by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb

from tests.kit.servers import mariadb_database, postgres_database

# customer, country; the plan of a subscription, and whether it has ended
CUSTOMERS = (("Ada", "Spain"), ("Bo", "Spain"), ("Cy", "Norway"), ("Di", "Norway"), ("Ed", "Italy"))
PLANS = {1: ("premium", False), 2: ("basic", False), 3: ("premium", True), 4: ("basic", True)}
# customer, month of 2025, channel, state, amount, tax
ORDERS = (
    (1, 1, "web", "paid", 100, 20),
    (1, 1, "phone", "cancelled", 900, 180),
    (2, 2, "web", "paid", 50, 10),
    (3, 2, "phone", "paid", 70, 14),
    (3, 3, "web", "open", 30, 6),
    (4, 3, "web", "cancelled", 500, 100),
    (5, 3, "phone", "paid", 10, 2),
)
DEFINITIONS = """
metrics:
  average order value:
    table: orders
    expression: AVG(amount)
    filters: [state <> 'cancelled', amount > 0]
    synonyms: [AOV]
    date: bought_on
    description: "Cancelled ones do *not* count."
  takings:
    table: orders
    expression: SUM(amount - tax)
    ranks: [customers]
terms:
  premium customer:
    table: subscriptions
    filter: plan = 'premium' AND ended = 0
synonyms:
  turnover: orders.amount
"""


def script() -> str:
    """Return the statements that make the shop, in SQL that every engine takes."""
    lines = [
        "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR(20),"
        " country VARCHAR(20))",
        "CREATE TABLE subscriptions (subscription_id INTEGER PRIMARY KEY, customer_id INTEGER,"
        " plan VARCHAR(20), ended INTEGER,"
        " FOREIGN KEY (customer_id) REFERENCES customers (customer_id))",
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER,"
        " bought_on DATE, channel VARCHAR(20), state VARCHAR(20), amount DECIMAL(10,2),"
        " tax DECIMAL(10,2), FOREIGN KEY (customer_id) REFERENCES customers (customer_id))",
    ]
    customers = [(id, *rest) for id, rest in enumerate(CUSTOMERS, start=1)]
    plans = [(id, id, plan, int(ended)) for id, (plan, ended) in PLANS.items()]
    orders = [
        (id, customer, f"2025-{month:02}-15", *rest)
        for id, (customer, month, *rest) in enumerate(ORDERS, start=1)
    ]
    rows = (("customers", customers), ("subscriptions", plans), ("orders", orders))
    # A tuple of texts and numbers is written as SQL writes a row.
    lines += [
        " ".join(("INSERT INTO", table, "VALUES", repr(row)))
        for table, each in rows
        for row in each
    ]
    return ";\n".join(lines)


@contextmanager
def defined_shop(engine: str, folder: Path) -> Generator[str]:
    """Give the URL of the shop on an engine."""
    if engine == "postgres":
        with postgres_database(*script().split(";\n")) as url:
            yield url
    elif engine == "mariadb":
        with mariadb_database(*script().split(";\n")) as url:
            yield url
    elif engine == "duckdb":
        path = folder / "shop.duckdb"
        with duckdb.connect(str(path)) as opened:
            opened.execute(script())
        yield str(path)
    else:
        path = folder / "shop.sqlite"
        with closing(sqlite3.connect(path)) as database:
            database.executescript(script())
            database.commit()
        yield str(path)
