from collections.abc import AsyncIterator

import pytest

from adapters.inmemory.file_store import InMemoryFileStore
from core.domain.errors import NotPossible
from core.ports.file_store import FileStore
from tests.conformance.file_store import FileStoreContract


class TestInMemoryFileStore(FileStoreContract):
    @pytest.fixture
    def files(self) -> InMemoryFileStore:
        return InMemoryFileStore()

    async def count_kept(self, files: FileStore) -> int:
        assert isinstance(files, InMemoryFileStore)
        return len(files)


async def test_lets_go_of_the_oldest_when_it_is_full():
    files = InMemoryFileStore(max_bytes=10)
    old = await files.put("old", "text/plain", _one(b"123456"))
    new = await files.put("new", "text/plain", _one(b"123456"))

    assert await files.read(new.id) == b"123456"
    with pytest.raises(NotPossible, match="no longer kept"):
        await files.read(old.id)


async def test_keeps_the_newest_however_large():
    files = InMemoryFileStore(max_bytes=10)
    large = await files.put("large", "text/plain", _one(b"x" * 100))

    assert len(await files.read(large.id)) == 100


async def _one(chunk: bytes) -> AsyncIterator[bytes]:
    yield chunk
