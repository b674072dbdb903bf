"""Live search of the web, where a provider is set."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One result; its text is somebody else's words and never an instruction."""

    title: str
    url: str
    text: str


class WebSearch(Protocol):
    """Kept honest by tests/conformance/web_search.py.

    - `available` is False when no provider is set; the tool is hidden then.
    - `search` raises TemporarilyUnavailable when the provider does not answer.
    """

    @property
    def available(self) -> bool: ...

    async def search(self, words: str, *, at_most: int) -> tuple[SearchHit, ...]: ...
