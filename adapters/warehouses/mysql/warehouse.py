"""MySQL and MariaDB as a warehouse."""

from adapters.warehouses.mysql.catalog import cut, read_tables
from adapters.warehouses.mysql.door import MysqlDoor
from adapters.warehouses.mysql.driver import Login
from adapters.warehouses.mysql.failures import advice
from adapters.warehouses.mysql.plan import estimate_of
from adapters.warehouses.mysql.role import check_role
from adapters.warehouses.sql_warehouse import SqlWarehouse, Ways
from core.domain.connection import Limits
from core.domain.query import Dialect


class MysqlWarehouse(SqlWarehouse):
    """Reads one database; `place` names it without its password. Moments come in UTC."""

    def __init__(self, login: Login, *, place: str, limits: Limits | None = None) -> None:
        bounds = limits or Limits()
        super().__init__(place, WAYS, MysqlDoor(login, seconds=bounds.seconds), bounds)


WAYS = Ways(
    dialect=Dialect.MYSQL,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN FORMAT=JSON",
    estimate=estimate_of,
    advice=advice,
    check_role=check_role,
    at_once=3,
)
