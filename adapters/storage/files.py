"""Files on disk: one for the bytes and, written last, one that describes them."""

import asyncio
import re
import time
from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.answer import FileRef
from core.domain.errors import NotPossible
from core.domain.ids import FileId, fresh_id

_ID = re.compile(r"[0-9a-f]{32}")
_SECONDS_A_DAY = 86_400.0
_SECONDS_BETWEEN_SWEEPS = 3_600.0


@dataclass(slots=True)
class DiskFileStore:
    """Lets go of files older than `keep_days`, looking for them once an hour.

    A file is there when its description is, so a process that dies in the middle of a put leaves
    nothing that could be found; such a half goes with the old ones.
    """

    folder: Path
    keep_days: float = 30.0
    _swept_at: float = field(default=float("-inf"))

    def __len__(self) -> int:
        return sum(1 for _ in self.folder.glob("*.json"))

    async def put(self, name: str, media_type: str, chunks: AsyncIterable[bytes]) -> FileRef:
        await self._sweep()
        identity = FileId(fresh_id())
        content = self.folder / f"{identity}.bin"
        try:
            size = await _write(content, chunks)
            ref = FileRef(id=identity, name=name, media_type=media_type, size_bytes=size)
            await asyncio.to_thread(_describe, self.folder / f"{identity}.json", ref)
        except BaseException:
            content.unlink(missing_ok=True)
            raise
        return ref

    async def find(self, file: FileId) -> FileRef:
        return FileRef.model_validate_json(await self._bytes(file, ".json"))

    async def read(self, file: FileId) -> bytes:
        await self.find(file)
        return await self._bytes(file, ".bin")

    async def forget(self, file: FileId) -> None:
        if _ID.fullmatch(file):
            await asyncio.to_thread(_delete, self.folder, file)

    async def _bytes(self, file: FileId, suffix: str) -> bytes:
        # Only what `fresh_id` makes may become part of a path.
        if not _ID.fullmatch(file):
            raise _not_kept()
        try:
            return await asyncio.to_thread((self.folder / f"{file}{suffix}").read_bytes)
        except FileNotFoundError as error:
            raise _not_kept() from error

    async def _sweep(self) -> None:
        now = time.monotonic()
        if now - self._swept_at < _SECONDS_BETWEEN_SWEEPS:
            return
        self._swept_at = now
        oldest = time.time() - self.keep_days * _SECONDS_A_DAY
        await asyncio.to_thread(_prepare, self.folder, oldest)


async def _write(path: Path, chunks: AsyncIterable[bytes]) -> int:
    size = 0
    with await asyncio.to_thread(path.open, "xb") as file:
        async for chunk in chunks:
            size += await asyncio.to_thread(file.write, chunk)
    return size


def _describe(path: Path, ref: FileRef) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(ref.model_dump_json(), encoding="utf-8")
    draft.replace(path)


def _delete(folder: Path, file: FileId) -> None:
    # Without its description it is not there any more, whatever happens then.
    (folder / f"{file}.json").unlink(missing_ok=True)
    (folder / f"{file}.bin").unlink(missing_ok=True)


def _prepare(folder: Path, oldest: float) -> None:
    """Make the folder, readable by its owner alone, and drop what is older."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def _not_kept() -> NotPossible:
    return NotPossible("That file is no longer kept; ask again to have it made anew.")
