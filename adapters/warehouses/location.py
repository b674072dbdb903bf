"""What a person writes to name a warehouse, taken apart. No message ever holds a password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from core.domain.errors import ConnectionUnusable
from core.domain.query import Dialect

_FILE_ENDINGS = {
    ".sqlite": Dialect.SQLITE,
    ".sqlite3": Dialect.SQLITE,
    ".db3": Dialect.SQLITE,
    ".duckdb": Dialect.DUCKDB,
    ".ddb": Dialect.DUCKDB,
}
_FILE_SCHEMES = {"sqlite": Dialect.SQLITE, "duckdb": Dialect.DUCKDB}
_SERVER_SCHEMES = {
    "postgresql": Dialect.POSTGRES,
    "postgres": Dialect.POSTGRES,
    "mysql": Dialect.MYSQL,
    "mariadb": Dialect.MYSQL,
}
_SERVICE_SCHEMES = {
    "bigquery": Dialect.BIGQUERY,
    "snowflake": Dialect.SNOWFLAKE,
    "redshift": Dialect.REDSHIFT,
    "databricks": Dialect.DATABRICKS,
    "clickhouse": Dialect.CLICKHOUSE,
    "clickhousedb": Dialect.CLICKHOUSE,
    "trino": Dialect.TRINO,
    "sqlserver": Dialect.TSQL,
    "mssql": Dialect.TSQL,
}
_SCHEMES = {**_SERVER_SCHEMES, **_SERVICE_SCHEMES}
_PORTS = {
    Dialect.POSTGRES: 5432,
    Dialect.MYSQL: 3306,
    Dialect.REDSHIFT: 5439,
    Dialect.CLICKHOUSE: 8443,
    Dialect.TSQL: 1433,
}
# What comes after the host, and how the whole is written; the last parts may be left out.
_PATHS = {
    Dialect.BIGQUERY: (0, 1, "bigquery://project/dataset?location=EU"),
    Dialect.SNOWFLAKE: (1, 2, "snowflake://user:password@account/database/schema?warehouse=NAME"),
    Dialect.DATABRICKS: (
        0,
        2,
        "databricks://token:TOKEN@host/catalog/schema?http_path=/sql/1.0/warehouses/ID",
    ),
    Dialect.TRINO: (1, 2, "trino://user:password@host:443/catalog/schema"),
}
_HOW = (
    "Write a path that ends in .sqlite, .db or .duckdb, or a URL such as"
    " sqlite:///path/to/file.sqlite, duckdb:///path/to/file.duckdb,"
    " postgresql://user:password@host/database or mysql://user:password@host/database."
)
_HOW_TO_ESCAPE = (
    "That URL cannot be read. A port is a number, and the characters / @ : ? # in a password are"
    " written as %2F %40 %3A %3F %23."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLocation:
    """A database in one file."""

    dialect: Dialect
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLocation:
    """A database on a server or of a service; its text names it without the password.

    `port` is 0 where the service needs none.
    """

    dialect: Dialect
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    options: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def __str__(self) -> str:
        # Databricks writes the word "token" where others name a user.
        user = f"{self.user}@" if self.user else ""
        scheme = "sqlserver" if self.dialect is Dialect.TSQL else self.dialect
        port = f":{self.port}" if self.port else ""
        return f"{scheme}://{user}{self.host}{port}/{self.database}".removesuffix("/")

    @property
    def path(self) -> tuple[str, str]:
        """The two parts that `database` may have, such as a catalog and a schema."""
        first, _, second = self.database.partition("/")
        return first, second

    @property
    def dsn(self) -> str:
        """The whole address again, password included, as libpq reads it."""
        login = ":".join(quote(part, safe="") for part in (self.user, self.password) if part)
        host = f"{self.host}:{self.port}" if self.host else ""
        at = "@" if login else ""
        query = f"?{urlencode(self.options)}" if self.options else ""
        return f"postgresql://{login}{at}{host}/{quote(self.database, safe='')}{query}"


def locate(text: str) -> FileLocation | ServerLocation:
    """Take an address apart.

    Raises:
        ConnectionUnusable: it names no warehouse that can be opened; the message says what would.
    """
    written = text.strip()
    scheme, separator, rest = written.partition("://")
    if not separator:
        return _file(written, _FILE_ENDINGS.get(Path(written).suffix.casefold()))
    engine = scheme.casefold().partition("+")[0]
    if engine in _FILE_SCHEMES:
        return _file(rest.removeprefix("/"), _FILE_SCHEMES[engine])
    if engine not in _SCHEMES:
        known = ", ".join(sorted({*_FILE_SCHEMES, *_SCHEMES}))
        raise ConnectionUnusable(f"Resona cannot open {scheme}:// yet; it opens {known}. {_HOW}")
    return _server(written, _SCHEMES[engine])


def _file(written: str, named: Dialect | None) -> FileLocation:
    if not written or written == ":memory:":
        raise ConnectionUnusable(f"That names no file. {_HOW}")
    path = Path(written).expanduser()
    if not path.exists():
        # A URL may write a blank as %20; a file may have a percent sign in its name.
        path = Path(unquote(written)).expanduser()
    if not path.exists():
        raise ConnectionUnusable(f"There is no file {path}. Check the path.")
    if not path.is_file():
        raise ConnectionUnusable(f"{path} is no file. Give the path of the database file itself.")
    dialect = named or _dialect_inside(path)
    if dialect is None:
        raise ConnectionUnusable(f"{path} is no SQLite or DuckDB database. {_HOW}")
    return FileLocation(dialect=dialect, path=path)


def _dialect_inside(path: Path) -> Dialect | None:
    """Tell the format from a file's first bytes, where neither a scheme nor the ending does."""
    # Not done for others: closing a file drops every lock that this process holds on it.
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise ConnectionUnusable(
            f"{path} may not be read ({error.strerror}). Check who may read it."
        ) from error
    if start.startswith(b"SQLite format 3\x00"):
        return Dialect.SQLITE
    if start[8:12] == b"DUCK":
        return Dialect.DUCKDB
    return Dialect.SQLITE if not start and path.suffix == ".db" else None


def _server(written: str, dialect: Dialect) -> ServerLocation:
    try:
        parts = urlsplit(written)
        port = parts.port
    except ValueError:
        # The cause could hold the password: it stays out of the log.
        raise ConnectionUnusable(_HOW_TO_ESCAPE) from None
    options = dict(parse_qsl(parts.query))
    database = unquote(parts.path.removeprefix("/"))
    least, most, form = _PATHS.get(dialect, (1, 1, ""))
    names = [name for name in database.split("/") if name]
    if len(names) > most or (not parts.hostname and "host" not in options):
        raise ConnectionUnusable(f"Write it as {form}." if form else _HOW_TO_ESCAPE)
    if len(names) < least:
        how = f"Write it as {form}." if form else _HOW
        raise ConnectionUnusable(f"The URL names no database: add /name at its end. {how}")
    return ServerLocation(
        dialect=dialect,
        host=parts.hostname or "",
        port=port or _PORTS.get(dialect, 0),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        database="/".join(names),
        options=options,
    )
