"""Finds the checks of statements; there is no list to keep.

A check is a module of `core.reviewer.pitfalls` and the function in it that bears its name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from typing import cast

from core.reviewer import pitfalls
from core.reviewer.ran import Ran
from core.reviewer.remark import Remark

Check = Callable[[Ran], Iterator[Remark]]


@cache
def checks() -> tuple[Check, ...]:
    """Return every check, in the order of their names."""
    return tuple(_check(info.name) for info in pkgutil.iter_modules(pitfalls.__path__))


def _check(name: str) -> Check:
    module = importlib.import_module(f"{pitfalls.__name__}.{name}")
    return cast("Check", getattr(module, name))
