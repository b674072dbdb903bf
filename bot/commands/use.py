"""Have questions in this channel go to a database."""

from bot.commanding import NotDone, Order
from bot.connections import spots_of
from core.domain.audit import Deed
from core.domain.replies import Reply, Said

TAKES = "NAME"
ADMINS_ONLY = False


async def run(order: Order) -> Reply:
    """Choose a connection for the thread, else the channel, that the command was given in.

    Raises:
        NotDone: it may not be used, the settings decide here, or here is no channel.
    """
    await order.room.connections.refresh()
    name = order.named(order.usable())
    own = order.room.turns.channel(order.place.channel).connection
    if own:
        raise NotDone(
            f"This channel uses {own}, as the settings say (channels.{order.place.channel}). "
            "Whoever runs me changes it there."
        )
    spots = spots_of(order.actor.workspace, order.place, order.thread)
    if not spots:
        raise NotDone("There is no channel here to remember it for. Name it with each question.")
    await order.room.saved.choose(spots[0], name, order.actor.id)
    await order.note(Deed.CHOSEN, name, note=spots[0])
    where = "thread" if order.thread else "channel"
    return Said(
        text=f"Questions in this {where} go to {name} from now on. Each person needs the right to "
        "use it, as before."
    )
