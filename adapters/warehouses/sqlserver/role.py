"""What a login of SQL Server may do besides reading."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 30.0
_NAMED = 3
_LOGIN = """
SELECT SUSER_SNAME(), DB_NAME(), IS_SRVROLEMEMBER('sysadmin'), IS_ROLEMEMBER('db_owner'),
  IS_ROLEMEMBER('db_datawriter'), IS_ROLEMEMBER('db_ddladmin')
"""
_RIGHTS = """
SELECT DISTINCT permission_name FROM fn_my_permissions(NULL, 'DATABASE')
WHERE permission_name IN ('INSERT', 'UPDATE', 'DELETE', 'EXECUTE', 'ALTER', 'CONTROL',
  'CREATE TABLE', 'CREATE VIEW', 'CREATE PROCEDURE', 'CREATE FUNCTION', 'CREATE SCHEMA')
ORDER BY permission_name
"""


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, database, is_admin, owns, writes, makes)] = await fetch(_LOGIN, _SECONDS)
    rights = [str(row[0]) for row in await fetch(_RIGHTS, _SECONDS)]
    listed = ", ".join(rights[:_NAMED]) + (" and more" if len(rights) > _NAMED else "")
    told = tuple(
        sentence
        for holds, sentence in (
            (is_admin, f"The login {login} is sysadmin: it may do anything to the whole server."),
            (owns and not is_admin, f"The login {login} owns the database {database}."),
            (writes and not owns, f"The login {login} is a member of db_datawriter."),
            (makes and not owns, f"The login {login} is a member of db_ddladmin."),
            (rights and not owns, f"The login {login} may {listed} in {database}."),
        )
        if holds
    )
    return RoleWarnings(sentences=told, remedy=_remedy(str(database)) if told else "")


def _remedy(database: str) -> str:
    quoted = "[" + database.replace("]", "]]") + "]"
    return "\n".join(
        [
            "CREATE LOGIN resona_reader WITH PASSWORD = 'choose a long one';",
            f"USE {quoted};",
            "CREATE USER resona_reader FOR LOGIN resona_reader;",
            "ALTER ROLE db_datareader ADD MEMBER resona_reader;",
            "GRANT SHOWPLAN TO resona_reader;",
            "DENY EXECUTE TO resona_reader;",
        ]
    )
