"""Drivers that follow PEP 249, as far as they are used here; they are loaded when a URL asks."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from types import ModuleType
from typing import Any, Protocol, cast
from uuid import UUID

from core.domain.errors import ConnectionUnusable
from core.domain.table import Cell, Row


class Cursor(Protocol):
    """Reads rows as they come; `description` is None where there are none."""

    @property
    def description(self) -> Sequence[Sequence[Any]] | None: ...

    def execute(self, operation: str, /) -> object: ...

    def fetchmany(self, size: int, /) -> Sequence[Sequence[object]]: ...

    def cancel(self) -> object: ...

    def close(self) -> object: ...


class Connection(Protocol):
    def cursor(self) -> Cursor: ...

    def close(self) -> object: ...


def load(module: str, *, extra: str, engine: str) -> ModuleType:
    """Import a driver.

    Raises:
        ConnectionUnusable: it is not installed; the sentence says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConnectionUnusable(
            f"The driver for {engine} is not installed. Run: pip install 'resona[{extra}]'"
        ) from error


_CELLS = (bool, int, float, Decimal, str, bytes, UUID, date, time, timedelta)
_PLAIN = (int, float, Decimal, str)


def rows_of(rows: Sequence[Sequence[object]]) -> list[Row]:
    """Return a driver's rows as rows: what a table cannot hold becomes its text."""
    return [tuple(map(to_cell, row)) for row in rows]


def to_cell(value: object) -> Cell:
    """Return a value as a cell; arrays become lists, structs become objects by name."""
    if value is None or type(value) in _PLAIN or isinstance(value, _CELLS):
        return cast("Cell", value)
    if isinstance(value, bytearray | memoryview):
        return bytes(cast("bytes", value))
    if isinstance(value, Mapping):
        parts = cast("Mapping[object, object]", value).items()
        return {str(key): to_cell(part) for key, part in parts}
    if isinstance(value, list | tuple):
        return [to_cell(part) for part in cast("Sequence[object]", value)]
    to_list = getattr(value, "tolist", None)
    return to_cell(to_list()) if callable(to_list) else str(value)
