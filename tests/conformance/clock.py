"""What every Clock does. Subclass it next to the implementation; add nothing to pass."""

from datetime import timedelta

from core.ports.clock import Clock


class ClockContract:
    """The subclass gives a `clock` fixture."""

    async def test_now_is_utc(self, clock: Clock):
        assert clock.now().utcoffset() == timedelta(0)

    async def test_monotonic_time_passes_while_it_sleeps(self, clock: Clock):
        before = clock.monotonic()

        await clock.sleep(0.01)

        assert clock.monotonic() > before

    async def test_never_goes_back(self, clock: Clock):
        times = [clock.monotonic() for _ in range(100)]

        assert times == sorted(times)
