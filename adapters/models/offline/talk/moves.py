"""What the analyst does next: say something, or call tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """A tool and its arguments."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Say:
    """The final text."""

    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Tool calls that run side by side; their results come with the next request."""

    calls: tuple[Call, ...]


Move = Say | Ask


def ask(tool: str, **arguments: object) -> Ask:
    return Ask((Call(tool, arguments),))
