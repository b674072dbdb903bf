"""Writes the demo database: one SQLite file, the same at every making."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from errno import EIO
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import cast

VERSION = 1
_HAS_ITS_TABLES = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'sales_targets'"
SqlValue = int | float | str | None
Contents = Iterator[tuple[str, Iterable[tuple[SqlValue, ...]]]]


def make_demo(path: Path) -> Path:
    """Write the demo database to `path` in one go: whoever looks sees the old file or the new one.

    The bytes of the tables depend on nothing but this version of the generator.

    Raises:
        OSError: it cannot be written, as on a disk that is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".demo-", delete=False) as unfinished:
        draft = Path(unfinished.name)
    try:
        _write(draft)
        draft.replace(path)
    except sqlite3.OperationalError as error:
        raise OSError(EIO, str(error), str(path)) from error
    finally:
        draft.unlink(missing_ok=True)
    return path


def is_current(path: Path) -> bool:
    """Say whether `path` holds a whole demo database of this version."""
    if not path.is_file():
        return False
    try:
        return _version(path) == VERSION
    except sqlite3.Error:
        return False


def may_be_written(path: Path) -> bool:
    """Say whether nothing is lost at `path`: there is no file, an empty one, or a demo database."""
    if not path.is_file() or not path.stat().st_size:
        return True
    try:
        return _version(path) is not None
    except sqlite3.Error:
        return False


def _version(path: Path) -> int | None:
    """Return the version of a demo database; None where it is another one."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        [tables] = database.execute(_HAS_ITS_TABLES).fetchone()
        [version] = database.execute("PRAGMA user_version").fetchone()
        return cast("int", version) if tables else None


def _write(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        # A draft that breaks is thrown away, so nothing needs to survive a crash.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript((files("bot.demo") / "schema.sql").read_text(encoding="utf-8"))
        for insert, rows in _contents():
            database.executemany(insert, rows)
        database.executescript((files("bot.demo") / "indexes.sql").read_text(encoding="utf-8"))
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.commit()
        database.execute("ANALYZE")
        database.commit()


def _contents() -> Contents:
    # Numpy is wanted for the making alone, and a server that finds its demo made does without.
    contents = import_module("bot.demo.contents")
    return cast("Callable[[], Contents]", contents.tables)()
