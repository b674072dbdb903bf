"""What a login of ClickHouse may do besides reading."""

from __future__ import annotations

import re

from adapters.warehouses.sql_warehouse import Fetch
from core.domain.login import RoleWarnings

_SECONDS = 10.0
_LOGIN = """
SELECT currentUser(), currentDatabase(),
  (SELECT value FROM system.settings WHERE name = 'readonly')
"""
_GRANT = re.compile(r"GRANT (?P<rights>.+) ON (?P<place>\S+) TO .+")
_READING = ("SELECT", "SHOW", "dictGet", "displaySecretsInShowAndSelect")
_NAMED = 5


async def check_role(fetch: Fetch) -> RoleWarnings:
    """Say what the login may do besides reading, and how to make one that only reads."""
    [(login, database, readonly)] = await fetch(_LOGIN, _SECONDS)
    grants = [str(row[0]) for row in await fetch("SHOW GRANTS", _SECONDS)]
    sentences = [sentence for grant in grants if (sentence := _sentence(str(login), grant))]
    if str(readonly) == "0":
        sentences.append(
            f"The profile of {login} does not say readonly = 1, so that its sessions may write."
        )
    return RoleWarnings(
        sentences=tuple(sentences), remedy=_remedy(str(database)) if sentences else ""
    )


def _sentence(login: str, grant: str) -> str:
    found = _GRANT.match(grant)
    if found is None:
        return ""
    # A list of columns stands in brackets and has commas of its own.
    rights = [each.strip() for each in re.sub(r"\([^)]*\)", "", found["rights"]).split(",")]
    more = [each for each in rights if not each.startswith(_READING)]
    if not more:
        return ""
    rest = " and more" if len(more) > _NAMED else ""
    return f"The login {login} may {', '.join(more[:_NAMED])}{rest} on {found['place']}."


def _remedy(database: str) -> str:
    quoted = "`" + database.replace("\\", "\\\\").replace("`", "\\`") + "`"
    return "\n".join(
        [
            "CREATE SETTINGS PROFILE resona_reader SETTINGS readonly = 1, max_execution_time = 60,"
            " max_rows_to_read = 5000000000, max_bytes_to_read = 500000000000,"
            " max_memory_usage = 10000000000;",
            "CREATE USER resona_reader IDENTIFIED BY 'choose a long one'"
            " SETTINGS PROFILE 'resona_reader';",
            f"GRANT SELECT ON {quoted}.* TO resona_reader;",
        ]
    )
