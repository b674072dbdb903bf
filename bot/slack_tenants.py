"""Which workspaces are served: the one of the bot token, or all that installed the app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import aiohttp
from slack_sdk.oauth.installation_store import Bot

from adapters.slack.bolt_app import Entrances, Tenant, Workspace
from adapters.slack.calls import SlackCalls
from adapters.slack.entering import identify, web_client
from adapters.slack.identity import Identity
from adapters.slack.installed import Installed
from adapters.slack.installing import Installations
from adapters.slack.oauth import INSTALL_PATH, Client, InstallFlow, app_client, renewed
from adapters.slack.pacing import Pacing
from adapters.slack.places import REPLIES, replies_in
from adapters.storage.installations import StoredInstallations
from adapters.storage.opening import State
from adapters.storage.secrets import SecretBox
from bot.settings import EVERY_WORKSPACE, SlackSettings
from bot.slack_leaving import Leaving
from bot.slack_manifest import SCOPES
from bot.slack_workspace import Workplace
from core.domain.errors import SecretUnreadable, SettingsInvalid
from core.domain.ids import WorkspaceId
from core.ports.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenants:
    """Who is served; `flow` is None where nobody can install anything.

    `replies` is how answers that are due in any of the workspaces begin; `enter_team` enters one
    of them where nothing came from it yet.
    """

    entrances: Entrances
    greeting: str
    replies: str
    enter_team: Callable[[str], Awaitable[Workspace | None]]
    flow: InstallFlow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackAccess:
    """Calls to Slack with whatever token, each token with a pace of its own.

    `public_url` is where browsers reach this server, "" where nobody has said.
    """

    settings: SlackSettings
    public_url: str
    clock: Clock

    def calls(self, token: str | None, session: aiohttp.ClientSession) -> SlackCalls:
        web = web_client(token, self.settings.base_url, session)
        return SlackCalls(web, session, self.clock, Pacing(self.clock))


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantsOpening:
    """Opens who is served, as the settings say."""

    access: SlackAccess
    workplace: Workplace
    state: State
    installations: Installations

    async def opened(self, session: aiohttp.ClientSession) -> Tenants:
        """Return who is served.

        Raises:
            SettingsInvalid: Slack does not take the bot token.
            SlackUnreachable: Slack does not answer.
            StateUnusable: nobody knows where the app is installed.
        """
        token = self.access.settings.bot_token
        if token is not None:
            return await self._one(self.access.calls(token.get_secret_value(), session))
        return await self._all_installed(session)

    async def _one(self, calls: SlackCalls) -> Tenants:
        identity = await identify(calls)
        workspace = self.workplace.workspace(calls, identity)

        async def enter(_: Tenant) -> Workspace | None:
            return workspace

        async def gone(_: Tenant) -> tuple[WorkspaceId, ...]:
            return (WorkspaceId(f"slack:{identity.team}"),)

        async def gone_teams(tenant: Tenant, teams: Sequence[str]) -> tuple[WorkspaceId, ...]:
            return await gone(tenant) if identity.team in teams else ()

        async def calls_of(_: Tenant) -> SlackCalls | None:
            return calls

        async def enter_team(_: str) -> Workspace | None:
            return workspace

        return Tenants(
            entrances=Entrances(enter=enter, left=self._leaving(calls_of, gone, gone_teams).left),
            greeting=f"Resona answers in Slack, in the workspace {identity.workspace_name}.",
            replies=replies_in(identity.team),
            enter_team=enter_team,
        )

    async def _all_installed(self, session: aiohttp.ClientSession) -> Tenants:
        app, store = oauth_client(self.access), self.installations
        web = app_client(self.access.settings.base_url, session)

        async def renew(bot: Bot) -> Bot | None:
            return await renewed(app, web, bot)

        def opened(token: str, identity: Identity) -> Workspace:
            return self.workplace.workspace(self.access.calls(token, session), identity)

        installed = Installed(store=store, open=opened, renew=renew, clock=self.access.clock)

        async def calls_of(tenant: Tenant) -> SlackCalls | None:
            try:
                found = await store.at(tenant.key)
            except SecretUnreadable:
                # A token that nobody can read is as good as none.
                found = None
            return self.access.calls(found.bot_token, session) if found else None

        async def gone(tenant: Tenant) -> tuple[WorkspaceId, ...]:
            return self._forgotten(await installed.gone(tenant))

        async def gone_teams(tenant: Tenant, teams: Sequence[str]) -> tuple[WorkspaceId, ...]:
            return self._forgotten(await installed.gone_teams(tenant, teams))

        left = self._leaving(calls_of, gone, gone_teams).left
        return Tenants(
            entrances=Entrances(enter=installed.enter, left=left),
            greeting=_greeting(await store.rows.tenants(), app),
            replies=REPLIES,
            enter_team=installed.enter_team,
            flow=InstallFlow(app, store, web, installed.forget),
        )

    def _forgotten(self, workspaces: tuple[WorkspaceId, ...]) -> tuple[WorkspaceId, ...]:
        for each in workspaces:
            self.workplace.runs.pop(each.removeprefix(REPLIES), None)
        return workspaces

    def _leaving(
        self,
        calls_of: Callable[[Tenant], Awaitable[SlackCalls | None]],
        gone: Callable[[Tenant], Awaitable[tuple[WorkspaceId, ...]]],
        gone_teams: Callable[[Tenant, Sequence[str]], Awaitable[tuple[WorkspaceId, ...]]],
    ) -> Leaving:
        return Leaving(
            turns=self.workplace.turns,
            state=self.state,
            state_dir=self.workplace.state_dir,
            spawn=self.workplace.spawn,
            calls_of=calls_of,
            gone=gone,
            gone_teams=gone_teams,
        )


def kept_installations(state: State, box: SecretBox, clock: Clock) -> Installations:
    """Return where the app is installed."""
    return Installations(StoredInstallations(state.database, box, clock))


def oauth_client(access: SlackAccess) -> Client:
    """Return the app that workspaces install.

    Raises:
        SettingsInvalid: there is no secret to prove that it is ours.
    """
    settings = access.settings
    if settings.client_secret is None:
        raise SettingsInvalid("slack.client_secret is not set.")
    named = frozenset(settings.workspaces)
    return Client(
        id=settings.client_id,
        secret=settings.client_secret.get_secret_value(),
        scopes=sorted(SCOPES),
        base_url=settings.base_url,
        url=access.public_url,
        allowed=None if EVERY_WORKSPACE in named else named,
    )


def _greeting(tenants: Sequence[str], app: Client) -> str:
    count = f"{len(tenants)} workspace{'' if len(tenants) == 1 else 's'}"
    return f"Resona answers in Slack, in {count}. Others install it at {app.url}{INSTALL_PATH}."
