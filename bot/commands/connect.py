"""Connect a database: a form, then a page for its password."""

from bot.commanding import NotDone, Order
from core.domain.connection_draft import ConnectionDraft
from core.domain.replies import FormWanted, Reply

TAKES = "[NAME]"
ADMINS_ONLY = True


async def run(order: Order) -> Reply:
    """Ask for the form. Nothing slow happens here: platforms wait seconds for it.

    Raises:
        NotDone: there is no address at which a password could be typed, or one was typed already.
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
    return FormWanted(draft=ConnectionDraft(name=name, channel=order.place.channel))
