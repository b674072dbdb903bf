"""Installations as the SDK keeps them, upon a store that encrypts what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from logging import Logger
from typing import Any, Protocol, cast

import orjson
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from adapters.slack.bolt_app import Tenant, quiet_logger
from core.domain.ids import WorkspaceId

STATE_SECONDS = 600


class InstallationRows(Protocol):
    """Where installations are kept; `body` is encrypted there.

    - `find` gives None where nothing is kept.
    - `claim` lets one process alone renew the tokens of a tenant, until `keep` or the seconds end.
    - `seen`, `workspaces` and `tenants_of` know which workspaces belong to which tenants.
    - `consume` is true once for each state that `issue` gave, within its seconds.
    """

    async def keep(self, tenant: str, body: str) -> None: ...

    async def find(self, tenant: str) -> str | None: ...

    async def tenants(self) -> tuple[str, ...]: ...

    async def drop(self, tenant: str) -> None: ...

    async def claim(self, tenant: str, *, seconds: float) -> bool: ...

    async def seen(self, tenant: str, workspace: WorkspaceId) -> None: ...

    async def workspaces(self, tenant: str) -> tuple[WorkspaceId, ...]: ...

    async def tenants_of(self, workspace: WorkspaceId) -> tuple[str, ...]: ...

    async def issue(self, *, seconds: float) -> str: ...

    async def consume(self, state: str) -> bool: ...


class Installations(AsyncInstallationStore):
    """One installation a tenant: the bot has no tokens of single people."""

    def __init__(self, rows: InstallationRows) -> None:
        self.rows = rows

    @property
    def logger(self) -> Logger:
        return quiet_logger()

    async def at(self, key: str) -> Installation | None:
        """Return what is kept under a key of a tenant.

        Raises:
            SecretUnreadable: it was encrypted with a key that is not there any more.
        """
        body = await self.rows.find(key)
        if body is None:
            return None
        return Installation(**cast("dict[str, Any]", orjson.loads(body)))

    async def async_save(self, installation: Installation) -> None:
        tenant = tenant_of(
            installation.enterprise_id,
            installation.team_id,
            for_all=installation.is_enterprise_install,
        )
        kept: Mapping[str, object] = installation.to_dict_for_copying()
        await self.rows.keep(tenant.key, orjson.dumps(kept).decode())

    async def async_save_bot(self, bot: Bot) -> None:
        """Renew the tokens of an installation that is there."""
        found = await self.async_find_installation(
            enterprise_id=bot.enterprise_id,
            team_id=bot.team_id,
            is_enterprise_install=bot.is_enterprise_install,
        )
        if found is not None:
            found.bot_token = bot.bot_token
            found.bot_refresh_token = bot.bot_refresh_token
            found.bot_token_expires_at = bot.bot_token_expires_at
            await self.async_save(found)

    async def async_find_bot(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        is_enterprise_install: bool | None = False,
    ) -> Bot | None:
        found = await self.async_find_installation(
            enterprise_id=enterprise_id,
            team_id=team_id,
            is_enterprise_install=is_enterprise_install,
        )
        return found.to_bot() if found else None

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        tenant = tenant_of(enterprise_id, team_id, for_all=is_enterprise_install)
        found = await self.at(tenant.key)
        return None if found and user_id and found.user_id != user_id else found

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        tenant = tenant_of(enterprise_id, team_id, for_all=not team_id)
        await self.rows.drop(tenant.key)

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        # The tokens are the bot's; they do not go with one of its installers.
        if user_id is None:
            await self.async_delete_bot(enterprise_id=enterprise_id, team_id=team_id)


class States(AsyncOAuthStateStore):
    """The installs on their way: each comes back once, within ten minutes."""

    def __init__(self, rows: InstallationRows) -> None:
        self.rows = rows

    @property
    def logger(self) -> Logger:
        return quiet_logger()

    async def async_issue(self, *args: object, **kwargs: object) -> str:
        del args, kwargs
        return await self.rows.issue(seconds=STATE_SECONDS)

    async def async_consume(self, state: str) -> bool:
        return await self.rows.consume(state)


def tenant_of(enterprise: str | None, team: str | None, *, for_all: bool | None) -> Tenant:
    return Tenant(team=team or "", enterprise=enterprise or "", for_all=bool(for_all))
