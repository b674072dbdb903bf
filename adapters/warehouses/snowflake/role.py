"""What a role of Snowflake may do besides reading."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 60.0
_NAMED = 3
_ROLE = "SELECT current_role(), current_database(), current_schema(), current_warehouse()"
_RIGHTS = """
SELECT privilege_type, object_schema || '.' || object_name
FROM information_schema.object_privileges
WHERE grantee = current_role()
  AND privilege_type NOT IN ('SELECT', 'USAGE', 'REFERENCES', 'MONITOR')
ORDER BY 2, 1
"""
_ADMINS = ("ACCOUNTADMIN", "SECURITYADMIN", "SYSADMIN", "ORGADMIN", "USERADMIN")


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the role may do besides reading, and how to make one that only reads."""
    [(role, database, schema, warehouse)] = await fetch(_ROLE, _SECONDS)
    rights = () if role in _ADMINS else await fetch(_RIGHTS, _SECONDS)
    named = ", ".join(f"{right} on {place}" for right, place in rights[:_NAMED])
    rest = " and more" if len(rights) > _NAMED else ""
    told = tuple(
        sentence
        for holds, sentence in (
            (role in _ADMINS, f"The role {role} administers the account."),
            (bool(rights), f"The role {role} may do more than read: {named}{rest}."),
        )
        if holds
    )
    return RoleWarnings(sentences=told, remedy=_remedy(database, schema, warehouse) if told else "")


def _remedy(database: object, schema: object, warehouse: object) -> str:
    place = f"{_quoted(database)}.{_quoted(schema or 'PUBLIC')}"
    return "\n".join(
        [
            "CREATE ROLE RESONA_READER;",
            f"GRANT USAGE ON DATABASE {_quoted(database)} TO ROLE RESONA_READER;",
            f"GRANT USAGE ON SCHEMA {place} TO ROLE RESONA_READER;",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {place} TO ROLE RESONA_READER;",
            f"GRANT SELECT ON ALL VIEWS IN SCHEMA {place} TO ROLE RESONA_READER;",
            f"GRANT USAGE ON WAREHOUSE {_quoted(warehouse or 'COMPUTE_WH')} TO ROLE RESONA_READER;",
            "CREATE USER RESONA TYPE = SERVICE DEFAULT_ROLE = RESONA_READER"
            " DEFAULT_SECONDARY_ROLES = ();",
            "GRANT ROLE RESONA_READER TO USER RESONA;",
        ]
    )


def _quoted(name: object) -> str:
    return '"' + str(name).replace('"', '""') + '"'
