"""Reasoning that a model writes into its text, between tags, taken out as the text comes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPENS = tuple(f"<{name}>" for name in _NAMES)
_CLOSES = tuple(f"</{name}>" for name in _NAMES)
_OPEN = re.compile("|".join(_OPENS), re.IGNORECASE)
_CLOSE = re.compile("|".join(_CLOSES), re.IGNORECASE)
_LONGEST = max(map(len, _CLOSES))


@dataclass(slots=True)
class WithoutThoughts:
    """Takes text in pieces and gives what is no reasoning; tags may be cut between two pieces.

    What is not closed is reasoning to the end.
    """

    _held: str = ""
    _thinks: bool = False
    _spoke: bool = False
    _has_thought: bool = False

    def take(self, piece: str) -> str:
        """Return what may be shown now."""
        if not self._held and not self._thinks and "<" not in piece:
            return self._shown(piece)
        text, self._held = self._held + piece, ""
        shown: list[str] = []
        while text:
            found = (_CLOSE if self._thinks else _OPEN).search(text)
            if found is None:
                break
            if not self._thinks:
                shown.append(text[: found.start()])
            self._thinks = not self._thinks
            self._has_thought = True
            text = text[found.end() :]
        kept = _beginning_of_a_tag(text, _CLOSES if self._thinks else _OPENS)
        self._held = text[len(text) - kept :]
        if not self._thinks:
            shown.append(text[: len(text) - kept])
        return self._shown("".join(shown))

    def rest(self) -> str:
        """Return what was held back, when nothing more comes."""
        held, self._held = self._held, ""
        return "" if self._thinks else self._shown(held)

    def _shown(self, text: str) -> str:
        """Return the text, without the blanks between reasoning and the first word."""
        if self._has_thought and not self._spoke:
            text = text.lstrip()
        self._spoke = self._spoke or bool(text)
        return text


def after_thoughts(text: str) -> str:
    """Return what comes after reasoning whose opening tag was never sent."""
    ends = [found.end() for found in _CLOSE.finditer(text)]
    return text[ends[-1] :].lstrip() if ends else text


def _beginning_of_a_tag(text: str, tags: tuple[str, ...]) -> int:
    """Return how many characters at the end may be the beginning of a tag."""
    start = text.rfind("<", max(len(text) - _LONGEST, 0))
    if start < 0:
        return 0
    tail = text[start:].lower()
    return len(tail) if any(tag.startswith(tail) for tag in tags) else 0
