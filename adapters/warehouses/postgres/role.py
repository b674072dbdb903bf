"""What a login of PostgreSQL may do besides reading."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings
from core.domain.table import Cell, Row

_SECONDS = 10.0
_TABLES_NAMED = 3

_LOGIN = """
SELECT current_user::text, current_database()::text, r.rolsuper,
  r.rolcreaterole OR r.rolcreatedb OR r.rolreplication,
  has_database_privilege(current_database(), 'CREATE'),
  has_database_privilege(current_database(), 'TEMPORARY'),
  ARRAY(
    SELECT g.rolname::text FROM pg_roles AS g
    WHERE g.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files',
      'pg_execute_server_program', 'pg_signal_backend', 'pg_read_all_data', 'pg_monitor')
      AND NOT r.rolsuper AND pg_has_role(current_user, g.oid, 'MEMBER')
  )
FROM pg_roles AS r WHERE r.rolname = current_user
"""
# What an extension brought along is left out: such views tell other people's queries.
_TABLES = """
SELECT n.nspname::text, quote_ident(n.nspname) || '.' || quote_ident(c.relname),
  has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
    OR has_any_column_privilege(c.oid, 'INSERT, UPDATE'),
  quote_ident(n.nspname), has_schema_privilege(n.oid, 'CREATE')
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  AND NOT EXISTS (
    SELECT FROM pg_depend AS d
    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
  )
ORDER BY 2
"""


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, database, is_super, may_manage, may_create, may_use_temporary, groups)] = await fetch(
        _LOGIN, _SECONDS
    )
    tables = await fetch(_TABLES, _SECONDS)
    writable = [str(row[1]) for row in tables if row[2]]
    creatable = sorted({str(row[3]) for row in tables if row[4]})
    sentences = [
        (is_super, f"The login {login} is a superuser: it may do anything to the whole server."),
        (
            may_manage and not is_super,
            f"The login {login} may create roles or databases, or replicate.",
        ),
        (
            bool(groups),
            f"The login {login} is a member of {_listed(groups)}.",
        ),
        (
            bool(writable),
            f"The login {login} may change {_tables(len(writable))},"
            f" {_first(writable)} among them.",
        ),
        (
            bool(creatable) or bool(may_create),
            f"The login {login} may create tables in {_first(creatable) or database}.",
        ),
        (
            bool(may_use_temporary) and not is_super,
            f"The login {login} may create temporary tables.",
        ),
    ]
    told = tuple(sentence for holds, sentence in sentences if holds)
    return (
        RoleWarnings(sentences=told, remedy=_remedy(str(database), tables))
        if told
        else RoleWarnings()
    )


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _remedy(database: str, tables: Sequence[Row]) -> str:
    schemas = sorted({str(row[3]) for row in tables})
    names = ", ".join(str(row[1]) for row in tables)
    quoted = '"' + database.replace('"', '""') + '"'
    return "\n".join(
        [
            "CREATE ROLE resona_reader LOGIN NOSUPERUSER NOINHERIT PASSWORD 'choose a long one';",
            f"REVOKE CREATE, TEMPORARY ON DATABASE {quoted} FROM PUBLIC;",
            f"GRANT CONNECT ON DATABASE {quoted} TO resona_reader;",
            *(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC;" for schema in schemas),
            *(f"GRANT USAGE ON SCHEMA {schema} TO resona_reader;" for schema in schemas),
            *([f"GRANT SELECT ON {names} TO resona_reader;"] if names else []),
            "ALTER ROLE resona_reader SET default_transaction_read_only = on;",
            "ALTER ROLE resona_reader SET statement_timeout = '60s';",
        ]
    )


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:_TABLES_NAMED])


def _listed(names: Cell) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else ""
