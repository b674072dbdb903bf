"""What Slack refuses of a manifest: its keys, their lengths, and what goes with what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

Json = Mapping[str, Any]

_KEYS: Mapping[str, frozenset[str]] = {
    "": frozenset({"_metadata", "display_information", "features", "oauth_config", "settings"}),
    "_metadata": frozenset({"major_version", "minor_version"}),
    "display_information": frozenset(
        {"name", "description", "long_description", "background_color"}
    ),
    "features": frozenset(
        {"app_home", "bot_user", "agent_view", "assistant_view", "slash_commands", "shortcuts"}
    ),
    "features.app_home": frozenset(
        {"home_tab_enabled", "messages_tab_enabled", "messages_tab_read_only_enabled"}
    ),
    "features.bot_user": frozenset({"display_name", "always_online"}),
    "features.agent_view": frozenset({"agent_description", "suggested_prompts", "actions"}),
    "oauth_config": frozenset(
        {"redirect_urls", "scopes", "token_management_enabled", "pkce_enabled"}
    ),
    "oauth_config.scopes": frozenset({"bot", "user", "bot_optional", "user_optional"}),
    "settings": frozenset(
        {
            "allowed_ip_address_ranges",
            "event_subscriptions",
            "interactivity",
            "is_mcp_enabled",
            "org_deploy_enabled",
            "socket_mode_enabled",
            "token_rotation_enabled",
        }
    ),
    "settings.event_subscriptions": frozenset({"request_url", "bot_events", "user_events"}),
    "settings.interactivity": frozenset({"is_enabled", "request_url", "message_menu_options_url"}),
}
_LONGEST = {
    "display_information.name": 35,
    "display_information.description": 140,
    "features.bot_user.display_name": 80,
    "features.agent_view.agent_description": 300,
}
_COMMAND = {"command": 32, "description": 2_000, "usage_hint": 1_000}
_COMMAND_KEYS = frozenset({*_COMMAND, "should_escape", "url"})


def manifest_errors(manifest: Json) -> list[str]:
    """Return what Slack would say against a manifest; empty when it takes it."""
    return [*_unknown(manifest), *_too_long(manifest), *_parts(manifest), *_together(manifest)]


def at(manifest: Json, path: str) -> Any:
    """Return what stands under a path like "settings.interactivity"; None where nothing does."""
    found: Any = manifest
    for part in filter(None, path.split(".")):
        found = cast("Json", found).get(part) if isinstance(found, Mapping) else None
    return found


def _unknown(manifest: Json) -> Iterator[str]:
    for path, known in _KEYS.items():
        part: Json = at(manifest, path) or {}
        for key in sorted(set(part) - known):
            yield f"unknown key {path}.{key}"


def _too_long(manifest: Json) -> Iterator[str]:
    for path, most in _LONGEST.items():
        text: str = at(manifest, path) or ""
        if not 0 < len(text) <= most:
            yield f"{path} must have 1 to {most} characters"


def _parts(manifest: Json) -> Iterator[str]:
    prompts: list[Json] = at(manifest, "features.agent_view.suggested_prompts") or []
    if len(prompts) > 4 or any(set(each) != {"title", "message"} for each in prompts):
        yield "suggested_prompts"
    commands: list[Json] = at(manifest, "features.slash_commands") or []
    for each in commands:
        if set(each) - _COMMAND_KEYS or not str(each.get("command", "")).startswith("/"):
            yield "slash_commands"
        yield from (key for key, most in _COMMAND.items() if len(each.get(key, "")) > most)
    events: list[str] = at(manifest, "settings.event_subscriptions.bot_events") or []
    if len(events) > 100 or len(set(events)) < len(events):
        yield "bot_events"


def _together(manifest: Json) -> Iterator[str]:
    if at(manifest, "features.agent_view") and at(manifest, "features.assistant_view"):
        yield "agent_view and assistant_view"
    commands: list[Json] = at(manifest, "features.slash_commands") or []
    redirects: list[str] = at(manifest, "oauth_config.redirect_urls") or []
    addresses: list[str | None] = [
        at(manifest, "settings.event_subscriptions.request_url"),
        at(manifest, "settings.interactivity.request_url"),
        *(each.get("url") for each in commands),
    ]
    wanted = not at(manifest, "settings.socket_mode_enabled")
    if any(bool(each) is not wanted for each in addresses):
        yield "request URLs where there is a socket, or none where there is no socket"
    for each in [*addresses, *redirects]:
        if each and not each.startswith("https://"):
            yield f"{each} is not https"
