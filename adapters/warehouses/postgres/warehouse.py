"""PostgreSQL as a warehouse."""

from adapters.warehouses.postgres.catalog import cut, read_tables
from adapters.warehouses.postgres.door import PostgresDoor
from adapters.warehouses.postgres.failures import advice
from adapters.warehouses.postgres.plan import estimate_of
from adapters.warehouses.postgres.role import check_role
from adapters.warehouses.sql_warehouse import SqlWarehouse, Ways
from core.domain.connection import Limits
from core.domain.query import Dialect


class PostgresWarehouse(SqlWarehouse):
    """Reads one database; `place` names it without its password.

    Moments come in UTC. An infinite date is the first or last day that Python has, and an interval
    with months in it, which has no fixed length, is text.
    """

    def __init__(self, dsn: str, *, place: str, limits: Limits | None = None) -> None:
        bounds = limits or Limits()
        super().__init__(place, WAYS, PostgresDoor(dsn, seconds=bounds.seconds), bounds)


WAYS = Ways(
    dialect=Dialect.POSTGRES,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN (FORMAT JSON, VERBOSE)",
    estimate=estimate_of,
    advice=advice,
    check_role=check_role,
    at_once=3,
)
