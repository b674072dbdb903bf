"""A catalog by hand, for what needs no database: two schemas, keys, comments, an odd name."""

from __future__ import annotations

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from core.domain.query import Dialect
from core.domain.table import ColumnKind

TIME, MEASURE = ColumnKind.TIME, ColumnKind.MEASURE
DIMENSION, TEXT = ColumnKind.DIMENSION, ColumnKind.TEXT


def column(
    name: str, type_: str, kind: ColumnKind, *, values: tuple[str, ...] = (), comment: str = ""
) -> CatalogColumn:
    return CatalogColumn(name=name, type=type_, kind=kind, values=values, comment=comment)


CUSTOMERS = CatalogTable(
    name="customers",
    columns=(
        column("customer_id", "INTEGER", DIMENSION),
        column("Country Name", "VARCHAR(40)", DIMENSION, values=("Germany", "Spain")),
        column("signup_date", "DATE", TIME),
    ),
    primary_key=("customer_id",),
    row_estimate=400,
    comment="Who has an account",
)
ORDERS = CatalogTable(
    name="orders",
    columns=(
        column("order_id", "INTEGER", DIMENSION),
        column("customer_id", "INTEGER", DIMENSION),
        column("ordered_at", "TIMESTAMP", TIME),
        column("order_day", "VARCHAR(10)", TIME),
        column("status", "VARCHAR(20)", DIMENSION, values=("open", "paid"), comment="Where it is"),
        column("amount", "DOUBLE PRECISION", MEASURE, comment="In euros; refunds are negative"),
    ),
    primary_key=("order_id",),
    foreign_keys=(
        ForeignKey(columns=("customer_id",), to_table="customers", to_columns=("customer_id",)),
    ),
    row_estimate=3_000,
)
EVENTS = CatalogTable(
    name="events",
    columns=(
        column("event_id", "INTEGER", DIMENSION),
        column("customer_id", "INTEGER", DIMENSION),
        column("happened_at", "TIMESTAMP", TIME),
    ),
    primary_key=("event_id",),
)
REFUNDS = CatalogTable(
    name="Refund Reasons",
    schema="support",
    columns=(
        column("order_id", "INTEGER", DIMENSION),
        column("select", "TEXT", TEXT),
    ),
    primary_key=("order_id",),
    foreign_keys=(ForeignKey(columns=("order_id",), to_table="orders", to_columns=("order_id",)),),
    is_view=False,
)
TOTALS = CatalogTable(
    name="daily_totals",
    columns=(column("day", "DATE", TIME), column("total", "DOUBLE PRECISION", MEASURE)),
    is_view=True,
)


def shop_catalog(dialect: Dialect = Dialect.POSTGRES) -> Catalog:
    return Catalog(dialect=dialect, tables=(REFUNDS, CUSTOMERS, TOTALS, EVENTS, ORDERS))
