"""The shapes that go to Slack: JSON, made by small functions so that none is written twice."""

import re
from collections.abc import Sequence

from adapters.slack import limits
from adapters.slack.text import cut, escaped

Json = None | bool | int | float | str | Sequence["Json"] | dict[str, "Json"]
Object = dict[str, Json]

_MARKS = re.compile(r"\*\*|`+|^#+\s+", re.MULTILINE)


def plain(text: str, most: int = limits.BUTTON) -> Object:
    """Return text in which Slack reads nothing; it is never empty."""
    shown = cut(" ".join(text.split()), most)
    return {"type": "plain_text", "text": shown or "-", "emoji": False}


def marked(text: str) -> Object:
    """Return text whose marks Slack reads; whoever calls has escaped what is not theirs."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def section(text: str) -> Object:
    return {"type": "section", "text": marked(text)}


def context(text: str) -> Object:
    return {"type": "context", "elements": [marked(text)]}


def actions(block: str, elements: Sequence[Object]) -> Object:
    return {"type": "actions", "block_id": block, "elements": list(elements)}


def button(action: str, text: str, value: str, *, style: str = "") -> Object:
    made: Object = {
        "type": "button",
        "action_id": action,
        "text": plain(text),
        "value": cut(value, limits.BUTTON_VALUE),
    }
    return {**made, "style": style} if style else made


def fallback(text: str) -> str:
    """Return what a notification and a screen reader say of a message with blocks.

    They show the marks of a text as they stand, so that it has none.
    """
    unmarked = _MARKS.sub("", text)
    return cut(escaped(" ".join(unmarked.split())), limits.UPDATE_TEXT) or "…"
