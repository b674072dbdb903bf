"""Text of YAML as plain values, each with its line; nothing in it is ever constructed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import yaml

_NULL = "tag:yaml.org,2002:null"


class Unreadable(Exception):
    """The text is no YAML; `line` is where that shows, 0 where it is all of it."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Words:
    """A plain value, as it was written."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Many:
    """A list."""

    entries: tuple[Value, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """Keys with their values, in order; a key may come twice."""

    entries: tuple[tuple[Words, Value], ...]
    line: int


Value = Words | Many | Section


def parsed(text: str) -> Value:
    """Return the one document of a text; an empty one is an empty section.

    Raises:
        Unreadable: it is no YAML, or more than one document.
    """
    loader = None
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        return Section((), 1) if node is None else _value(node, depth=0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(
            f"{error.problem or error.context}", mark.line + 1 if mark else 0
        ) from error
    except yaml.YAMLError as error:
        raise Unreadable(str(error).splitlines()[0]) from error
    except RecursionError as error:
        raise Unreadable("its lists lie too deep within each other") from error
    finally:
        if loader is not None:
            loader.dispose()


# What a definition needs; more would only be a way to make a short text very long.
_DEEPEST = 4


def _value(node: yaml.Node, *, depth: int) -> Value:
    line = node.start_mark.line + 1
    if depth > _DEEPEST:
        raise Unreadable("its lists lie too deep within each other", line)
    if isinstance(node, yaml.MappingNode):
        return Section(tuple(_entries(node, depth + 1)), line)
    if isinstance(node, yaml.SequenceNode):
        nodes = cast("list[yaml.Node]", node.value)
        return Many(tuple(_value(each, depth=depth + 1) for each in nodes), line)
    return Words("" if node.tag == _NULL else str(node.value), line)


def _entries(node: yaml.MappingNode, depth: int) -> Iterator[tuple[Words, Value]]:
    for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
        if not isinstance(key, yaml.ScalarNode):
            raise Unreadable("a key has to be a word", key.start_mark.line + 1)
        yield Words(str(key.value), key.start_mark.line + 1), _value(value, depth=depth)
