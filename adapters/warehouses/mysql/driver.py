"""aiomysql as far as it is used here, with types: the library brings none of its own."""

from __future__ import annotations

import importlib
import json
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, cast

from core.domain.table import Cell, Row

_aiomysql: Any = importlib.import_module("aiomysql")
_converters: Any = importlib.import_module("pymysql.converters")
_constants: Any = importlib.import_module("pymysql.constants")

# Everything that the driver raises; the first argument is the server's number for it.
DriverError: type[Exception] = _aiomysql.Error

_MULTI_STATEMENTS: int = _constants.CLIENT.MULTI_STATEMENTS
_CODES = cast("dict[str, int]", vars(_constants.FIELD_TYPE))
_WORDS = {
    _CODES[name]: word
    for name, word in (
        *(("DECIMAL", "decimal"), ("NEWDECIMAL", "decimal"), ("TINY", "int"), ("SHORT", "int")),
        *(("LONG", "int"), ("LONGLONG", "bigint"), ("INT24", "int"), ("YEAR", "year")),
        *(("FLOAT", "float"), ("DOUBLE", "double"), ("BIT", "bit"), ("JSON", "json")),
        *(("DATE", "date"), ("DATETIME", "datetime"), ("TIMESTAMP", "timestamp")),
        *(("TIME", "time"), ("GEOMETRY", "geometry"), ("ENUM", "enum"), ("SET", "set")),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Where a server is, who asks, and which of its databases."""

    host: str
    port: int
    user: str
    password: str
    database: str
    encrypted: bool = False


class Cursor(Protocol):
    """Reads rows as they come; `description` is None where there are none."""

    description: Sequence[tuple[str, int, *tuple[object, ...]]] | None

    async def execute(self, query: str) -> int: ...

    async def fetchmany(self, size: int) -> list[Row]: ...


class Connection(Protocol):
    def thread_id(self) -> int: ...

    def get_server_info(self) -> str: ...

    async def cursor(self, cursor_class: object) -> Cursor: ...

    def close(self) -> None: ...


UNBUFFERED: object = _aiomysql.SSCursor
BUFFERED: object = _aiomysql.Cursor


class _OneStatementConnection(_aiomysql.Connection):
    """The driver asks the server to take several statements in one text; this one does not."""

    client_flag: int

    async def open(self) -> Connection:
        self.client_flag &= ~_MULTI_STATEMENTS
        await self._connect()
        return cast("Connection", self)


async def connect(login: Login, *, seconds: float) -> Connection:
    """Open a connection on which one text is one statement."""
    connection = _OneStatementConnection(
        host=login.host,
        port=login.port,
        user=login.user,
        password=_as_the_driver_takes_it(login.password),
        db=login.database,
        charset="utf8mb4",
        connect_timeout=seconds,
        conv=_DECODERS,
        program_name="resona",
        ssl=ssl.create_default_context() if login.encrypted else None,
    )
    return await connection.open()


def _as_the_driver_takes_it(password: str) -> str:
    # It writes a password as Latin-1, servers read UTF-8: each byte goes as the character it is.
    return password.encode().decode("latin-1")


def number_of(error: BaseException | None) -> int:
    """Return the server's or the driver's number for a failure; 0 where there is none."""
    number = error.args[0] if isinstance(error, DriverError) and error.args else 0
    return number if isinstance(number, int) else 0


def words_of(error: BaseException) -> str:
    """Return what the server said, without its number."""
    return str(error.args[1]) if len(error.args) > 1 else str(error)


def word_of(code: int) -> str:
    """Return the engine's word for a type of column; nothing for text and bytes."""
    return _WORDS.get(code, "")


def _from_json(text: str) -> Cell:
    return json.loads(text, parse_float=Decimal)


def _from_bits(bits: bytes) -> int:
    return int.from_bytes(bits, "big")


_DECODERS: dict[int, Any] = {
    **_converters.decoders,
    _CODES["JSON"]: _from_json,
    _CODES["BIT"]: _from_bits,
}
