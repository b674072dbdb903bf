"""The environment and resona.toml, read once into typed settings; nothing else reads them.

A setting `a.b` comes from, strongest first: the variable RESONA_A__B, `b` under `[a]` in the file
that RESONA_CONFIG names (default resona.toml), its default. The file may name a variable that
holds a secret (`url_env`, `api_key_env`) instead of the secret itself.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeGuard, cast
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from adapters.models.settings import LiteLLMSettings, OpenAIProtocolSettings
from bot.settings_in_words import in_words
from core.domain.connection import Limits, Prices, Thresholds
from core.domain.errors import SettingsInvalid
from core.domain.people import Role
from core.domain.rights import Rights
from core.toolkit.family import Family

PREFIX = "RESONA_"
OFFLINE = "offline"
EVERY_WORKSPACE = "*"
_SMALL = "small"
_LIGHT = (Family.EXPLORE, Family.QUALITY, Family.META, Family.CONVERSATIONAL)


def _parted(value: object) -> object:
    """Take a list as a variable holds it: with commas."""
    if not isinstance(value, str):
        return value
    return tuple(each.strip() for each in value.split(",") if each.strip())


Listed = Annotated[tuple[str, ...], BeforeValidator(_parted)]
Files = Annotated[tuple[Path, ...], BeforeValidator(_parted)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PageSettings(_Section):
    """Where the page is served; without a token it is bound to loopback only.

    `public_url` is the address under which browsers elsewhere reach it, through TLS.
    """

    public_url: str = ""
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    token: SecretStr | None = None

    @field_validator("public_url", mode="after")
    @classmethod
    def _keeps_secrets(cls, url: str) -> str:
        parts = urlsplit(url)
        at_home = parts.hostname in {"127.0.0.1", "::1", "localhost"}
        if url and not (parts.scheme == "https" or (parts.scheme == "http" and at_home)):
            raise ValueError(
                "page.public_url must be an address like https://resona.example.com: "
                "passwords are typed there"
            )
        return url.rstrip("/")

    @model_validator(mode="after")
    def _no_open_door(self) -> PageSettings:
        if self.token is None and self.host not in {"127.0.0.1", "::1", "localhost"}:
            raise ValueError(
                "page.token must be set before the page may listen on anything but 127.0.0.1"
            )
        return self


class ConnectionSettings(_Section):
    """One database: `url`, or `url_env` with the name of the variable that holds it."""

    url: SecretStr
    description: str = ""
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    thresholds: Thresholds = Field(default_factory=Thresholds)
    limits: Limits = Field(default_factory=Limits)
    prices: Prices = Field(default_factory=Prices)
    rights: Rights = Field(default_factory=Rights)
    definitions: Files = ()


class OfflineSettings(_Section):
    """The offline analyst: no account, no network."""

    provider: Literal["offline"] = "offline"


class _Routed(BaseModel):
    """Who answers in place of the main model; names are those of [models.NAME] and `offline`.

    `rest_seconds` is how long a model is left alone that failed, `search_seconds` how long all
    of them together may take to begin an answer. Where none answers, the offline analyst does if
    `offline_when_down`.
    """

    fallbacks: Listed = ()
    by_family: Mapping[str, str] = Field(default_factory=dict[str, str])
    offline_when_down: bool = True
    rest_seconds: float = Field(default=30.0, gt=0)
    search_seconds: float = Field(default=110.0, gt=0)


class MainOfflineSettings(OfflineSettings, _Routed):
    """The offline analyst as the main model."""


class MainOpenAIProtocolSettings(OpenAIProtocolSettings, _Routed):
    """A server that speaks chat-completions as the main model."""


class MainLiteLLMSettings(LiteLLMSettings, _Routed):
    """Any vendor as the main model."""


AnyModelSettings = Annotated[
    OfflineSettings | OpenAIProtocolSettings | LiteLLMSettings, Field(discriminator="provider")
]
MainModelSettings = Annotated[
    MainOfflineSettings | MainOpenAIProtocolSettings | MainLiteLLMSettings,
    Field(discriminator="provider"),
]


class BudgetSettings(_Section):
    """What one question may use."""

    seconds: float = Field(default=180.0, gt=0)
    tokens: int = Field(default=400_000, gt=0)
    usd: float = Field(default=2.0, gt=0)


class LimitSettings(_Section):
    """How much one person may ask, and how long a question may be."""

    questions_per_minute: float = Field(default=20.0, gt=0)
    burst: int = Field(default=10, ge=1)
    question_characters: int = Field(default=8_000, ge=1)


class PeopleSettings(_Section):
    """Who has more than the role of a member, by id."""

    admins: tuple[str, ...] = ()
    analysts: tuple[str, ...] = ()


class ChannelSettings(_Section):
    """What is used in one channel where a question names nothing else; "" for the default."""

    connection: str = ""
    model: str = ""


class SlackSettings(_Section):
    """A Slack app: `socket` mode opens a socket to Slack, `http` takes signed requests from it.

    With `bot_token` it answers in the workspace of that token; with `client_id` and
    `client_secret` in every workspace that installs it and that `workspaces` names ("*": all).
    """

    bot_token: SecretStr | None = None
    client_id: str = ""
    client_secret: SecretStr | None = None
    app_token: SecretStr | None = None
    signing_secret: SecretStr | None = None
    mode: Literal["socket", "http"] = "socket"
    workspaces: Listed = ()
    native_charts: bool = False
    base_url: str = "https://slack.com/api/"

    @field_validator("bot_token", "client_secret", "app_token", "signing_secret")
    @classmethod
    def _none_where_empty(cls, value: SecretStr | None) -> SecretStr | None:
        """Take a variable that is set to nothing for one that is not set."""
        return value if _is_set(value) else None

    @model_validator(mode="after")
    def _has_who_it_is(self) -> SlackSettings:
        app = bool(self.client_id), self.client_secret is not None
        if (self.bot_token is not None) is any(app) or any(app) is not all(app):
            raise ValueError(
                "set slack.bot_token (xoxb-…) for one workspace, or slack.client_id and "
                "slack.client_secret for every workspace that installs the app"
            )
        if self.client_id and not self.workspaces:
            raise ValueError(
                "slack.workspaces must say who may install the app: ids of workspaces (T0123) and "
                f"organisations (E0123) with commas, or {EVERY_WORKSPACE} for everybody"
            )
        return self

    @model_validator(mode="after")
    def _has_what_its_mode_needs(self) -> SlackSettings:
        if self.mode == "socket" and self.app_token is None:
            raise ValueError("slack.app_token (xapp-…) is needed for the mode socket")
        if self.mode == "http" and self.signing_secret is None:
            raise ValueError("slack.signing_secret is needed for the mode http")
        return self


class Settings(_Section):
    """Everything that whoever runs the bot can choose."""

    state_dir: Path = Path("var")
    state_url: SecretStr | None = None
    secret_keys: SecretStr = SecretStr("")
    default_connection: str = ""
    definitions: Files = ()
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    page: PageSettings = Field(default_factory=PageSettings)
    model: MainModelSettings = Field(default_factory=MainOfflineSettings)
    models: Mapping[str, AnyModelSettings] = Field(default_factory=dict[str, AnyModelSettings])
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    people: PeopleSettings = Field(default_factory=PeopleSettings)
    groups: Mapping[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    slack: SlackSettings | None = None
    channels: Mapping[str, ChannelSettings] = Field(default_factory=dict[str, ChannelSettings])
    connections: Mapping[str, ConnectionSettings] = Field(
        default_factory=dict[str, ConnectionSettings]
    )

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_capitals(cls, level: object) -> object:
        return level.upper() if isinstance(level, str) else level

    @model_validator(mode="after")
    def _groups_exist(self) -> Settings:
        roles = {role.value for role in Role}
        if taken := sorted(roles & set(self.groups)):
            raise ValueError(f"groups.{taken[0]} is called like a role; choose another name")
        for name, each in self.connections.items():
            for entry in (*each.rights.people, *each.rights.approvers):
                if entry.startswith("@") and entry[1:] not in roles | set(self.groups):
                    raise ValueError(
                        f"connections.{name}.rights names {entry}, and there is no such group"
                    )
        return self

    @model_validator(mode="after")
    def _default_exists(self) -> Settings:
        chosen = {"default_connection": self.default_connection} | {
            f"channels.{id}.connection": each.connection for id, each in self.channels.items()
        }
        for setting, name in chosen.items():
            if name and name != "demo" and name not in self.connections:
                known = ", ".join(sorted((*self.connections, "demo")))
                raise ValueError(f"{setting} {name!r} is not one of: {known}")
        return self

    @field_validator("channels", mode="after")
    @classmethod
    def _in_one_case(cls, given: Mapping[str, ChannelSettings]) -> Mapping[str, ChannelSettings]:
        """Write ids in lower case, as the names of variables give them."""
        return {id.casefold(): each for id, each in given.items()}

    def channel(self, id: str) -> ChannelSettings:
        """Return what is set for a channel of any platform."""
        return self.channels.get(id.casefold(), ChannelSettings())

    @field_validator("model", mode="before")
    @classmethod
    def _offline_unless_said(cls, model: object) -> object:
        """Let `fallbacks` and the like stand alone: the main model is the offline analyst then."""
        if _is_section(model) and not model.keys() - _Routed.model_fields.keys():
            return {"provider": "offline", **model}
        return model

    @model_validator(mode="after")
    def _models_exist(self) -> Settings:
        known = {*self.models, OFFLINE}
        channels = (each.model for each in self.channels.values() if each.model)
        for name in (*self.model.fallbacks, *self.model.by_family.values(), *channels):
            if name not in known:
                raise ValueError(f"the model {name!r} is not one of: {', '.join(sorted(known))}")
        strange = [each for each in self.model.by_family if each not in frozenset(Family)]
        if strange:
            raise ValueError(
                f"model.by_family: {strange[0]!r} is not one of: {', '.join(sorted(Family))}"
            )
        return self

    @property
    def encryption_keys(self) -> tuple[str, ...]:
        """Return the keys that secrets are encrypted with, newest first."""
        keys = self.secret_keys.get_secret_value().split(",")
        return tuple(key.strip() for key in keys if key.strip())

    @property
    def models_by_family(self) -> Mapping[str, str]:
        """Which named model answers which family; a model named `small` gets the light ones."""
        light = dict.fromkeys(_LIGHT, _SMALL) if _SMALL in self.models else {}
        return {**light, **self.model.by_family}


def _is_set(secret: SecretStr | None) -> bool:
    return secret is not None and bool(secret.get_secret_value())


def _is_section(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)


def read_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the environment and the file.

    Raises:
        SettingsInvalid: a setting is wrong; the message names it and what it should be.
    """
    tree = _file(Path(environ.get(f"{PREFIX}CONFIG", "resona.toml")), environ)
    given = {_path_of(name): value for name, value in environ.items() if _is_setting(name)}
    for path, value in given.items():
        _put(tree, path, value)
    try:
        return Settings.model_validate(_resolved(tree, environ))
    except ValidationError as error:
        names = {".".join(path) for path in given}
        raise SettingsInvalid(in_words(error, Settings, from_environment=names)) from error


def variable(name: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Return what an environment variable holds; None when it is not set."""
    return environ.get(name)


def _is_setting(variable: str) -> bool:
    return variable.startswith(PREFIX) and variable != f"{PREFIX}CONFIG"


def _path_of(variable: str) -> tuple[str, ...]:
    return tuple(variable.removeprefix(PREFIX).lower().split("__"))


def _file(path: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    if not path.exists():
        if f"{PREFIX}CONFIG" in environ:
            raise SettingsInvalid(f"{PREFIX}CONFIG names {str(path)!r}, and there is no such file.")
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{path} is not valid TOML: {error}") from error


def _put(tree: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    """Put a variable's value where it belongs, whatever stands in the place of its section."""
    *sections, field = path
    for section in sections:
        if not isinstance(tree.get(section), dict):
            tree[section] = {}
        tree = tree[section]
    tree[field] = value


def _resolved(tree: Mapping[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """Replace each `name_env = "VARIABLE"` by `name` with what the variable holds."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            found[key] = _resolved(cast("dict[str, Any]", value), environ)
        elif key.endswith("_env"):
            if str(value) not in environ:
                raise SettingsInvalid(f"{key} names the variable {value}, which is not set.")
            found[key.removesuffix("_env")] = environ[str(value)]
        else:
            found[key] = value
    return found
