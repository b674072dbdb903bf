"""Keeps the files that a run makes, until the reader has them."""

from collections.abc import AsyncIterable
from typing import Protocol

from core.domain.answer import FileRef
from core.domain.ids import FileId


class FileStore(Protocol):
    """Kept honest by tests/conformance/file_store.py.

    - `put` keeps what the chunks give, never the whole of it in memory where it writes to disk,
      and names it by an id that nobody can guess; a put that breaks leaves nothing behind.
    - `find` and `read` know a file by its id; both raise NotPossible for one that is not kept.
    - `forget` lets go of a file, and does nothing for one that is not kept.
    """

    async def put(self, name: str, media_type: str, chunks: AsyncIterable[bytes]) -> FileRef: ...

    async def find(self, file: FileId) -> FileRef: ...

    async def read(self, file: FileId) -> bytes: ...

    async def forget(self, file: FileId) -> None: ...
