"""What every FileStore does. Subclass it next to the implementation; add nothing to pass."""

from collections.abc import AsyncIterator

import pytest

from core.domain.errors import NotPossible
from core.domain.ids import FileId
from core.ports.file_store import FileStore


class FileStoreContract:
    """The subclass gives an empty `files` fixture, and `count_kept` if it can count."""

    async def test_gives_back_what_was_put(self, files: FileStore):
        ref = await files.put("sales.csv", "text/csv", _chunks(b"a,b\n", b"1,2\n"))

        assert await files.read(ref.id) == b"a,b\n1,2\n"
        assert await files.find(ref.id) == ref
        assert (ref.name, ref.media_type, ref.size_bytes) == ("sales.csv", "text/csv", 8)

    async def test_keeps_an_empty_file(self, files: FileStore):
        ref = await files.put("empty.csv", "text/csv", _chunks())

        assert await files.read(ref.id) == b""

    async def test_two_files_of_one_name_are_two(self, files: FileStore):
        one = await files.put("same.txt", "text/plain", _chunks(b"one"))
        two = await files.put("same.txt", "text/plain", _chunks(b"two"))

        assert await files.read(one.id) == b"one"
        assert await files.read(two.id) == b"two"

    async def test_ids_cannot_be_guessed(self, files: FileStore):
        refs = [await files.put("x", "text/plain", _chunks(b"x")) for _ in range(5)]

        assert len({ref.id for ref in refs}) == 5
        assert all(len(ref.id) >= 32 for ref in refs)

    @pytest.mark.parametrize("id_", ["nothing", "../../etc/passwd", "", "a" * 32])
    async def test_knows_no_file_that_was_not_put(self, files: FileStore, id_: str):
        with pytest.raises(NotPossible):
            await files.find(FileId(id_))
        with pytest.raises(NotPossible):
            await files.read(FileId(id_))

    async def test_a_name_is_kept_as_a_name_and_never_as_a_path(self, files: FileStore):
        ref = await files.put("../../évil\n.csv", "text/csv", _chunks(b"x"))

        assert await files.read(ref.id) == b"x"

    async def test_what_is_forgotten_is_gone_and_nothing_else(self, files: FileStore):
        gone = await files.put("gone.txt", "text/plain", _chunks(b"gone"))
        left = await files.put("left.txt", "text/plain", _chunks(b"left"))

        for id_ in (gone.id, gone.id, FileId("../../etc/passwd"), FileId("a" * 32)):
            await files.forget(id_)

        assert await files.read(left.id) == b"left"
        with pytest.raises(NotPossible):
            await files.find(gone.id)
        await files.forget(left.id)
        assert await self.count_kept(files) == 0

    async def test_a_put_that_breaks_leaves_nothing(self, files: FileStore):
        with pytest.raises(ConnectionError):
            await files.put("half.csv", "text/csv", _broken())

        assert await self.count_kept(files) == 0

    async def count_kept(self, files: FileStore) -> int:
        """Return how many files are kept, by whatever way the implementation has."""
        raise NotImplementedError


async def _chunks(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def _broken() -> AsyncIterator[bytes]:
    yield b"half"
    raise ConnectionError("the source broke")
