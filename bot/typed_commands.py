"""Commands that are typed where questions are: `/resona help` on the page."""

from __future__ import annotations

from collections.abc import Iterator

from bot.commanding import Commands, Given
from bot.turns import Turns
from core.domain.conversation import InboundMessage, Turn
from core.domain.replies import Confirm, FormWanted, Group, Listed, Reply, Said

WORD = "/resona"


async def start(turns: Turns, commands: Commands, message: InboundMessage) -> Turn:
    """Start a turn of what was typed: of a command, whose answer is there at once, or a question.

    Raises:
        Declined: as Turns.start does.
    """
    first, _, rest = message.text.strip().partition(" ")
    if first.casefold() != WORD:
        return await turns.start(message)
    # A thread of the page keeps the connection that it began with, so that it is no spot to choose
    # one for.
    given = Given(text=rest, actor=message.actor, place=message.place)
    return await turns.answered(message, in_words(await commands.run(given)))


def in_words(reply: Reply) -> str:
    """Return an answer as text with marks, for where there are no buttons and no forms."""
    match reply:
        case Said(text=text):
            return text
        case Listed(text=text, groups=groups):
            return "\n\n".join([text, *map(_list, groups)])
        case Confirm(text=text, command=command):
            return f"{text} To do it, write: {WORD} {command}"
        case FormWanted():
            return "There is no form here. Connect it with: resona connect add NAME URL."


def _list(group: Group) -> str:
    return "\n".join(_lines(group))


def _lines(group: Group) -> Iterator[str]:
    if group.title:
        yield f"**{group.title}**"
        yield ""
    for item in group.items:
        yield f"- **{item.title}** {item.detail}".rstrip()
