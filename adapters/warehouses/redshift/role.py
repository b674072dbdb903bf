"""What a login of Redshift may do besides reading."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 30.0
_TABLES_NAMED = 3
_LOGIN = """
SELECT current_user, current_database(), usesuper, usecreatedb,
  has_database_privilege(current_database(), 'CREATE'),
  has_database_privilege(current_database(), 'TEMP')
FROM pg_user WHERE usename = current_user
"""
_WRITABLE = """
SELECT schemaname || '.' || tablename FROM pg_tables
WHERE schemaname NOT IN ('information_schema', 'pg_catalog', 'pg_internal')
  AND has_schema_privilege(schemaname, 'USAGE') AND (
    has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'INSERT')
    OR has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'UPDATE')
    OR has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'DELETE'))
ORDER BY 1
"""


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, database, is_super, may_make, may_create, may_use_temporary)] = await fetch(
        _LOGIN, _SECONDS
    )
    writable = [str(row[0]) for row in await fetch(_WRITABLE, _SECONDS)]
    named = ", ".join(writable[:_TABLES_NAMED])
    told = tuple(
        sentence
        for holds, sentence in (
            (is_super, f"The login {login} is a superuser: it may do anything."),
            (may_make and not is_super, f"The login {login} may create databases."),
            (
                writable,
                f"The login {login} may change {_tables(len(writable))}, {named} among them.",
            ),
            (may_create, f"The login {login} may create schemas in {database}."),
            (may_use_temporary and not is_super, f"The login {login} may create temporary tables."),
        )
        if holds
    )
    return RoleWarnings(sentences=told, remedy=_remedy(str(database)) if told else "")


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _remedy(database: str) -> str:
    quoted = '"' + database.replace('"', '""') + '"'
    return "\n".join(
        [
            "CREATE USER resona_reader PASSWORD 'choose a long one, with Capitals and 1 digit';",
            f"REVOKE TEMPORARY ON DATABASE {quoted} FROM PUBLIC;",
            "GRANT USAGE ON SCHEMA public TO resona_reader;",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO resona_reader;",
            "ALTER USER resona_reader SET statement_timeout TO 60000;",
        ]
    )
