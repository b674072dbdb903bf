"""A place in the phrases of a sentence, and looks around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.sketch.chunks import Chunk

_EMPTY_WORDS = frozenset({Role.FILL, Role.DO, Role.ALL})


@dataclass(slots=True)
class Cursor:
    """Reads from left to right; `at` is the next phrase."""

    chunks: Sequence[Chunk]
    at: int = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.chunks)

    def peek(self, ahead: int = 0) -> Chunk | None:
        at = self.at + ahead
        return self.chunks[at] if 0 <= at < len(self.chunks) else None

    def take(self) -> Chunk:
        chunk = self.chunks[self.at]
        self.at += 1
        return chunk

    def role(self, role: Role, ahead: int = 0) -> Keyword | None:
        chunk = self.peek(ahead)
        return chunk.role(role) if chunk else None

    def accept(self, *roles: Role) -> Keyword | None:
        """Take the next phrase if it plays one of these roles."""
        for role in roles:
            keyword = self.role(role)
            if keyword is not None:
                self.at += 1
                return keyword
        return None

    def skip(self, *roles: Role) -> None:
        """Pass over phrases that only fill, and over those of the given roles."""
        while self.accept(*roles) or self._skip_filler():
            continue

    def _skip_filler(self) -> bool:
        chunk = self.peek()
        if chunk is None or not is_filler(chunk):
            return False
        self.at += 1
        return True

    def looking(self, then: Callable[[Cursor], bool]) -> bool:
        """Say what a look ahead finds; the place stays."""
        at = self.at
        try:
            return then(self)
        finally:
            self.at = at


def is_filler(chunk: Chunk) -> bool:
    """Say whether a phrase says nothing: an article, an auxiliary, `all`."""
    if chunk.meanings and chunk.meanings[0].score > 0.95 and not _is_article(chunk):
        return False
    if chunk.number is not None or not chunk.keywords:
        return False
    return all(keyword.role in _EMPTY_WORDS for keyword in chunk.keywords)


def _is_article(chunk: Chunk) -> bool:
    return len(chunk.text) <= 3
