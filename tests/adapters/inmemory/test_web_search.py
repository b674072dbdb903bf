import pytest

from adapters.inmemory.web_search import InMemoryWebSearch
from core.ports.web_search import SearchHit
from tests.conformance.web_search import WebSearchContract

PAGES = (
    SearchHit(title="Coffee", url="https://example.org/coffee", text="All about beans"),
    SearchHit(title="Prices", url="https://example.org/prices", text="What coffee costs"),
    SearchHit(title="Tea", url="https://example.org/tea", text="Leaves"),
)


class TestInMemoryWebSearch(WebSearchContract):
    @pytest.fixture
    def web(self) -> InMemoryWebSearch:
        return InMemoryWebSearch(PAGES)

    @pytest.fixture
    def broken(self) -> InMemoryWebSearch:
        return InMemoryWebSearch(PAGES, down=True)

    @pytest.fixture
    def absent(self) -> InMemoryWebSearch:
        return InMemoryWebSearch()
