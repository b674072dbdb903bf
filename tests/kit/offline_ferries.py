"""Ferries whose crossings have a time of day, a month without any, and a last month half told."""

from __future__ import annotations

import sqlite3

SCRIPT = """
CREATE TABLE harbours (harbour_id INTEGER PRIMARY KEY, harbour_name TEXT NOT NULL);
CREATE TABLE passengers (
    passenger_id INTEGER PRIMARY KEY, passenger_name TEXT NOT NULL, registered_on DATE NOT NULL
);
CREATE TABLE crossings (
    crossing_id INTEGER PRIMARY KEY,
    harbour_id INTEGER NOT NULL REFERENCES harbours (harbour_id),
    departed_at DATETIME NOT NULL, arrived_at DATETIME
);
CREATE TABLE tickets (
    ticket_id INTEGER PRIMARY KEY,
    crossing_id INTEGER NOT NULL REFERENCES crossings (crossing_id),
    passenger_id INTEGER NOT NULL REFERENCES passengers (passenger_id),
    fare REAL NOT NULL
);
INSERT INTO harbours VALUES (1, 'Northquay'), (2, 'Southpier');
INSERT INTO passengers VALUES
    (1, 'Ada', '2026-05-30'), (2, 'Bo', '2026-06-20'), (3, 'Cy', '2026-10-01'),
    (4, 'Di', '2026-11-01');
INSERT INTO crossings VALUES
    (1, 1, '2026-06-03 08:10:00', '2026-06-03 08:40:00'),
    (2, 1, '2026-06-21 17:05:00', '2026-06-21 17:35:00'),
    (3, 2, '2026-07-05 08:30:00', '2026-07-05 09:30:00'),
    (4, 1, '2026-07-12 08:45:00', '2026-07-12 09:15:00'),
    (5, 1, '2026-07-19 12:00:00', '2026-07-19 12:30:00'),
    (6, 2, '2026-09-02 17:20:00', '2026-09-02 18:20:00'),
    (7, 1, '2026-10-10 08:05:00', '2026-10-10 08:35:00'),
    (8, 2, '2026-10-24 12:40:00', NULL),
    (9, 1, '2026-11-08 08:55:00', '2026-11-08 09:25:00');
INSERT INTO tickets VALUES
    (1, 1, 1, 10), (2, 2, 1, 12.5), (3, 2, 2, 12.5), (4, 3, 2, 20), (5, 4, 1, 15), (6, 5, 1, 15),
    (7, 6, 2, 8), (8, 7, 3, 11), (9, 7, 1, 11), (10, 8, 3, 30), (11, 9, 2, 7);
"""


def ferries() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(SCRIPT)
    return connection
