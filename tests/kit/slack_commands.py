"""What a person does with a command in Slack: type it, fill a form in, send it off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.kit.slack_server import SlackServer
from tests.kit.slack_world import SlackWorld

Json = dict[str, Any]


async def types(
    slack: SlackServer,
    user: str,
    text: str,
    *,
    channel: str = "C1",
    expired: bool = False,
    where: SlackWorld | None = None,
) -> int:
    """Type `/resona …` and return the status of its acknowledgement."""
    world = where or slack.world
    payload = {
        "token": "verification-token",
        "team_id": world.team,
        "team_domain": "acme",
        "channel_id": channel,
        "channel_name": "directmessage" if channel.startswith("D") else "sales",
        "user_id": user,
        "user_name": world.names[user].lower(),
        "command": "/resona",
        "text": text,
        "api_app_id": "A1",
        "is_enterprise_install": "false",
        "response_url": world.response_url(user, channel),
        "trigger_id": world.trigger(expired=expired),
    }
    return await slack.deliver("slash_commands", payload)


async def sends_off(
    slack: SlackServer, user: str, view: Json, changes: Mapping[str, str], *, id: str = "V1"
) -> Json:
    """Send a form off with some fields changed, and return what it was acknowledged with."""
    values = {
        block["block_id"]: {
            block["element"]["action_id"]: _state(block["element"], changes.get(block["block_id"]))
        }
        for block in view["blocks"]
        if block["type"] == "input"
    }
    payload = {
        "type": "view_submission",
        "team": {"id": slack.world.team},
        "user": {"id": user, "name": slack.world.names[user].lower()},
        "trigger_id": slack.world.trigger(),
        "view": {**view, "id": id, "state": {"values": values}},
    }
    await slack.deliver("interactive", payload)
    return slack.answer


def _state(element: Json, change: str | None) -> Json:
    kind = element["type"]
    if kind == "static_select":
        chosen = next((o for o in element["options"] if o["value"] == change), None)
        return {"type": kind, "selected_option": chosen or element.get("initial_option")}
    if kind == "conversations_select":
        known = element.get("initial_conversation") if change is None else change
        return {"type": kind, "selected_conversation": known or None}
    known = element.get("initial_value") if change is None else change
    return {"type": kind, "value": known or None}
