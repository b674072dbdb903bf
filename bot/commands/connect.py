"""Connect a database: a form, then a page for its password."""

from dataclasses import replace

from bot.commanding import NotDone, Order
from bot.saved_connections import SavedConnection
from core.domain.connection_draft import ConnectionDraft
from core.domain.ids import ConnectionName
from core.domain.replies import Confirm, FormWanted, Reply

TAKES = "[NAME]"
ADMINS_ONLY = True
_ANEW = "anew"


async def run(order: Order) -> Reply:
    """Ask for the form. Nothing slow happens here: platforms wait seconds for it.

    Raises:
        NotDone: there is no address at which a password could be typed, one was typed already, or
            the name is taken by what was not connected from here.
    """
    if not order.room.public_url:
        raise NotDone(
            "A password is never typed into a chat, so I need an HTTPS address of my own for it, "
            "and none is set. Whoever runs me sets page.public_url, or connects the database with: "
            "resona connect add NAME URL."
        )
    name = order.words[0] if order.words else ""
    if "://" in name:
        raise NotDone(
            "An address belongs into the form and its password to a page of mine, never in a "
            "command: chats keep what is typed. If there was a password in it, have it changed, "
            "and begin again with: connect."
        )
    connections = order.room.connections
    await connections.refresh()
    if connections.is_gone(ConnectionName(name)):
        return FormWanted(draft=ConnectionDraft(name=name, channel=order.place.channel))
    return await _in_its_place(order, ConnectionName(name))


async def _in_its_place(order: Order, name: ConnectionName) -> Reply:
    """Ask whether a connection is to be replaced, and for its form when it is."""
    before = (await order.ours()).get(name)
    if before is None or order.room.connections.is_configured(name):
        raise NotDone(f"There is a connection {name!r} already. Choose another name.")
    if order.words[1:] == (_ANEW,):
        return FormWanted(draft=_as_it_was(order, name, before))
    return Confirm(
        text=(
            f"There is a connection {name} already: {before.place}. Connect it anew? Until the "
            "new one has answered the old one stays; then it is replaced wherever it is used."
        ),
        label=f"Connect {name} anew",
        command=f"connect {name} {_ANEW}",
    )


def _as_it_was(order: Order, name: ConnectionName, before: SavedConnection) -> ConnectionDraft:
    """Return the form as it was filled in, so that nobody else may ask the new one by accident."""
    platform = f"{order.place.platform}:"
    here = {f"{platform}{order.place.workspace}", order.place.platform}
    alone = [each for each in before.rights.places if each.startswith(platform)]
    channel = next((each.removeprefix(platform) for each in alone if each not in here), "")
    return replace(
        ConnectionDraft.again(name, before.url),
        description=before.description,
        schemas=", ".join(before.schemas),
        channel=channel,
        only_there=bool(channel),
    )
