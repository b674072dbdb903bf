"""A small shop as data frames and as real databases, the same on every run.

Everything that makes columns hard is in it: NULLs, reserved words, spaces, capitals and other
scripts in names, dates as dates and as text, months as text, orphans of a key that nobody
declared, doubled rows, outliers, a table without rows and a view.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import duckdb
import numpy as np
import pandas as pd

from adapters.inmemory.web_search import InMemoryWebSearch
from core.domain.connection import Connection, Thresholds
from core.domain.ids import ConnectionName
from core.ports.warehouse import Warehouse
from core.ports.web_search import WebSearch
from core.sql.gateway import QueryGateway
from core.sql.guard import Guard
from core.toolkit.context import ToolContext
from tests.kit.trail import trail

TODAY = date(2026, 6, 30)
FIRST_DAY = date(2025, 1, 1)
DAYS = 546  # 2025-01-01 to 2026-06-30
CUSTOMERS, PRODUCTS, ORDERS, VISITORS = 400, 40, 3_000, 2_000
SCHEMA = (Path(__file__).parent / "shop.sql").read_text(encoding="utf-8")
NO_THRESHOLDS = Thresholds(rows=math.inf, intermediate_rows=math.inf, bytes=math.inf, usd=math.inf)

_Value = TypeVar("_Value")
_Rows = Sequence[Mapping[str, object]]


def build_dataset(seed: int = 7) -> dict[str, pd.DataFrame]:
    """Return every table of the shop by its name; the same seed gives the same cells.

    Whole numbers that may be NULL are Int64, truth values boolean, dates and times datetime64;
    `list_price` and `price` hold Decimals.
    """
    draw = Random(seed)
    customers = _customers(draw)
    products = _products(draw)
    orders = _orders(draw)
    return {
        "customers": _frame(customers, signup_date="datetime64[us]", newsletter="boolean"),
        "products": _frame(products),
        "orders": _frame(
            orders, customer_id="Int64", ordered_at="datetime64[us]", quantity="Int64"
        ),
        "order_items": _frame(_order_items(draw, orders, products)),
        "events": _frame(_events(draw), happened_at="datetime64[us]"),
        "experiment": _frame(_experiment(draw)),
        "monthly_targets": _frame(_monthly_targets()),
        "Odd Names": _frame(_odd_names(draw)),
        "nothing_yet": pd.DataFrame(
            {"id": [], "label": [], "amount": [], "day": []}, dtype=object
        ).astype({"id": "Int64", "amount": "float64", "day": "datetime64[us]"}),
    }


def to_sqlite(path: Path, seed: int = 7) -> Path:
    """Write the shop as a SQLite file; dates are ISO text there, as is usual."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        for name, frame in build_dataset(seed).items():
            marks = ", ".join("?" * frame.shape[1])
            statement = f"INSERT INTO {_quoted(name)} VALUES ({marks})"
            connection.executemany(statement, _rows_of(frame, _sqlite_cell))
        connection.commit()
    return path


def to_duckdb(path: Path, seed: int = 7) -> Path:
    """Write the shop as a DuckDB file."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCHEMA)
        for name, frame in build_dataset(seed).items():
            connection.register("incoming", frame)
            connection.execute(f"INSERT INTO {_quoted(name)} SELECT * FROM incoming")
            connection.unregister("incoming")
    return path


async def open_tool_context(
    warehouse: Warehouse,
    *,
    today: date = TODAY,
    web: WebSearch | None = None,
    note: Callable[[str], None] | None = None,
    thresholds: Thresholds = NO_THRESHOLDS,
) -> ToolContext:
    """Inspect a warehouse and return what a tool gets in a run on it.

    The thresholds of cost are out of the way unless given.
    """
    catalog = await warehouse.inspect()
    connection = Connection(
        name=ConnectionName("shop"), dialect=warehouse.dialect, thresholds=thresholds
    )
    return ToolContext(
        queries=QueryGateway(
            warehouse=warehouse,
            guard=Guard(catalog=catalog),
            connection=connection,
            audit=trail(),
        ),
        catalog=catalog,
        today=today,
        web=web or InMemoryWebSearch(),
        note=note or _forget,
    )


def _forget(sentence: str) -> None:
    del sentence


def _customers(draw: Random) -> _Rows:
    names = ["Ada", "Björn", "Chloé", "Дмитрий", "Ελένη", "王芳", "Noor", "O'Neil"]
    countries = ["Spain", "Germany", "Côte d'Ivoire", "日本", "United States"]
    return [
        {
            "customer_id": i,
            "name": _perhaps(draw, f"{draw.choice(names)} {i}", null=0.02),
            "Country Name": _perhaps(
                draw, draw.choices(countries, [35, 25, 10, 10, 20])[0], null=0.05
            ),
            "segment": draw.choices(["consumer", "Business", "PUBLIC"], [6, 3, 1])[0],
            "signup_date": _at(draw.randrange(DAYS - 180)),
            "newsletter": _perhaps(draw, draw.random() < 0.4, null=0.1),
        }
        for i in range(1, CUSTOMERS + 1)
    ]


def _products(draw: Random) -> _Rows:
    categories = ["Books", "Garden", "Kitchen", "Toys & Games", None]
    sentence = "A thing that a shop sells, described at a length that no chart could bear. "
    return [
        {
            "product_id": i,
            "title": f"Product {i:02d}",
            "category": categories[i % 5],
            "list_price": Decimal(draw.randrange(199, 20_000)) / 100,
            "description": sentence * (1 + i % 3),
        }
        for i in range(1, PRODUCTS + 1)
    ]


def _orders(draw: Random) -> _Rows:
    """Few customers buy much, winters sell less than summers, eight orders are enormous."""
    buyers = range(1, CUSTOMERS + 1)
    weights = [draw.paretovariate(1.5) - 0.9 for _ in buyers]
    days = sorted(draw.randrange(DAYS) for _ in range(ORDERS))
    enormous = set(draw.sample(range(ORDERS), 8))
    return [
        _order(draw, i, day=day, buyer=buyer, enormous=i in enormous)
        for i, (day, buyer) in enumerate(
            zip(days, draw.choices(buyers, weights, k=ORDERS), strict=True)
        )
    ]


def _order(draw: Random, i: int, *, day: int, buyer: int, enormous: bool) -> dict[str, object]:
    season = 1 + 0.3 * math.sin(2 * math.pi * (day - 90) / 365.25)
    amount = round(9_000 + i / 4 if enormous else draw.lognormvariate(3.5, 0.8) * season, 2)
    status = draw.choices(["paid", "shipped", "open", "refunded"], [58, 29, 10, 3])[0]
    return {
        "order_id": i + 1,
        "customer_id": _perhaps(draw, buyer, null=0.01),
        "ordered_at": _at(day, seconds=draw.randrange(86_400)),
        "order_day": _at(day).date().isoformat(),
        "status": status,
        "amount": _perhaps(draw, -amount if status == "refunded" else amount, null=0.04),
        "discount": _perhaps(draw, round(amount * draw.uniform(0, 0.3), 2), null=0.5),
        "quantity": _perhaps(draw, draw.randrange(1, 9), null=0.02),
    }


def _order_items(draw: Random, orders: _Rows, products: _Rows) -> _Rows:
    """One to three lines an order; the last three products are never sold."""
    return [
        {
            "order_id": order["order_id"],
            "line_no": line,
            "product_id": product["product_id"],
            "quantity": draw.randrange(1, 5),
            "price": product["list_price"],
        }
        for order in orders
        for line in range(1, draw.randrange(2, 5))
        for product in [draw.choice(products[:-3])]
    ]


def _events(draw: Random) -> _Rows:
    """Return the steps of visits, fewer at each step; every hundredth customer is an orphan."""
    steps = (("visit", 0.6), ("cart", 0.5), ("checkout", 0.7), ("purchase", 0.0))
    rows: list[dict[str, object]] = []
    for customer in range(1, CUSTOMERS + 1):
        for _ in range(draw.randrange(1, 6)):
            at = _at(0, seconds=draw.randrange(DAYS * 86_400))
            for step, goes_on in steps:
                rows.append(
                    {
                        "event_id": len(rows) + 1,
                        "customer_id": customer + (10_000 if customer % 100 == 0 else 0),
                        "event": step,
                        "happened_at": at,
                    }
                )
                at += timedelta(minutes=draw.randrange(1, 3_000))
                if draw.random() > goes_on:
                    break
    return rows


def _experiment(draw: Random) -> _Rows:
    rows: list[dict[str, object]] = []
    for i in range(1, VISITORS + 1):
        variant = draw.choice(["control", "treatment"])
        converted = draw.random() < (0.14 if variant == "treatment" else 0.10)
        revenue = round(draw.gammavariate(2, 20), 2) if converted else 0.0
        rows.append(
            {"visitor_id": i, "variant": variant, "converted": converted, "revenue": revenue}
        )
    return rows


def _monthly_targets() -> _Rows:
    months = [f"{2025 + i // 12}-{i % 12 + 1:02d}" for i in range(18)]
    return [{"month": month, "target": 8_000.0 + 250 * i} for i, month in enumerate(months)]


def _odd_names(draw: Random) -> _Rows:
    """Rows 1 to 190 are all different; rows 191 to 200 repeat 1 to 10 but for their id."""
    rows = [
        {
            "select": _perhaps(draw, round(draw.gauss(50, 12), 3), null=0.05),
            "group": draw.choice("abc"),
            "Größe": round(draw.uniform(150, 200), 1),
            "売上": draw.randrange(1_000),
            'a "quoted" one': f"value {i}",
        }
        for i in range(1, 191)
    ]
    return [{"Row ID": i, **row} for i, row in enumerate(rows + rows[:10], start=1)]


def _at(day: int, *, seconds: int = 0) -> datetime:
    return datetime.combine(FIRST_DAY, time()) + timedelta(days=day, seconds=seconds)


def _perhaps(draw: Random, value: _Value, *, null: float) -> _Value | None:
    return None if draw.random() < null else value


def _frame(rows: _Rows, **types: Any) -> pd.DataFrame:
    return pd.DataFrame(list(rows)).astype(types)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rows_of(frame: pd.DataFrame, cell: Callable[[object], object]) -> Iterator[tuple[object, ...]]:
    for row in frame.itertuples(index=False, name=None):
        yield tuple(cell(value) for value in row)


def _sqlite_cell(value: object) -> object:
    match value:
        case None:
            return None
        case float() if math.isnan(value):
            return None
        case pd.Timestamp():
            midnight = value == value.normalize()
            return value.strftime("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M:%S")
        case Decimal():
            return float(value)
        case np.integer() | np.bool_():  # sqlite3 would keep these as bytes
            return value.item()
        case _:
            return None if value is pd.NA else value
