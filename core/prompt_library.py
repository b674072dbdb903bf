"""Loads the texts of prompts/ and fills their placeholders; what is missing shows at start."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from core.domain.errors import SettingsInvalid
from core.domain.query import Dialect

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")

PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "system": frozenset(
        {
            *("connection", "dialect", "dialect_notes", "description", "today", "weekday"),
            *("tables", "tables_shown", "tables_known", "memory", "guidance"),
        }
    ),
    "attached": frozenset({"files"}),
    "memory": frozenset({"memory"}),
    "intent": frozenset({"connection", "dialect", "today", "tables", "memory"}),
    "planner": frozenset(
        {"connection", "dialect", "today", "most_tasks", "tools", "tables", "memory"}
    ),
    "planner_again": frozenset({"failed", "reason", "done", "waiting"}),
    "planner_inputs": frozenset({"inputs"}),
    "planner_answer": frozenset({"findings"}),
    "nudge_empty": frozenset(),
    "nudge_figures": frozenset({"figures"}),
    "last_step": frozenset({"reason"}),
    "one_at_a_time": frozenset(),
    "unsettled": frozenset({"readings"}),
    "settled": frozenset({"readings"}),
    "special_tools": frozenset({"tools"}),
    "correction": frozenset({"words", "names", "tables"}),
}


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """Every text by its name: `system`, `families/time`, `dialects/sqlite`."""

    texts: Mapping[str, str]

    def fill(self, name: str, **values: str) -> str:
        """Return a text with its placeholders filled, each once: values are never read again."""
        text = self.texts[name]
        return _filled(text, tuple(values.items())) if values else text

    def family(self, family: str) -> str:
        return self.texts[f"families/{family}"]

    def dialect(self, dialect: Dialect) -> str:
        """Return what to mind in an engine's SQL; empty where nothing is written down."""
        return self.texts.get(f"dialects/{dialect}", "")


@lru_cache(maxsize=32)
def _filled(text: str, values: tuple[tuple[str, str], ...]) -> str:
    """Fill a text; runs that are told the same share it, and hold it once."""
    by_name = dict(values)
    # Every second piece is a placeholder's name.
    return "".join(by_name[each] if at % 2 else each for at, each in enumerate(_pieces(text)))


@lru_cache(maxsize=128)
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(_PLACEHOLDER.split(text))


def load(*, families: Iterable[str], root: Traversable | None = None) -> PromptLibrary:
    """Read all texts and hold them against what the code fills in.

    Raises:
        SettingsInvalid: a text is missing or empty, or has other placeholders than it should;
            the message names the file.
    """
    folder = root or files("prompts")
    expected = {
        **PLACEHOLDERS,
        **{f"families/{family}": frozenset[str]() for family in families},
        **{f"dialects/{name}": frozenset[str]() for name in _names_in(folder / "dialects")},
    }
    return PromptLibrary({name: _read(folder, name, has) for name, has in expected.items()})


def _names_in(folder: Traversable) -> list[str]:
    if not folder.is_dir():
        return []
    return [file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")]


def _read(folder: Traversable, name: str, expected: frozenset[str]) -> str:
    file = folder.joinpath(f"{name}.md")
    if not file.is_file():
        raise SettingsInvalid(f"prompts/{name}.md is missing; put it back.")
    text = file.read_text(encoding="utf-8").strip("\n")
    found = frozenset(_PLACEHOLDER.findall(text))
    if not text.strip():
        raise SettingsInvalid(f"prompts/{name}.md is empty; put its text back.")
    if found != expected:
        wrong = ", ".join(sorted(found ^ expected))
        raise SettingsInvalid(
            f"prompts/{name}.md should have the placeholders"
            f" {sorted(expected)}; missing or unknown: {wrong}."
        )
    return text
