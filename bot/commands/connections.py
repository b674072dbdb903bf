"""List the databases that you may ask here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.commanding import Order
from bot.connections import workspace_spot
from bot.saved_connections import SavedConnection
from core.domain.ids import ConnectionName
from core.domain.replies import Group, Item, Listed, Reply, Said

TAKES = ""
ADMINS_ONLY = False


async def run(order: Order) -> Reply:
    """List what the person may use here; admins also see what is closed here, and why."""
    connections, workspace = order.room.connections, order.actor.workspace
    here = await order.room.turns.connection_here(workspace, order.place, order.thread)
    chosen = await connections.refresh((workspace_spot(workspace),))
    default = chosen or connections.default_in(order.place)
    ours = await order.ours()
    usable = tuple(
        Item(title=name, detail="; ".join(_said(order, ours, name, here=here, default=default)))
        for name in order.usable()
    )
    closed = tuple(_closed(order, ours)) if order.is_admin else ()
    if not usable and not closed:
        return Said(text="There is no database that you may ask here. Ask whoever looks after me.")
    groups = (Group(title="", items=usable), Group(title="Not to be asked here", items=closed))
    return Listed(
        text=f"You may ask {len(usable)} database{'' if len(usable) == 1 else 's'} here.",
        groups=tuple(each for each in groups if each.items),
    )


def _said(
    order: Order,
    ours: Mapping[ConnectionName, SavedConnection],
    name: ConnectionName,
    *,
    here: ConnectionName,
    default: ConnectionName,
) -> Iterator[str]:
    connections = order.room.connections
    if description := connections.known[name].description:
        yield description
    if name == here:
        yield "used here"
    if name == default:
        yield "the default"
    if name in ours and not connections.is_configured(name):
        yield f"added by {ours[name].added_by}"


def _closed(order: Order, ours: Mapping[ConnectionName, SavedConnection]) -> Iterator[Item]:
    connections = order.room.connections
    for name in ours:
        if name in connections.broken:
            yield Item(title=name, detail=connections.broken[name])
        elif refusal := connections.known[name].rights.refusal(order.actor, order.place):
            yield Item(title=name, detail=refusal)
