"""Definitions that come with a question: `ASP = average sale price`."""

from __future__ import annotations

import re

_DEFINED = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9]{1,7})\b\s*(?:\((?P<long>[^)]{3,60})\))?\s*(?:=|:|means|is)\s*"
    r"(?P<rest>[^.\n=]{3,80})"
)
_ENDS = re.compile(
    r"\s+(?:in|within|for|during|over|of each|ordered|without|with|achieved|given|from"
    r"|to assess)\b.*"
    r"|[,;(/].*|\s+(?:[A-Z][A-Z0-9]{1,7})\b.*",
    re.DOTALL,
)
_OPENS = re.compile(r"^(?:calculate|compute|find|the|a|an|define|mean of)\s+", re.IGNORECASE)


def with_definitions(question: str, hint: str) -> str:
    """Write abbreviations of the question in full, as the hint defines them."""
    for found in _DEFINED.finditer(hint):
        meaning = found["long"] or _plain(found["rest"])
        if meaning:
            question = re.sub(rf"\b{re.escape(found['name'])}\b", lambda _, m=meaning: m, question)
    return question


def _plain(text: str) -> str:
    text = _ENDS.sub("", text.strip())
    while (shorter := _OPENS.sub("", text)) != text:
        text = shorter
    return text if any(char.isalpha() for char in text) and not re.search(r"[*/+]|\d", text) else ""
