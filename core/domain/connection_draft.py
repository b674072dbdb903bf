"""A connection as a person fills it into a form: texts as they were typed, and never a secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote, urlsplit

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]{2,45}\]?")
_MOST_CHARACTERS = 255
_MOST_DESCRIPTION = 500
RESERVED_NAME = "demo"
_ABOUT_NAMES = f"Use letters, digits, - and _, beginning with a letter; {RESERVED_NAME!r} is taken."
_ABOUT_HOSTS = "Only the server's name or number, such as db.example.com; no URL."
_ABOUT_RULES = "Columns as table.column, with commas; *.email is one for all tables."
_ABOUT_CHANNELS = "Choose the channel that alone may ask it, or let all channels ask."


def is_connection_name(name: str) -> bool:
    """Say whether a connection may be called so."""
    return bool(_NAME.fullmatch(name)) and name != RESERVED_NAME


class Engine(StrEnum):
    """The database servers that a form offers."""

    POSTGRESQL = "postgresql"
    MYSQL = "mysql"
    MARIADB = "mariadb"

    @property
    def port(self) -> int:
        return 5432 if self is Engine.POSTGRESQL else 3306


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionDraft:
    """What stands in the fields.

    schemas: further schemas that may be read, with commas
    tables: the only tables that may be read, with commas; "" for all
    hide, mask: columns that are not there, or of which stars are shown, with commas
    ask_above: so many rows a query may read unasked; "" for the usual number
    encrypted: only over an encrypted line
    channel: by the platform's own id, where it is to be used from now on; "" for nowhere yet
    only_there: nowhere else may it be asked
    replaces: there is a connection of this name, which it is meant to replace
    """

    engine: Engine = Engine.POSTGRESQL
    name: str = ""
    host: str = ""
    port: str = ""
    database: str = ""
    user: str = ""
    description: str = ""
    schemas: str = ""
    tables: str = ""
    hide: str = ""
    mask: str = ""
    ask_above: str = ""
    encrypted: bool = True
    channel: str = ""
    only_there: bool = False
    replaces: bool = False

    @classmethod
    def again(cls, name: str, url: str) -> ConnectionDraft:
        """Return what is filled in already for a connection that is to be replaced."""
        parts = urlsplit(url)
        engine = parts.scheme.partition("+")[0]
        return cls(
            engine=Engine(engine) if engine in list(Engine) else Engine.POSTGRESQL,
            name=name,
            host=parts.hostname or "",
            port=str(parts.port or ""),
            database=unquote(parts.path.removeprefix("/")),
            user=unquote(parts.username or ""),
            encrypted=bool(parts.query),
            replaces=True,
        )

    @property
    def schema_names(self) -> tuple[str, ...]:
        return _parts(self.schemas)

    @property
    def table_names(self) -> tuple[str, ...]:
        return _parts(self.tables)

    @property
    def hidden(self) -> tuple[str, ...]:
        return _parts(self.hide)

    @property
    def masked(self) -> tuple[str, ...]:
        return _parts(self.mask)

    @property
    def rows_unasked(self) -> int | None:
        """Return how many rows a query may read unasked; None for the usual number."""
        return int(_digits(self.ask_above)) if self.ask_above.strip() else None

    @property
    def url(self) -> str:
        """Return the address, without a password; only of a draft without problems."""
        host = f"[{self.host.strip('[]')}]" if ":" in self.host else self.host
        where = f"{quote(self.user, safe='')}@{host}:{self.port or self.engine.port}"
        option = "sslmode=require" if self.engine is Engine.POSTGRESQL else "ssl-mode=required"
        query = f"?{option}" if self.encrypted else ""
        return f"{self.engine}://{where}/{quote(self.database, safe='')}{query}"

    @property
    def place(self) -> str:
        """Return where the database is, for people to recognise."""
        return f"{self.database} on {self.host}, as {self.user}"

    def problems(self) -> Mapping[str, str]:
        """Return what is wrong with each field that cannot stay as it is, by its name."""
        too_long = f"At most {_MOST_DESCRIPTION} characters."
        checks = (
            ("name", is_connection_name(self.name), _ABOUT_NAMES),
            ("host", bool(_HOST.fullmatch(self.host)), _ABOUT_HOSTS),
            ("port", _is_port(self.port), "A number from 1 to 65535, or nothing."),
            ("database", _is_plain(self.database), "The database's name, without a slash."),
            ("user", _is_plain(self.user), "The login's name, without a slash."),
            ("description", len(self.description) <= _MOST_DESCRIPTION, too_long),
            ("schemas", len(self.schemas) <= _MOST_DESCRIPTION, too_long),
            ("tables", len(self.tables) <= _MOST_DESCRIPTION, too_long),
            ("hide", all(map(_is_rule, self.hidden)), _ABOUT_RULES),
            ("mask", all(map(_is_rule, self.masked)), _ABOUT_RULES),
            ("ask_above", _is_count(self.ask_above), "A number of rows above 0, or nothing."),
            ("channel", bool(self.channel) or not self.only_there, _ABOUT_CHANNELS),
        )
        return {field: sentence for field, holds, sentence in checks if not holds}


def _is_port(text: str) -> bool:
    return not text or (
        text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def _is_rule(text: str) -> bool:
    table, dot, column = text.rpartition(".")
    return bool(table and dot and column)


def _digits(text: str) -> str:
    return re.sub(r"[\s_,.']", "", text)


def _is_count(text: str) -> bool:
    digits = _digits(text)
    return not text.strip() or bool(re.fullmatch(r"0*[1-9][0-9]{0,17}", digits))


def _is_plain(text: str) -> bool:
    return 0 < len(text) <= _MOST_CHARACTERS and "/" not in text and text.isprintable()
