"""What Slack sends about messages, turned into typed data; nobody behind this sees a payload."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from adapters.slack.identity import Identity
from adapters.slack.places import Place
from adapters.slack.uploads import SlackFile

_READ_SUBTYPES = frozenset({"", "file_share", "thread_broadcast"})
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")
_CHANNEL = re.compile(r"<#([A-Z0-9]+)(?:\|([^>]*))?>")
_SPECIAL = re.compile(r"<!([a-z]+)(?:\^[^|>]*)?(?:\|([^>]*))?>")
_LINK = re.compile(r"<((?:https?|mailto|tel):[^|>]+)(?:\|([^>]*))?>")

# Slack writes null for what is not there.
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class _Message(BaseModel):
    type: Text = ""
    subtype: Text = ""
    user: Text = ""
    bot_id: Text = ""
    text: Text = ""
    ts: Text = ""
    thread_ts: Text = ""
    channel: Text = ""
    channel_type: Text = ""
    user_team: Text = ""
    files: tuple[SlackFile, ...] = ()


class _Event(_Message):
    message: _Message | None = None
    previous_message: _Message | None = None


class _Body(BaseModel):
    event: _Event
    is_ext_shared_channel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """A message of a person that may be for the bot.

    mentioned: it names the bot, or is in a direct message
    for_others: it begins by naming somebody else
    in_thread: it answers something
    foreign: its author belongs to another organisation
    """

    place: Place
    ts: str
    user: str
    text: str
    mentioned: bool
    for_others: bool
    in_thread: bool
    foreign: bool
    files: tuple[SlackFile, ...] = ()


def read_message(body: Mapping[str, object], identity: Identity) -> SlackMessage | None:
    """Return a message that a person wrote; None for all that is not to be answered.

    An edited message counts as new when the edit adds the mention: what was answered before is
    known by its `ts`.

    Raises:
        pydantic.ValidationError: it is no event of this kind.
    """
    parsed = _Body.model_validate(body)
    event, bot_user = parsed.event, identity.user
    said: _Message = event
    if event.subtype == "message_changed":
        edited = _with_new_mention(event, bot_user)
        if edited is None:
            return None
        said = edited
    if not _is_a_persons(said, bot_user):
        return None
    private = event.channel_type == "im"
    named = _MENTION.findall(said.text)
    return SlackMessage(
        place=Place(
            team=identity.team,
            channel=event.channel,
            thread=said.thread_ts or said.ts,
            private=private,
        ),
        ts=said.ts,
        user=said.user,
        text=readable(said.text, bot_user),
        mentioned=private or bot_user in named,
        for_others=bool(named) and bot_user not in named and said.text.lstrip().startswith("<@"),
        in_thread=bool(said.thread_ts) and said.thread_ts != said.ts,
        foreign=parsed.is_ext_shared_channel
        and bool(said.user_team)
        and said.user_team != identity.team,
        files=said.files,
    )


def readable(text: str, bot_user: str) -> str:
    """Return a text as a person reads it, without the mention of the bot."""
    shown = text.replace(f"<@{bot_user}>", " ")
    shown = _MENTION.sub(r"@\1", shown)
    shown = _CHANNEL.sub(lambda found: f"#{found[2] or found[1]}", shown)
    shown = _SPECIAL.sub(lambda found: f"@{found[2] or found[1]}", shown)
    shown = _LINK.sub(lambda found: found[2] or found[1], shown)
    plain = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return re.sub(r"[ \t]{2,}", " ", plain).strip()


def _with_new_mention(event: _Event, bot_user: str) -> _Message | None:
    mention = f"<@{bot_user}>"
    after, before = event.message, event.previous_message
    if after is None or mention not in after.text or (before and mention in before.text):
        return None
    return after


def _is_a_persons(said: _Message, bot_user: str) -> bool:
    return (
        said.subtype in _READ_SUBTYPES
        and not said.bot_id
        and bool(said.user)
        and said.user != bot_user
        and bool(said.ts)
    )
