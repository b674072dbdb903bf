"""A small shop as each service tells of it, with a driver that replays the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from core.domain.query import Dialect
from tests.kit.replayed import Answer, DriverError, ReplayedCursor, SnowflakeCursor, Tape

ANY = [("x", None)]
NAMES: list[tuple[str, object]] = [(f"c{at}", None) for at in range(8)]


class ServerOperationError(DriverError):
    """What Databricks' driver calls a rejection."""


def _with(error: Exception, **parts: object) -> Exception:
    error.__dict__.update(parts)
    return error


@dataclass(frozen=True)
class Service:
    """One engine: how it is reached, and what it says of a small shop.

    shop: the statements that a catalog is read with, and the answers
    select: what matches a query that runs; `before` is what has to be said to the server first
    """

    dialect: Dialect
    url: str
    modules: Mapping[str, Mapping[str, object]]
    session: str
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    cursor: Callable[[Tape], ReplayedCursor] = ReplayedCursor
    quiet: Sequence[Answer] = ()
    has_keys: bool = True
    number: object = "decimal"
    said: Callable[[str], Exception] = DriverError

    def tape(self, *more: Answer) -> Tape:
        return Tape(answers=[*more, *self.quiet, *self.shop()])

    def shop(self) -> list[Answer]:
        tables = [
            ("shop", "orders", False, 1_000_000, 64_000_000, "What was bought"),
            ("shop", "recent", "YES", None, None, None),
            ("other", "events", 0, 5, 100, ""),
        ]
        columns = [
            ("shop", "orders", "id", "bigint", "NO", ""),
            ("shop", "orders", "amount", "decimal(12,2)", "YES", "In euros"),
            ("shop", "orders", "ordered_on", "date", "YES", ""),
            ("shop", "orders", "customer_id", "bigint", True, ""),
            ("shop", "recent", "id", "bigint", "YES", None),
            ("other", "events", "at", "timestamp", "YES", ""),
        ]
        keys = [
            ("shop", "orders", "pk", "p", "id", None, None, None),
            ("shop", "orders", "fk", "f", "customer_id", "other", "customers", "id"),
        ]
        return [
            Answer(self.session, ANY, [("shop",)]),
            Answer(r"SELECT [sc]\.name, o\.name, i\.name|table_constraints", NAMES, keys),
            Answer(r"column_name|sys\.columns", NAMES[:6], columns),
            Answer(r"FROM (svv_tables|information_schema\.tables|sys\.objects)", NAMES[:6], tables),
        ]


def login(user: str, password: str) -> tuple[str, str]:
    return user, password


REDSHIFT = Service(
    dialect=Dialect.REDSHIFT,
    url="redshift://reader:s%40cret@cluster.example:5439/dev",
    modules={"redshift_connector": {"Error": DriverError}},
    session=r"current_schema\(\)",
    before=("BEGIN READ ONLY", "SET LOCAL statement_timeout = 20000"),
    after=("ROLLBACK",),
    quiet=(
        Answer(r"^(BEGIN READ ONLY|SET LOCAL|ROLLBACK|DECLARE)"),
        Answer("pg_backend_pid", ANY, [(77,)]),
        Answer("pg_cancel_backend", ANY, [(True,)]),
    ),
    number=1700,
    said=lambda words: DriverError({"C": "42703", "M": words}),
)
TRINO = Service(
    dialect=Dialect.TRINO,
    url="trino://reader:s%40cret@trino.example/hive/shop",
    modules={
        "trino.dbapi": {},
        "trino.exceptions": {"Error": DriverError, "HttpError": DriverError},
        "trino.auth": {"BasicAuthentication": login},
        "requests.exceptions": {"RequestException": OSError},
    },
    session="current_schema",
    before=("SET SESSION query_max_run_time = '20s'",),
    quiet=(Answer("^(RE)?SET SESSION"),),
    has_keys=False,
    said=lambda words: _with(
        DriverError(words), error_name="COLUMN_NOT_FOUND", error_type="USER_ERROR"
    ),
)
DATABRICKS = Service(
    dialect=Dialect.DATABRICKS,
    url="databricks://token:s%40cret@dbc.example/main/shop?http_path=/sql/1.0/warehouses/a1",
    modules={"databricks.sql": {}, "databricks.sql.exc": {"Error": DriverError}},
    session=r"current_schema\(\)",
    said=ServerOperationError,
)
SQLSERVER = Service(
    dialect=Dialect.TSQL,
    url="sqlserver://reader:s%40cr%7Det@db.example:1433/dev",
    modules={"pyodbc": {"Error": DriverError}},
    session=r"SCHEMA_NAME\(\)",
    before=("SET LOCK_TIMEOUT 3000", "SET QUOTED_IDENTIFIER ON"),
    after=("rollback()",),
    quiet=(Answer("^SET "),),
    said=lambda words: DriverError("42S22", words),
)
SNOWFLAKE = Service(
    dialect=Dialect.SNOWFLAKE,
    url="snowflake://reader:s%40cret@org-account/DEV/shop?warehouse=SMALL&role=READER",
    modules={"snowflake.connector": {"errors": SimpleNamespace(Error=DriverError)}},
    session=r"current_schema\(\)",
    cursor=SnowflakeCursor,
    has_keys=False,
    number=0,
    said=lambda words: _with(DriverError(words), errno=904, raw_msg=words),
)
SERVICES = [REDSHIFT, TRINO, DATABRICKS, SQLSERVER, SNOWFLAKE]
