"""Workspaces that take the app out: what was kept of them is deleted, all but the audit log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from pydantic import BaseModel, Field

from adapters.slack.bolt_app import Tenant
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.doors import Spawn
from adapters.slack.inbound import Text
from adapters.storage.opening import State
from bot import feedback
from bot.turns import Turns
from core.domain.ids import WorkspaceId

log = structlog.get_logger()


class _Tokens(BaseModel):
    bot: tuple[str, ...] = ()


class _Event(BaseModel):
    type: Text = ""
    team_ids: tuple[str, ...] = ()
    tokens: _Tokens = Field(default_factory=_Tokens)


class _Body(BaseModel):
    event: _Event

    @property
    def takes_the_bot_away(self) -> bool:
        return self.event.type == "app_uninstalled" or bool(self.event.tokens.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """`calls_of` gives the calls of a tenant that has a token; `gone` forgets it for good.

    `gone_teams` forgets workspaces of an organisation that keeps the app for others, and returns
    those that it had.
    """

    turns: Turns
    state: State
    state_dir: Path
    spawn: Spawn
    calls_of: Callable[[Tenant], Awaitable[SlackCalls | None]]
    gone: Callable[[Tenant], Awaitable[tuple[WorkspaceId, ...]]]
    gone_teams: Callable[[Tenant, Sequence[str]], Awaitable[tuple[WorkspaceId, ...]]]

    def left(self, tenant: Tenant, body: Mapping[str, object]) -> None:
        """Look at an event and return at once."""
        parsed = _Body.model_validate(body)
        if parsed.takes_the_bot_away:
            self.spawn(self._left(tenant), "slack_left")
        elif parsed.event.team_ids:
            self.spawn(self._teams_left(tenant, parsed.event.team_ids), "slack_teams_left")

    async def _left(self, tenant: Tenant) -> None:
        if await self._answers_still(tenant):
            log.warning("slack_left_and_came_back", tenant=tenant.key)
            return
        for workspace in await self.gone(tenant):
            await self.purge(workspace)
        log.info("slack_uninstalled", tenant=tenant.key)

    async def _teams_left(self, tenant: Tenant, teams: Sequence[str]) -> None:
        for workspace in await self.gone_teams(tenant, teams):
            await self.purge(workspace)
            log.info("slack_access_revoked", tenant=tenant.key, workspace=workspace)

    async def _answers_still(self, tenant: Tenant) -> bool:
        """Say whether the token is good: news of an uninstall can be late, after a new install."""
        calls = await self.calls_of(tenant)
        if calls is None:
            return False
        try:
            await calls.call("auth.test", {})
        except SlackRefused:
            return False
        return True

    async def purge(self, workspace: WorkspaceId) -> None:
        """Delete what is kept of a workspace."""
        await self.turns.leave(workspace)
        files = await self.state.purge(workspace)
        for file in files:
            await self.turns.outside.files.forget(file)
        await feedback.forget(self.state_dir, workspace)
        log.info("workspace_purged", workspace=workspace, files=len(files))
