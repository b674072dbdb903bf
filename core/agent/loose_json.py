"""Reads the JSON objects that models write: fenced, wrapped in words, nearly right, cut short."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import cast

import orjson

_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_CLOSES = {"{": "}", "[": "]"}
_READABLE_AS_PYTHON = 20_000


def read_object(text: str) -> dict[str, object] | None:
    """Return the object that a text holds or was meant to hold; None when there is none.

    An empty text is the empty object. An object written as a string of JSON counts as well.
    """
    text = text.strip()
    if not text:
        return {}
    for candidate in _candidates(text):
        for read in _READERS:
            found = read(candidate)
            if isinstance(found, str):
                found = _as_json(found)
            if isinstance(found, dict):
                return {
                    str(key): value for key, value in cast("dict[object, object]", found).items()
                }
    return None


def _candidates(text: str) -> Iterator[str]:
    """Give the text as it is, then what lies between its braces, then that mended."""
    yield text
    start = text.find("{")
    if start < 0:
        return
    end = text.rfind("}")
    if end > start:
        yield text[start : end + 1]
        yield _TRAILING_COMMA.sub(r"\1", text[start : end + 1])
    yield _TRAILING_COMMA.sub(r"\1", _closed(text[start:]))


def _as_json(text: str) -> object:
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(text)
    return None


def _as_python(text: str) -> object:
    # Literals only; nothing is evaluated. Deep nesting and null bytes raise these.
    if len(text) > _READABLE_AS_PYTHON:
        return None
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return ast.literal_eval(text)
    return None


_READERS: tuple[Callable[[str], object], ...] = (_as_json, _as_python)


def _closed(text: str) -> str:
    """Close the strings, arrays and objects that a length limit left open."""
    waiting: list[str] = []
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in _CLOSES:
            waiting.append(_CLOSES[char])
        elif waiting and char == waiting[-1]:
            waiting.pop()
    return text.rstrip().rstrip(",") + ('"' if in_string else "") + "".join(reversed(waiting))
