import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.storage.files import DiskFileStore
from core.domain.errors import NotPossible
from core.ports.file_store import FileStore
from tests.conformance.file_store import FileStoreContract


class TestDiskFileStore(FileStoreContract):
    @pytest.fixture
    def files(self, tmp_path: Path) -> DiskFileStore:
        return DiskFileStore(tmp_path / "files")

    async def count_kept(self, files: FileStore) -> int:
        assert isinstance(files, DiskFileStore)
        return len(list(files.folder.iterdir()))


async def some_bytes() -> AsyncIterator[bytes]:
    yield b"some bytes"


async def test_another_process_finds_what_was_put(tmp_path: Path):
    ref = await DiskFileStore(tmp_path).put("a.csv", "text/csv", some_bytes())

    again = DiskFileStore(tmp_path)

    assert await again.find(ref.id) == ref
    assert await again.read(ref.id) == b"some bytes"


async def test_only_the_owner_may_look_into_the_folder(tmp_path: Path):
    await DiskFileStore(tmp_path / "files").put("a.csv", "text/csv", some_bytes())

    assert (tmp_path / "files").stat().st_mode & 0o777 == 0o700


async def test_lets_go_of_old_files_and_of_halves_of_them(tmp_path: Path):
    old = await DiskFileStore(tmp_path).put("old.csv", "text/csv", some_bytes())
    (tmp_path / "half.bin").write_bytes(b"half")
    make_old(tmp_path)

    files = DiskFileStore(tmp_path, keep_days=7)
    new = await files.put("new.csv", "text/csv", some_bytes())

    with pytest.raises(NotPossible, match="no longer kept"):
        await files.find(old.id)
    assert await files.read(new.id) == b"some bytes"
    assert len(files) == 1
    assert not list(left_over(tmp_path, new.id))


def make_old(folder: Path) -> None:
    for path in folder.iterdir():
        os.utime(path, (0, 0))


def left_over(folder: Path, kept: str) -> list[Path]:
    return [path for path in folder.iterdir() if path.stem != kept]
