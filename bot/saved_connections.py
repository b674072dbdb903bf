"""Connections that were added with `resona connect`, kept beside the other state.

A secret is never written down here: an address that holds a password is named by the environment
variable that holds it. What stands in the settings wins over what was saved.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

from bot.settings import PREFIX, ConnectionSettings, Settings, variable
from core.domain.errors import ConnectionUnusable, SettingsInvalid

RESERVED = "demo"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


class SavedConnection(BaseModel):
    """Where a database is: `url`, or `url_env` with the name of the variable that holds it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = ""
    url_env: str = ""
    description: str = ""
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_address(self) -> Self:
        if bool(self.url) is bool(self.url_env):
            raise ValueError("give either url or url_env")
        return self

    @property
    def place(self) -> str:
        """Return where it is, as may be shown: there is no secret in it."""
        return f"${self.url_env}" if self.url_env else self.url

    @property
    def address(self) -> str | None:
        """Return the URL or path; None when its variable is not set."""
        return variable(self.url_env) if self.url_env else self.url


_file_shape = TypeAdapter(dict[str, SavedConnection])


def load(state_dir: Path) -> dict[str, SavedConnection]:
    """Read what was saved, by name.

    Raises:
        SettingsInvalid: the file was changed into something else.
    """
    path = _path(state_dir)
    if not path.exists():
        return {}
    try:
        return _file_shape.validate_json(path.read_bytes())
    except ValidationError as error:
        raise SettingsInvalid(
            f"{path} cannot be read as saved connections. Mend it, or delete it and add them again."
        ) from error


def add(state_dir: Path, name: str, connection: SavedConnection) -> None:
    """Save a connection under its name, in the place of an older one.

    Raises:
        SettingsInvalid: the name is no name, the address holds a password, or its variable is a
            setting.
    """
    if not _NAME.fullmatch(name) or name == RESERVED:
        raise SettingsInvalid(
            f"{name!r} cannot be a connection's name. Use letters, digits, - and _, "
            f"beginning with a letter; {RESERVED!r} is taken."
        )
    if connection.url_env.startswith(PREFIX):
        raise SettingsInvalid(
            f"Variables that begin with {PREFIX} are settings. Choose another name than "
            f"{connection.url_env}."
        )
    if urlsplit(connection.url).password:
        raise SettingsInvalid(
            "That address holds a password, and I do not write passwords down. Put the address "
            "into an environment variable and name it: resona connect add NAME --url-env VARIABLE."
        )
    _write(state_dir, {**load(state_dir), name: connection})


def remove(state_dir: Path, name: str) -> None:
    """Forget a saved connection.

    Raises:
        ConnectionUnusable: none of that name was saved.
    """
    saved = load(state_dir)
    if name not in saved:
        raise ConnectionUnusable(
            f"There is no saved connection {name!r}. `resona connect list` shows them."
        )
    _write(state_dir, {key: each for key, each in saved.items() if key != name})


def with_saved(settings: Settings) -> Settings:
    """Return the settings with the saved connections whose address is known."""
    saved = {
        name: ConnectionSettings.model_validate(
            {
                "url": each.address,
                "description": each.description,
                "schemas": each.schemas,
                "tables": each.tables,
            }
        )
        for name, each in load(settings.state_dir).items()
        if each.address
    }
    return settings.model_copy(update={"connections": {**saved, **settings.connections}})


def _write(state_dir: Path, saved: dict[str, SavedConnection]) -> None:
    path = _path(state_dir)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_bytes(_file_shape.dump_json(saved, indent=2, exclude_defaults=True))
    draft.replace(path)


def _path(state_dir: Path) -> Path:
    return state_dir / "connections.json"
