"""A MariaDB full of what an attack may want."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import cast

import pymysql
from pymysql.constants import CLIENT
from pymysql.cursors import Cursor

from adapters.warehouses.mysql.driver import DriverError
from adapters.warehouses.opening import open_warehouse
from core.domain.query import Dialect
from tests.kit.fences.files import CANARY_OF_A_FILE, Places, listing
from tests.kit.fences.trial import State
from tests.kit.own_servers import LOCAL, OwnServer

READER = "resona_reader"
PASSWORD = "choose a long one"
_SHOP = (
    "CREATE DATABASE shop CHARACTER SET utf8mb4",
    "USE shop",
    "CREATE TABLE customers (id INT PRIMARY KEY, name TEXT, email TEXT, country TEXT)",
    "CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT, amount DECIMAL(12, 2), status TEXT)",
    "CREATE TABLE events (id INT AUTO_INCREMENT PRIMARY KEY, payload TEXT)",
    "INSERT INTO customers SELECT seq, concat('n', seq), concat(seq, '@example.org'),"
    " IF(seq % 2, 'ES', 'FR') FROM seq_1_to_60",
    "INSERT INTO orders SELECT seq, seq % 60 + 1, seq, 'paid' FROM seq_1_to_200",
    "INSERT INTO events (payload) VALUES ('a'), ('b')",
    "CREATE SEQUENCE seq1",
    "CREATE FUNCTION log_access(who TEXT) RETURNS INT MODIFIES SQL DATA"
    " BEGIN INSERT INTO events (payload) VALUES (who); RETURN 1; END",
    "CREATE PROCEDURE do_cleanup() DELETE FROM events",
)
_VAULT = (
    "CREATE DATABASE vault",
    "CREATE TABLE vault.secrets AS SELECT 'canary-of-the-vault' AS secret",
    "CREATE USER an_owner IDENTIFIED BY 'canary-of-a-login'",
    "CREATE SERVER elsewhere FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'nowhere', PASSWORD"
    " 'canary-of-a-server')",
)
_KNOWN_USERS = ("root", "mysql", "mariadb.sys", "PUBLIC", "an_owner", READER)
_CHANGES_BY_ITSELF = (
    "variable_name LIKE 'gtid%' OR variable_name LIKE '%_pos'"
    " OR variable_name LIKE 'innodb_buffer_pool_%' OR variable_name = 'TIMESTAMP'"
)
_STATE = {
    "tables": "SELECT table_schema, table_name, table_type, create_time, table_comment"
    " FROM information_schema.tables WHERE table_schema IN ('shop', 'vault')",
    "columns": "SELECT group_concat(table_name, column_name, column_type) FROM"
    " information_schema.columns WHERE table_schema IN ('shop', 'vault')",
    "indexes": "SELECT table_name, index_name FROM information_schema.statistics"
    " WHERE table_schema IN ('shop', 'vault')",
    "routines": "SELECT routine_schema, routine_name FROM information_schema.routines"
    " WHERE routine_schema <> 'sys'",
    "triggers": "SELECT trigger_name FROM information_schema.triggers"
    " WHERE trigger_schema <> 'sys'",
    "events of the scheduler": "SELECT event_name FROM information_schema.events",
    "databases": "SELECT schema_name FROM information_schema.schemata",
    "logins": "SELECT * FROM mysql.global_priv",
    "rights": "SELECT * FROM mysql.db",
    "rights of tables": "SELECT * FROM mysql.tables_priv",
    "roles": "SELECT * FROM mysql.roles_mapping",
    "libraries": "SELECT * FROM mysql.func",
    "plugins": "SELECT * FROM mysql.plugin",
    "servers": "SELECT * FROM mysql.servers",
    "settings": "SELECT group_concat(variable_name, '=', variable_value SEPARATOR '\n')"
    f" FROM information_schema.global_variables WHERE NOT ({_CHANGES_BY_ITSELF})",
    "transactions": "SELECT trx_query, trx_tables_locked FROM information_schema.innodb_trx"
    " WHERE trx_mysql_thread_id <> connection_id()",
    "locked tables": "SHOW OPEN TABLES FROM shop WHERE in_use > 0",
}
_HOLDING_ROWS = """
SELECT concat(table_schema, '.', table_name), table_type FROM information_schema.tables
WHERE table_schema IN ('shop', 'vault') AND table_type IN ('BASE TABLE', 'SEQUENCE')
"""
_RUNNING = """
SELECT coalesce(info, command) FROM information_schema.processlist
WHERE command NOT IN ('Sleep', 'Daemon') AND id <> connection_id() AND user <> 'system user'
"""
_OTHERS = """
SELECT id FROM information_schema.processlist
WHERE id <> connection_id() AND user NOT IN ('system user', 'event_scheduler')
"""


class MariadbWorld:
    """One database on a server of its own.

    `url` is its administrator's, `reader_url` that of the login that our own statements have made.
    """

    dialect = Dialect.MYSQL
    failures = (DriverError, OSError, RuntimeError)
    canaries = ("canary-of-the-vault", CANARY_OF_A_FILE, "canary-of-a-server")

    def __init__(self, server: OwnServer) -> None:
        self.server = server
        self._own: pymysql.Connection[Cursor] | None = None
        self._places = Places.below(server.directory)
        self.url = f"mysql://root@{LOCAL}:{server.port}/shop"
        login = f"{READER}:{PASSWORD.replace(' ', '%20')}"
        self.reader_url = f"mysql://{login}@{LOCAL}:{server.port}/shop"

    async def make(self) -> None:
        # A new server has logins without a name, which would come before ours.
        nameless = self.run("SELECT host FROM mysql.user WHERE user = ''")
        self.run(*(f"DROP USER ''@'{host}'" for (host,) in nameless), *_SHOP)
        warehouse = await open_warehouse(self.url)
        try:
            remedy = (await warehouse.role_warnings()).remedy.splitlines()
        finally:
            await warehouse.close()
        self.run(*remedy, *_VAULT)

    async def state(self) -> State:
        if not self.server.is_running:
            return {"server": "down"}
        found = {name: str(sorted(map(str, self.run(sql)))) for name, sql in _STATE.items()}
        for table, kind in self.run(_HOLDING_ROWS):
            sql = "SELECT * FROM" if kind == "SEQUENCE" else "CHECKSUM TABLE"
            found[table] = str(self.run(f"{sql} {table}"))
        found["writing"] = self._writes()
        return found | {"files": listing(self._places.written)}

    async def running(self) -> Sequence[str]:
        try:
            return [str(text) for (text,) in self.run(_RUNNING)] if self.server.is_running else []
        except pymysql.err.OperationalError:
            # An attack shuts it down.
            self.server.wait_for_its_end()
            return []

    async def restore(self) -> None:
        if not self.server.is_running:
            self.close()
            self.server.start()
        self.kill(*[str(number) for (number,) in self.run(_OTHERS)])
        users = [(user, host) for user, host in self.run("SELECT user, host FROM mysql.user")]
        functions = [name for (name,) in self.run("SELECT name FROM mysql.func")]
        self.run(
            *(f"DROP USER '{user}'@'{host}'" for user, host in users if user not in _KNOWN_USERS),
            *(f"DROP FUNCTION {name}" for name in functions),
            "SET GLOBAL general_log = 0",
            "DROP DATABASE IF EXISTS shop",
            *_SHOP,
        )
        self._places.clear()

    def fitted(self, sql: str) -> str:
        return self._places.fitted(sql)

    def kill(self, *numbers: str) -> None:
        """End connections; they may have ended by themselves."""
        for number in numbers:
            with suppress(pymysql.err.OperationalError):
                self.run(f"KILL {number}")

    def run(self, *script: str) -> Sequence[tuple[str, ...]]:
        """Run statements as the administrator and return the rows of the last."""
        if self._own is None or not self._own.open:
            self._own = self._connection("root", "")
            self._own.cursor().execute("SET group_concat_max_len = 1000000")
        with self._own.cursor() as cursor:
            for statement in script:
                cursor.execute(statement)
            return cast("Sequence[tuple[str, ...]]", cursor.fetchall())

    def close(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None

    @contextmanager
    def connected(
        self, user: str, password: str, *, several: bool = False
    ) -> Generator[pymysql.Connection[Cursor]]:
        """Give a connection of the plain driver, which may send several statements at once."""
        connection = self._connection(user, password, several=several)
        try:
            yield connection
        finally:
            connection.close()

    def _connection(
        self, user: str, password: str, *, several: bool = False
    ) -> pymysql.Connection[Cursor]:
        return pymysql.connect(
            host=LOCAL,
            port=self.server.port,
            user=user,
            password=password,
            autocommit=True,
            client_flag=CLIENT.MULTI_STATEMENTS if several else 0,
        )

    def _writes(self) -> str:
        """Say whether anybody may still write: a lock on all tables is seen nowhere else."""
        try:
            self.run("SET lock_wait_timeout = 1", "UPDATE vault.secrets SET secret = secret")
        except pymysql.err.OperationalError as error:
            return str(error)
        return "free"
