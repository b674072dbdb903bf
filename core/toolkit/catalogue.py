"""Finds the tools; there is no list to keep."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeGuard, cast

from core.toolkit.family import Family
from core.toolkit.tool import AnyTool, Tool


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every tool by its name, in the order of the names."""

    by_name: dict[str, AnyTool]

    def get(self, name: str) -> AnyTool | None:
        return self.by_name.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.by_name)

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self.by_name.values())

    def for_families(self, families: Iterable[Family]) -> tuple[AnyTool, ...]:
        """Return the tools of these families and the ones that are always on."""
        wanted = frozenset(families)
        return tuple(tool for tool in self if tool.always_on or tool.family in wanted)


def discover(package: ModuleType) -> Catalogue:
    """Import every module below `package` and collect the tools that they declare."""
    found = [
        tool
        for info in pkgutil.walk_packages(package.__path__, prefix=f"{package.__name__}.")
        if not info.ispkg
        for tool in declared_in(importlib.import_module(info.name))
    ]
    return Catalogue({tool.name: tool for tool in sorted(found, key=lambda tool: tool.name)})


def declared_in(module: ModuleType) -> list[AnyTool]:
    """Return the tools whose function was written in this module."""
    return [value for value in vars(module).values() if _is_tool_of(module, value)]


def _is_tool_of(module: ModuleType, value: object) -> TypeGuard[AnyTool]:
    return isinstance(value, Tool) and cast("AnyTool", value).module == module.__name__
