"""The data team's YAML files, read again whenever they change, never in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from adapters.dictionary.entries import Reading
from adapters.dictionary.yaml_text import Unreadable, parsed
from core.domain.definitions import (
    NOTHING_DEFINED,
    Definition,
    Definitions,
    Place,
    Problem,
    Stated,
    together,
)
from core.domain.ids import ConnectionName, WorkspaceId

_MOST_BYTES = 1_000_000
_Version = tuple[int, int, int] | str

FilesOf = Callable[[ConnectionName], Sequence[Path]]


@dataclass(frozen=True, slots=True)
class _Held:
    """A file as it was read: what it says now, and what it said when all of it made sense."""

    version: _Version
    definitions: tuple[Definition, ...] = ()
    problems: tuple[Problem, ...] = ()
    good: tuple[Definition, ...] | None = None

    @property
    def in_use(self) -> tuple[Definition, ...]:
        """Return what it said last that made sense; at first, what makes sense of it."""
        return self.definitions if self.good is None else self.good

    @property
    def outdated(self) -> bool:
        return bool(self.problems) and self.good is not None


@dataclass(slots=True)
class YamlDictionary:
    """Fulfils DataDictionary with the files that each connection has.

    A file with an error in it goes on as it was before, as a whole. Where the program has not
    seen it without one, the entries that make sense are taken.
    """

    files_of: FilesOf
    _held: dict[Path, _Held] = field(default_factory=dict[Path, _Held])
    _stated: dict[tuple[Path, ...], tuple[tuple[_Held, ...], Stated]] = field(
        default_factory=dict[tuple[Path, ...], tuple[tuple[_Held, ...], Stated]]
    )
    _lock: Lock = field(default_factory=Lock)

    async def stated(self, workspace: WorkspaceId, connection: ConnectionName) -> Stated:
        files = tuple(dict.fromkeys(self.files_of(connection)))
        return await asyncio.to_thread(self._read, files) if files else Stated()

    def _read(self, files: tuple[Path, ...]) -> Stated:
        with self._lock:
            held = tuple(self._current(file) for file in files)
            known = self._stated.get(files)
            if known is not None and all(a is b for a, b in zip(known[0], held, strict=True)):
                return known[1]
            before = known[1].definitions if known is not None else NOTHING_DEFINED
            stated = _joined(files, held, before)
            self._stated[files] = held, stated
            return stated

    def _current(self, file: Path) -> _Held:
        known = self._held.get(file)
        version = _version(file)
        if known is None or known.version != version:
            good = known.good if known is not None else None
            known = self._held[file] = _held(file, version, good)
        return known


def _joined(files: Sequence[Path], held: Sequence[_Held], before: Definitions) -> Stated:
    kept, doubled = together([each for file in held for each in file.in_use])
    definitions = Definitions.of(kept)
    return Stated(
        definitions=before if definitions == before else definitions,
        problems=(*(problem for file in held for problem in file.problems), *doubled),
        outdated=any(file.outdated for file in held),
        sources=tuple(map(str, files)),
    )


def _version(file: Path) -> _Version:
    """Return what changes with the file; why it cannot be looked at, where it cannot."""
    try:
        found = file.stat()
    except OSError as error:
        return error.strerror or type(error).__name__
    return found.st_mtime_ns, found.st_size, found.st_ino


def _held(file: Path, version: _Version, good: tuple[Definition, ...] | None) -> _Held:
    reading = Reading(str(file))
    try:
        reading.read(parsed(_text(file)))
    except Unreadable as error:
        place = Place(str(file), error.line)
        reading.problems.append(Problem(place, f"this is no valid YAML: {error}"))
    except OSError as error:
        why = error.strerror or type(error).__name__
        text = f"the file cannot be read ({why}); write it, or take it out of the settings"
        reading.problems.append(Problem(Place(str(file)), text))
    found, problems = tuple(reading.definitions), tuple(reading.problems)
    return _Held(version, found, problems, good if problems else found)


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        content = opened.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise Unreadable(f"it is larger than {_MOST_BYTES:,} bytes; split it into several files")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Unreadable("it is not written in UTF-8", line) from error
