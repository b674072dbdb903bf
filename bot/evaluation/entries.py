"""The entries of a file of questions as they stand there, each with its place."""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import yaml

from core.domain.errors import SettingsInvalid


class Unreadable(Exception):
    """The file as a whole makes no sense; the message says where."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`where` names the line; `broken` says why there is no `value`."""

    where: str
    value: object = None
    broken: str = ""


_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f]")

Read = Callable[[str], Iterator[Entry]]


def text_of(path: Path) -> str:
    """Read a file in UTF-8, or as spreadsheets save it: UTF-16, and CSV in Windows' own letters.

    Raises:
        SettingsInvalid: there is no such file, or it is no text.
    """
    try:
        written = path.read_bytes()
    except OSError as error:
        raise SettingsInvalid(f"{path} cannot be read: {error.strerror}.") from error
    is_wide = written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return written.decode("utf-16" if is_wide else "utf-8-sig").lstrip("\ufeff")
    except UnicodeDecodeError as error:
        # Of a text that is none, some bytes are control characters.
        if path.suffix.lower() == ".csv" and not _NO_TEXT.search(written):
            return written.decode("cp1252", errors="replace")
        raise SettingsInvalid(f"{path} cannot be read: it is not UTF-8 text.") from error


def reader_of(path: Path) -> Read:
    """Return what reads a file of this ending.

    Raises:
        SettingsInvalid: no reader does.
    """
    readers: dict[str, Read] = {
        ".jsonl": _json_lines,
        ".yaml": _yaml,
        ".yml": _yaml,
        ".csv": _csv,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise SettingsInvalid(f"{path} must end in one of: {', '.join(readers)}.")
    return reader


def _json_lines(text: str) -> Iterator[Entry]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield Entry(f"line {number}", cast("object", json.loads(line)))
            except (ValueError, RecursionError):
                yield Entry(f"line {number}", broken="is no JSON object.")


def _yaml(text: str) -> Iterator[Entry]:
    loader = yaml.SafeLoader(text)
    construct = cast("Callable[[yaml.Node], object]", loader.construct_document)
    try:
        node = loader.get_single_node()
        if node is None:
            return
        entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for each in cast("list[yaml.Node]", entries):
            # Constructing a document of one entry keeps its place in the file.
            yield Entry(f"line {each.start_mark.line + 1}", construct(each))
    except yaml.YAMLError as error:
        raise Unreadable(_yaml_reason(error)) from error
    except (ValueError, RecursionError) as error:
        raise Unreadable("a value in it is none that YAML knows.") from error
    finally:
        loader.dispose()


def _yaml_reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}."
    return "it is no YAML."


def _csv(text: str) -> Iterator[Entry]:
    lines = text.splitlines(keepends=True)
    # Spreadsheets part cells by what their language has left over.
    mark = max(",;\t", key=lines[0].count) if lines else ","
    rows = csv.DictReader(lines, delimiter=mark)
    try:
        for row in rows:
            where = f"line {rows.line_num}"
            # Cells beyond the head stand under the key None.
            if None in cast("dict[object, object]", row):
                yield Entry(where, broken="has more cells than the head of the table.")
            else:
                yield Entry(where, {key: cell or "" for key, cell in row.items()})
    except csv.Error as error:
        raise Unreadable(f"line {rows.line_num}: {error}.") from error
