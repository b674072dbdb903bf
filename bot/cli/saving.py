"""Puts the charts and files of an answer where the reader wants them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.domain.answer import Answer, FileRef, Shown
from core.ports.file_store import FileStore

_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Saved:
    """Paths, in the order of the answer."""

    charts: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()


async def save(answer: Answer, files: FileStore, folder: Path) -> Saved:
    """Write every chart and file of the answer into the folder; no file that is there is replaced.

    Raises:
        OSError: the folder cannot be written.
    """
    shown = tuple(_distinct(answer))
    charts = [chart.picture for each in shown for chart in each.charts]
    others = [file for each in shown for file in each.files]
    if charts or others:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    return Saved(
        charts=await _written(charts, files, folder), files=await _written(others, files, folder)
    )


async def _written(refs: Iterable[FileRef], files: FileStore, folder: Path) -> tuple[Path, ...]:
    return tuple(
        [await asyncio.to_thread(_put, folder, ref.name, await files.read(ref.id)) for ref in refs]
    )


def _put(folder: Path, name: str, content: bytes) -> Path:
    path = next(path for path in _names(folder, name) if not path.exists())
    path.write_bytes(content)
    return path


def _names(folder: Path, name: str) -> Iterator[Path]:
    """Give the name as it is, then with a number, as far as it is needed."""
    plain = Path(_NOT_IN_A_NAME.sub("_", name)[-_LONGEST_NAME:].lstrip(".") or "file")
    yield folder / plain
    number = 2
    while True:
        yield folder / f"{plain.stem}-{number}{plain.suffix}"
        number += 1


def _distinct(answer: Answer) -> Iterator[Shown]:
    result = (answer.result,) if answer.result else ()
    yield from {shown.id: shown for shown in (*result, *answer.shown)}.values()
