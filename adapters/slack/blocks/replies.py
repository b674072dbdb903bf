"""What a command answered, and how far a connection has come, as Slack shows it."""

from __future__ import annotations

import re

from adapters.slack import limits, presses
from adapters.slack.blocks.message import Rendered, fitted
from adapters.slack.text import code, cut, escaped, in_sections, literal
from adapters.slack.wire import Object, actions, button, fallback, plain, section
from core.domain.replies import Confirm, Group, Listed, News, Said

_MOST_LINES = 40
_MOST_SQL = 6_000
# Ids of people and channels as the core writes them; one in quotation marks is meant as it stands.
_PERSON = re.compile(r"(?<!['\w])slack:\w+:([UW][A-Z0-9]+)\b")
_CHANNEL = re.compile(r"(?<!['\w])slack:([CG][A-Z0-9]+)\b")


def reply(said: Said | Listed | Confirm) -> Rendered:
    """Return what a command answered."""
    match said:
        case Said(text=text):
            return Rendered(text=_told(text), blocks=(section(_named(text)),))
        case Listed(text=text, groups=groups):
            blocks = [section(_named(text)), *(each for group in groups for each in _group(group))]
            return Rendered(text=_told(text), blocks=fitted(blocks))
        case Confirm(text=text, label=label, command=command):
            choices = actions(
                "confirm",
                [
                    button(presses.COMMAND, label, command, style="danger"),
                    button(presses.NO_COMMAND, "Leave it", "no"),
                ],
            )
            return Rendered(text=_told(text), blocks=(section(_named(text)), choices))


def news(told: News) -> Rendered:
    """Return how far a connection has come, or how it ended."""
    blocks = [section(_named(told.text))]
    if told.warnings:
        lines = "\n".join(f"• {literal(each)}" for each in told.warnings)
        blocks += [section(piece) for piece in in_sections(f":warning: {lines}")]
    if told.statements:
        blocks.append(section("An administrator of the database makes a safer login so:"))
        sql = code(cut(told.statements, _MOST_SQL))
        blocks += [section(piece) for piece in in_sections(sql, 2_900)]
    if told.attempt:
        change = button(presses.CHANGE_CONNECTION, "Change and try again", told.attempt)
        blocks.append(actions("change", [{**change, "style": "primary"}]))
    return Rendered(text=_told(told.text), blocks=fitted(blocks))


def link(name: str, url: str, minutes: int) -> Rendered:
    """Return the way to the page at which a password is typed."""
    text = (
        f"The password of {name} is typed at a page of mine, never here. The link works once, for "
        f"{minutes} minutes."
    )
    opening: Object = {
        "type": "button",
        "action_id": presses.OPEN_LINK,
        "text": plain("Type the password"),
        "url": url,
        "style": "primary",
    }
    return Rendered(text=_told(text), blocks=(section(_named(text)), actions("link", [opening])))


def _group(group: Group) -> list[Object]:
    lines = [
        f"• *{_named(item.title)}*" + (f"  {_named(item.detail)}" if item.detail else "")
        for item in group.items[:_MOST_LINES]
    ]
    if len(group.items) > _MOST_LINES:
        lines.append(f"… and {len(group.items) - _MOST_LINES} more")
    title = [f"*{escaped(group.title)}*"] if group.title else []
    return [section(piece) for piece in in_sections("\n".join([*title, *lines]), limits.SECTION)]


def _told(text: str) -> str:
    """Return what a notification says."""
    return _with_names(fallback(text))


def _named(text: str) -> str:
    """Return a text with the people and channels in it as Slack shows them."""
    return cut(_with_names(literal(text)), limits.SECTION)


def _with_names(escaped_text: str) -> str:
    return _CHANNEL.sub(r"<#\1>", _PERSON.sub(r"<@\1>", escaped_text))
