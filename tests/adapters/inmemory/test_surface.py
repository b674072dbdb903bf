import pytest

from adapters.inmemory.surface import InMemorySurface
from core.ports.surface import Surface
from tests.conformance.surface import SurfaceContract


class TestInMemorySurface(SurfaceContract):
    @pytest.fixture
    def surface(self) -> InMemorySurface:
        return InMemorySurface()

    async def texts_shown(self, surface: Surface) -> list[str]:
        assert isinstance(surface, InMemorySurface)
        newest = [message.history[-1] for message in surface.messages]
        return [f"{view.status}{view.text}" for view in newest]

    async def break_down(self, surface: Surface) -> None:
        assert isinstance(surface, InMemorySurface)
        surface.closed = True
