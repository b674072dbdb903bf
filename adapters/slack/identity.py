"""Who the bot is in a workspace."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who the bot is in its workspace, as auth.test said."""

    team: str
    user: str
    bot: str
    workspace_name: str
    scopes: tuple[str, ...]
