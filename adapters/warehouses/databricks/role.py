"""What a login of Databricks may do besides reading, as Unity Catalog lists it."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 60.0
_NAMED = 3
_LOGIN = "SELECT current_user(), current_catalog(), current_schema()"
_RIGHTS = """
SELECT privilege_type, 'the catalog ' || catalog_name FROM information_schema.catalog_privileges
WHERE grantee = current_user() AND privilege_type NOT IN ('USE CATALOG', 'USE SCHEMA', 'SELECT',
  'BROWSE')
UNION ALL
SELECT privilege_type, 'the schema ' || schema_name FROM information_schema.schema_privileges
WHERE grantee = current_user() AND privilege_type NOT IN ('USE SCHEMA', 'SELECT', 'BROWSE')
UNION ALL
SELECT privilege_type, table_schema || '.' || table_name FROM information_schema.table_privileges
WHERE grantee = current_user() AND privilege_type NOT IN ('SELECT', 'BROWSE')
ORDER BY 2, 1
"""


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, catalog, schema)] = await fetch(_LOGIN, _SECONDS)
    rights = await fetch(_RIGHTS, _SECONDS)
    if not rights:
        return RoleWarnings()
    named = ", ".join(f"{right} on {place}" for right, place in rights[:_NAMED])
    rest = " and more" if len(rights) > _NAMED else ""
    return RoleWarnings(
        sentences=(f"The login {login} may do more than read: {named}{rest}.",),
        remedy="\n".join(
            [
                "-- with a service principal of its own, called resona_reader:",
                f"GRANT USE CATALOG ON CATALOG {_quoted(catalog)} TO `resona_reader`;",
                f"GRANT USE SCHEMA, SELECT ON SCHEMA {_quoted(catalog)}.{_quoted(schema)}"
                " TO `resona_reader`;",
            ]
        ),
    )


def _quoted(name: object) -> str:
    return "`" + str(name).replace("`", "``") + "`"
