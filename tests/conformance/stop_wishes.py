"""What every StopWishes does. Subclass it next to the implementation; add nothing to pass."""

from core.domain.ids import RunId
from core.ports.stop_wishes import StopWishes


class StopWishesContract:
    """The subclass gives an empty `stops` fixture."""

    async def test_a_run_that_nobody_knows_cannot_be_stopped(self, stops: StopWishes):
        assert not await stops.wish(RunId("never"))
        assert await stops.wished() == frozenset()
