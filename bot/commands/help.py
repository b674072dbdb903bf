"""Say what can be done."""

from bot.commanding import Order, known_commands
from core.domain.replies import Group, Item, Listed, Reply

TAKES = ""
ADMINS_ONLY = False


async def run(order: Order) -> Reply:
    """List the commands that this person may give, and how to ask a question."""
    items = tuple(
        Item(title=f"{name} {each.TAKES}".strip(), detail=(each.__doc__ or "").partition("\n")[0])
        for name, each in known_commands().items()
        if order.is_admin or not each.ADMINS_ONLY
    )
    return Listed(
        text="Mention me, or write to me directly, to ask your data a question in plain words.",
        groups=(Group(title="Commands", items=items),),
    )
