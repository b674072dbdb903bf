"""Files in memory, for tests, the terminal and demos."""

from collections.abc import AsyncIterable
from dataclasses import dataclass, field

from core.domain.answer import FileRef
from core.domain.errors import NotPossible
from core.domain.ids import FileId, fresh_id


@dataclass(slots=True)
class InMemoryFileStore:
    """Lets go of the oldest files when all together would exceed `max_bytes`."""

    max_bytes: int = 256 * 1024 * 1024
    _kept: dict[FileId, tuple[FileRef, bytes]] = field(
        default_factory=dict[FileId, tuple[FileRef, bytes]]
    )
    _used: int = 0

    def __len__(self) -> int:
        return len(self._kept)

    async def put(self, name: str, media_type: str, chunks: AsyncIterable[bytes]) -> FileRef:
        content = b"".join([chunk async for chunk in chunks])
        ref = FileRef(
            id=FileId(fresh_id()), name=name, media_type=media_type, size_bytes=len(content)
        )
        self._kept[ref.id] = (ref, content)
        self._used += len(content)
        self._make_room(newest=ref.id)
        return ref

    async def find(self, file: FileId) -> FileRef:
        return self._entry(file)[0]

    async def read(self, file: FileId) -> bytes:
        return self._entry(file)[1]

    async def forget(self, file: FileId) -> None:
        kept = self._kept.pop(file, None)
        self._used -= len(kept[1]) if kept else 0

    def _entry(self, file: FileId) -> tuple[FileRef, bytes]:
        entry = self._kept.get(file)
        if entry is None:
            raise NotPossible("That file is no longer kept; ask again to have it made anew.")
        return entry

    def _make_room(self, *, newest: FileId) -> None:
        while self._used > self.max_bytes:
            oldest = next(iter(self._kept))
            if oldest == newest:
                return
            _, content = self._kept.pop(oldest)
            self._used -= len(content)
