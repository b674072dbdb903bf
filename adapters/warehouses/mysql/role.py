"""What a login of MySQL or MariaDB may do besides reading."""

from __future__ import annotations

import re

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 10.0
_LOGIN = "SELECT current_user(), database()"
_PRIVILEGES = """
SELECT privilege, place FROM (
  SELECT grantee, privilege_type AS privilege, 'the whole server' AS place
  FROM information_schema.user_privileges
  UNION
  SELECT grantee, privilege_type, concat('database ', table_schema)
  FROM information_schema.schema_privileges
  UNION
  SELECT grantee, privilege_type, concat('table ', table_schema, '.', table_name)
  FROM information_schema.table_privileges
) AS granted
WHERE privilege NOT IN ('USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES')
  AND grantee = concat(quote(substring_index(current_user(), '@', 1)), '@',
    quote(substring_index(current_user(), '@', -1)))
ORDER BY place, privilege
"""
_PRIVILEGES_NAMED = 5


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, database)] = await fetch(_LOGIN, _SECONDS)
    by_place: dict[str, list[str]] = {}
    for privilege, place in await fetch(_PRIVILEGES, _SECONDS):
        by_place.setdefault(str(place), []).append(str(privilege))
    sentences = tuple(
        f"The login {login} may {_listed(privileges)} on {place}."
        for place, privileges in by_place.items()
    )
    remedy = _remedy(str(database)) if sentences else ""
    return RoleWarnings(sentences=sentences, remedy=remedy)


def _listed(privileges: list[str]) -> str:
    shown = ", ".join(privileges[:_PRIVILEGES_NAMED])
    return f"{shown} and more" if len(privileges) > _PRIVILEGES_NAMED else shown


def _remedy(database: str) -> str:
    # In a GRANT an underscore stands for any character.
    pattern = re.sub(r"([_%])", r"\\\1", database.replace("`", "``"))
    return "\n".join(
        [
            "CREATE USER 'resona_reader'@'%' IDENTIFIED BY 'choose a long one';",
            f"GRANT SELECT, SHOW VIEW ON `{pattern}`.* TO 'resona_reader'@'%';",
        ]
    )
