"""Files that came with a question: named to the model and to the reader, never passed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.domain.conversation import Attachment
from core.memory.cards import plain

_MOST_NAMED = 10
_LONGEST_NAME = 120


def listed(files: Sequence[Attachment]) -> str:
    """Name files with their kind and size; what a person called them is made harmless."""
    return ", ".join(_named(files))


def not_read(files: Sequence[Attachment], connection: str) -> Iterator[str]:
    """Say to the reader that the answer does not rest on the files, where there are any."""
    if files:
        names = ", ".join(_short(each.name) for each in files[:_MOST_NAMED])
        more = len(files) - _MOST_NAMED
        names += f" and {more} more" if more > 0 else ""
        were = "was" if len(files) == 1 else "were"
        yield (
            f"{names} {were} not read: I cannot look into files yet. "
            f"The answer is from {connection} alone."
        )


def _named(files: Sequence[Attachment]) -> Iterator[str]:
    for each in files[:_MOST_NAMED]:
        yield f"{_short(plain(each.name))} ({plain(each.media_type)}, {each.size_bytes:,} bytes)"
    if len(files) > _MOST_NAMED:
        yield f"{len(files) - _MOST_NAMED} more"


def _short(name: str) -> str:
    flat = " ".join(name.split())
    return flat if len(flat) <= _LONGEST_NAME else flat[: _LONGEST_NAME - 1] + "…"
