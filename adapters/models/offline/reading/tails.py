"""What stands behind a figure: its period, and what narrows it."""

from __future__ import annotations

import re

_TAIL = re.compile(
    r"\s+(?=(?:for|in|during|since|before|after|until|among|where|from|between|this|last)\b"
    r"(?! (?:each|every)\b))",
    re.IGNORECASE,
)


def parted(text: str) -> tuple[str, str]:
    """Part a figure from the period and the filters that follow it."""
    found = _TAIL.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])
