"""Have questions go to a database wherever no other was chosen."""

from bot.commanding import Order
from bot.connections import workspace_spot
from core.domain.audit import Deed
from core.domain.replies import Reply, Said

TAKES = "NAME"
ADMINS_ONLY = True


async def run(order: Order) -> Reply:
    """Choose the connection of the workspace.

    Raises:
        NotDone: there is none of that name that may be used here.
    """
    await order.room.connections.refresh()
    name = order.named(order.usable())
    spot = workspace_spot(order.actor.workspace)
    await order.room.saved.choose(spot, name, order.actor.id)
    await order.note(Deed.CHOSEN, name, note=spot)
    return Said(text=f"Questions go to {name} from now on, wherever no other database was chosen.")
