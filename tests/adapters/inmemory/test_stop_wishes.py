import pytest

from adapters.inmemory.stop_wishes import InMemoryStopWishes
from tests.conformance.stop_wishes import StopWishesContract


class TestInMemoryStopWishes(StopWishesContract):
    @pytest.fixture
    def stops(self) -> InMemoryStopWishes:
        return InMemoryStopWishes()
