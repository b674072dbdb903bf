"""How the strict Slack lets workspaces install an app: consent, codes, tokens that run out."""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from tests.kit.slack_things import Refused
from tests.kit.slack_world import BOT, SlackWorld

Json = dict[str, Any]

CLIENT_ID, CLIENT_SECRET = "111.222", "secret-client"


@dataclass(slots=True)
class Installing:
    """`back` is where browsers are sent after their consent; `consents` is the next that gives it.

    lasts: how long tokens are good, in seconds; for ever unless the app rotates its tokens
    """

    base: str = ""
    back: str = ""
    consents: str = ""
    lasts: int | None = None
    worlds: dict[str, SlackWorld] = field(default_factory=dict[str, SlackWorld])
    refreshed: int = 0
    _codes: dict[str, str] = field(default_factory=dict[str, str])
    _refreshing: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, team: str, name: str, *, enterprise: str = "") -> SlackWorld:
        """Add a workspace that has not installed the app; `enterprise` would for all of its."""
        world = SlackWorld(
            base=self.base,
            team=team,
            name=name,
            enterprise=enterprise,
            bot_user=f"UBOT{enterprise or team}",
            tokens={},
        )
        self.worlds[team] = world
        self.consents = team
        return world

    def consented(self, asked: Mapping[str, str]) -> str:
        """Return where the browser goes after somebody has let the app in."""
        if asked.get("client_id") != CLIENT_ID or not asked.get("scope") or not asked.get("state"):
            raise AssertionError(f"Slack would show an error for {dict(asked)}")
        self.worlds[self.consents].scopes = frozenset(asked["scope"].split(","))
        code = f"code-{uuid4().hex}"
        self._codes[code] = self.consents
        query = urlencode({"code": code, "state": asked["state"]})
        return f"{asked.get('redirect_uri') or self.back}?{query}"

    def exchanged(self, authorization: str, arguments: Json) -> Json:
        """Trade a code or a refresh token for a token; each of them once.

        Raises:
            Refused: as Slack would.
        """
        known = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if authorization != f"Basic {known}":
            raise Refused("bad_client_secret")
        if arguments.get("grant_type") == "refresh_token":
            team = self._refreshing.pop(arguments.get("refresh_token", ""), "")
            if not team:
                raise Refused("invalid_refresh_token")
            self.refreshed += 1
            return self._granted(self.worlds[team])
        team = self._codes.pop(arguments.get("code", ""), "")
        if not team:
            raise Refused("invalid_code")
        world = self.worlds[team]
        return {
            **self._granted(world),
            "authed_user": {"id": "U1"},
            "is_enterprise_install": bool(world.enterprise),
            "enterprise": {"id": world.enterprise, "name": "Group"} if world.enterprise else None,
            "team": None if world.enterprise else {"id": world.team, "name": world.name},
        }

    def _granted(self, world: SlackWorld) -> Json:
        token = f"xoxb-secret-{uuid4().hex}"
        granted: Json = {
            "ok": True,
            "app_id": "A1",
            "access_token": token,
            "token_type": "bot",
            "bot_user_id": world.bot_user,
            "bot_id": BOT,
            "scope": ",".join(sorted(world.scopes)),
        }
        # One token of an organisation is good for all of its workspaces.
        mates = [
            each
            for each in self.worlds.values()
            if each is world or (each.enterprise and each.enterprise == world.enterprise)
        ]
        for each in mates:
            each.tokens[token] = math.inf if self.lasts is None else time.time() + self.lasts
            each.scopes = world.scopes
        if self.lasts is None:
            return granted
        refresh = f"xoxe-secret-{uuid4().hex}"
        self._refreshing[refresh] = world.team
        return {**granted, "refresh_token": refresh, "expires_in": self.lasts}
