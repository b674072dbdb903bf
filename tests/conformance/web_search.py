"""What every WebSearch does. Subclass it next to the implementation; add nothing to pass."""

import pytest

from core.domain.errors import TemporarilyUnavailable
from core.ports.web_search import WebSearch


class WebSearchContract:
    """The subclass gives `web`, which finds two pages about coffee; `broken` and `absent` too."""

    async def test_finds_pages_with_their_addresses(self, web: WebSearch):
        hits = await web.search("coffee", at_most=5)

        assert web.available
        assert len(hits) == 2
        assert all(hit.title and hit.url.startswith("https://") and hit.text for hit in hits)

    async def test_gives_no_more_than_asked_for(self, web: WebSearch):
        assert len(await web.search("coffee", at_most=1)) == 1

    async def test_says_when_the_provider_does_not_answer(self, broken: WebSearch):
        with pytest.raises(TemporarilyUnavailable):
            await broken.search("coffee", at_most=1)

    async def test_is_not_available_without_a_provider(self, absent: WebSearch):
        assert not absent.available
