"""Every workspace that the bot is installed in, each with a token that is good."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import aiohttp
import structlog
from slack_sdk.errors import SlackClientError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot, Installation

from adapters.slack.bolt_app import Tenant, Workspace
from adapters.slack.identity import Identity
from adapters.slack.installing import Installations
from core.domain.errors import SecretUnreadable, SettingsInvalid
from core.domain.ids import WorkspaceId
from core.ports.clock import Clock

log = structlog.get_logger()

# Another process may have renewed the token, or have heard of an uninstall.
_SECONDS_BELIEVED = 60.0
_RENEWED_BEFORE = timedelta(hours=2)
_SECONDS_TO_RENEW = 60.0
_LOOKS, _SECONDS_BETWEEN_LOOKS = 5, 0.4
_REINSTALL = "install the app again in that workspace, at /slack/install"

Renew = Callable[[Bot], Awaitable[Bot | None]]
Open = Callable[[str, Identity], Workspace]


@dataclass(frozen=True, slots=True)
class _Known:
    bot: Bot
    name: str
    read_at: float


@dataclass(slots=True, kw_only=True)
class Installed:
    """`open` makes a workspace of a token and who the bot is there; `renew` asks Slack for a token.

    Events enter here, so nothing is asked of Slack and the store is read once a minute.
    """

    store: Installations
    open: Open
    renew: Renew
    clock: Clock
    _known: dict[str, _Known] = field(default_factory=dict[str, _Known])
    _workspaces: dict[tuple[str, str], Workspace] = field(
        default_factory=dict[tuple[str, str], Workspace]
    )
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    async def enter(self, tenant: Tenant) -> Workspace | None:
        """Return the workspace that an event is from; None where the bot is not installed."""
        known = self._known.get(tenant.key)
        if known is None or self._is_stale(known):
            async with self._locks.setdefault(tenant.key, asyncio.Lock()):
                known = self._known.get(tenant.key)
                if known is None or self._is_stale(known):
                    known = await self._read(tenant)
        return await self._opened(tenant, known) if known else None

    async def enter_team(self, team: str) -> Workspace | None:
        """Return a workspace of which only the id is known; None where the bot is not installed."""
        tenants = await self.store.rows.tenants_of(WorkspaceId(f"slack:{team}"))
        for key in tenants:
            alone = Tenant(team=team)
            for_all = Tenant(team=team, enterprise=key.removeprefix("slack:"), for_all=True)
            workspace = await self.enter(alone if key == alone.key else for_all)
            if workspace is not None:
                return workspace
        return None

    def forget(self, tenant: Tenant) -> None:
        """Read the installation anew with the next event: it was made, changed or taken back."""
        self._known.pop(tenant.key, None)

    async def gone(self, tenant: Tenant) -> tuple[WorkspaceId, ...]:
        """Forget a tenant for good, and return the workspaces that it had."""
        workspaces = await self.store.rows.workspaces(tenant.key)
        await self.store.rows.drop(tenant.key)
        self.forget(tenant)
        for key in [each for each in self._workspaces if each[0] == tenant.key]:
            del self._workspaces[key]
        return workspaces

    async def gone_teams(self, tenant: Tenant, teams: Sequence[str]) -> tuple[WorkspaceId, ...]:
        """Forget workspaces of a tenant that keeps the app, and return those that it had."""
        known = await self.store.rows.workspaces(tenant.key)
        theirs = [team for team in teams if f"slack:{team}" in known]
        for team in theirs:
            self._workspaces.pop((tenant.key, team), None)
        return tuple(WorkspaceId(f"slack:{team}") for team in theirs)

    async def _opened(self, tenant: Tenant, known: _Known) -> Workspace:
        key = (tenant.key, tenant.team)
        if key not in self._workspaces:
            self._workspaces[key] = self.open(known.bot.bot_token, _identity(tenant, known))
            await self.store.rows.seen(tenant.key, WorkspaceId(f"slack:{tenant.team}"))
        workspace = self._workspaces[key]
        # Runs that are under way go on with the new token.
        workspace.calls.web.token = known.bot.bot_token
        return workspace

    def _is_stale(self, known: _Known) -> bool:
        age = self.clock.monotonic() - known.read_at
        return age > _SECONDS_BELIEVED

    async def _read(self, tenant: Tenant) -> _Known | None:
        found = await self._found(tenant)
        if found is not None and self._expires_within(found.to_bot(), _RENEWED_BEFORE):
            found = await self._renewed(tenant, found)
        if found is None:
            self._known.pop(tenant.key, None)
            return None
        name = found.team_name or found.enterprise_name or tenant.key
        known = _Known(found.to_bot(), name, self.clock.monotonic())
        self._known[tenant.key] = known
        return known

    async def _found(self, tenant: Tenant) -> Installation | None:
        try:
            found = await self.store.at(tenant.key)
        except (SecretUnreadable, SettingsInvalid) as error:
            log.warning("slack_token_unreadable", tenant=tenant.key, reason=str(error))
            return None
        if found is None:
            log.warning("slack_not_installed", tenant=tenant.key, advice=_REINSTALL)
        return found

    async def _renewed(self, tenant: Tenant, found: Installation) -> Installation | None:
        """Return the installation with a token for the next hours; None where there is none."""
        if not await self.store.rows.claim(tenant.key, seconds=_SECONDS_TO_RENEW):
            return await self._renewed_elsewhere(tenant, found)
        try:
            bot = await self.renew(found.to_bot())
        except SlackTokenRotationError as error:
            _warn(tenant, str(error.api_error))
            bot = None
        except (aiohttp.ClientError, TimeoutError, OSError, SlackClientError):
            _warn(tenant, "Slack does not answer")
            bot = None
        if bot is None:
            return None if self._expires_within(found.to_bot(), timedelta()) else found
        await self.store.async_save_bot(bot)
        return await self._found(tenant)

    async def _renewed_elsewhere(self, tenant: Tenant, found: Installation) -> Installation | None:
        """Wait for another process only where the old token is of no use any more."""
        latest: Installation | None = found
        for _ in range(_LOOKS):
            if latest is None or not self._expires_within(latest.to_bot(), timedelta()):
                return latest
            await self.clock.sleep(_SECONDS_BETWEEN_LOOKS)
            latest = await self._found(tenant)
        _warn(tenant, "it has expired")
        return None

    def _expires_within(self, bot: Bot, span: timedelta) -> bool:
        if bot.bot_token_expires_at is None:
            return False
        return bot.bot_token_expires_at <= (self.clock.now() + span).timestamp()


def _identity(tenant: Tenant, known: _Known) -> Identity:
    return Identity(
        team=tenant.team or tenant.enterprise,
        user=known.bot.bot_user_id,
        bot=known.bot.bot_id,
        workspace_name=known.name,
        scopes=tuple(known.bot.bot_scopes or ()),
    )


def _warn(tenant: Tenant, error: str) -> None:
    log.warning("slack_token_not_renewed", tenant=tenant.key, error=error, advice=_REINSTALL)
