"""Forget a database that was connected, with its password."""

from bot.commanding import NotDone, Order
from core.domain.audit import Deed
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ConnectionName
from core.domain.replies import Confirm, Reply, Said

TAKES = "NAME"
ADMINS_ONLY = True
_YES = "yes"


async def run(order: Order) -> Reply:
    """Ask whether it is meant, and forget it when it is.

    Raises:
        NotDone: there is none of that name, or it was not connected from this workspace.
    """
    connections = order.room.connections
    await connections.refresh()
    ours = tuple(await order.ours())
    name = order.named(tuple(dict.fromkeys((*ours, *order.usable()))))
    if connections.is_configured(name):
        raise NotDone(f"{name} stands in the settings; whoever runs me removes it there.")
    if name not in ours:
        raise NotDone(
            f"{name} was not connected from here; whoever runs me removes it with: "
            f"resona connect remove {name}."
        )
    if order.words[1:] != (_YES,):
        return Confirm(
            text=await _what_goes(order, name),
            label=f"Disconnect {name}",
            command=f"disconnect {name} {_YES}",
        )
    try:
        await order.room.saved.remove(name)
    except ConnectionUnusable as error:
        raise NotDone(f"{name} is disconnected already.") from error
    await connections.refresh()
    await order.note(Deed.DISCONNECTED, name)
    return Said(text=f"{name} is disconnected and its password deleted.")


async def _what_goes(order: Order, name: ConnectionName) -> str:
    count = len(await order.room.saved.store.spots_of(name))
    places = {0: "", 1: " One place that uses it goes back to the default."}.get(
        count, f" {count} places that use it go back to the default."
    )
    return (
        f"Disconnect {name}? Its password is deleted, and nobody can ask it any more; the database "
        f"itself is not touched.{places}"
    )
