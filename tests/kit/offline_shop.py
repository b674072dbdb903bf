"""A shop small enough to reckon by hand, for conversations with the offline analyst."""

from __future__ import annotations

import sqlite3

SCRIPT = """
CREATE TABLE regions (region_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL,
    region_id INTEGER NOT NULL REFERENCES regions (region_id),
    country TEXT, email TEXT, age INTEGER, signed_up_on DATE NOT NULL
);
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, title TEXT NOT NULL, category TEXT, list_price REAL,
    is_active BOOLEAN NOT NULL
);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    ordered_at DATE NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, shipped_on DATE
);
CREATE TABLE order_lines (
    line_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (order_id),
    product_id INTEGER NOT NULL REFERENCES products (product_id),
    quantity INTEGER NOT NULL, unit_price REAL NOT NULL
);
CREATE TABLE tickets (
    ticket_id INTEGER PRIMARY KEY,
    customer_id INTEGER REFERENCES customers (customer_id),
    opened_at DATE NOT NULL, closed_at DATE, topic TEXT NOT NULL
);
INSERT INTO regions VALUES (1, 'North'), (2, 'South'), (3, 'East');
INSERT INTO customers VALUES
    (1, 'Amber Trading', 1, 'Spain', 'amber@example.org', 31, '2023-02-01'),
    (2, 'Birch Supplies', 1, 'France', NULL, 45, '2023-05-11'),
    (3, 'Cedar Works', 2, 'Spain', 'cedar@example.org', 28, '2024-01-20'),
    (4, 'Dune Retail', 2, 'Germany', 'dune@example.org', 52, '2024-03-03'),
    (5, 'Elm Services', 3, 'France', 'elm@example.org', 39, '2025-07-07');
INSERT INTO products VALUES
    (1, 'Oak Desk', 'Furniture', 300, 1), (2, 'Desk Lamp', 'Lighting', 40, 1),
    (3, 'Ball Pen', 'Office', 2, 1), (4, 'Old Chair', 'Furniture', 120, 0);
INSERT INTO orders VALUES
    (1, 1, '2024-01-15', 'web', 'delivered', '2024-01-17'),
    (2, 1, '2024-06-10', 'phone', 'delivered', '2024-06-15'),
    (3, 2, '2024-07-01', 'web', 'returned', '2024-07-03'),
    (4, 3, '2025-01-20', 'web', 'delivered', '2025-01-22'),
    (5, 3, '2025-02-02', 'web', 'delivered', '2025-02-04'),
    (6, 4, '2025-02-14', 'partner', 'cancelled', NULL),
    (7, 1, '2025-08-30', 'phone', 'delivered', '2025-09-02');
INSERT INTO order_lines VALUES
    (1, 1, 1, 1, 300), (2, 1, 3, 10, 2), (3, 2, 2, 2, 40), (4, 3, 1, 2, 290),
    (5, 4, 2, 1, 40), (6, 5, 3, 100, 1.5), (7, 6, 1, 1, 300), (8, 7, 2, 5, 38);
INSERT INTO tickets VALUES
    (1, 1, '2025-03-01', '2025-03-02', 'delivery'), (2, 3, '2025-03-05', NULL, 'billing'),
    (3, 3, '2025-04-01', '2025-04-09', 'delivery'), (4, 5, '2025-10-01', NULL, 'login');
"""


def shop() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(SCRIPT)
    return connection
