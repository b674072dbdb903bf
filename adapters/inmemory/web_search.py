"""A search that knows a few pages by heart."""

from dataclasses import dataclass

from core.domain.errors import TemporarilyUnavailable
from core.ports.web_search import SearchHit


@dataclass(slots=True)
class InMemoryWebSearch:
    """Finds the hits that hold any of the words; not available when it has none.

    `down` makes it fail as a provider does that does not answer.
    """

    hits: tuple[SearchHit, ...] = ()
    down: bool = False

    @property
    def available(self) -> bool:
        return bool(self.hits)

    async def search(self, words: str, *, at_most: int) -> tuple[SearchHit, ...]:
        if self.down:
            raise TemporarilyUnavailable("The search provider does not answer.")
        wanted = set(words.casefold().split())
        found = [hit for hit in self.hits if wanted & _words(hit)]
        return tuple(found[: max(at_most, 0)])


def _words(hit: SearchHit) -> set[str]:
    return set(f"{hit.title} {hit.text}".casefold().split())
