"""The demo database, made once in a process of tests: making it takes seconds."""

from __future__ import annotations

import atexit
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp

from bot.demo.make import make_demo


@cache
def made_demo() -> Path:
    """Return the file. It is everybody's: nobody writes to it."""
    folder = mkdtemp(prefix="resona-demo-")
    atexit.register(rmtree, folder, ignore_errors=True)
    return make_demo(Path(folder) / "demo.sqlite")


def place_demo(state_dir: Path) -> None:
    """Put the demo where the application looks for it before it makes one."""
    state_dir.mkdir(parents=True, exist_ok=True)
    place = state_dir / "demo.sqlite"
    with suppress(OSError):
        place.hardlink_to(made_demo())
    if not place.exists():
        copyfile(made_demo(), place)
