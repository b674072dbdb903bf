"""What stands behind a figure: its period, and what narrows it."""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_TAIL = re.compile(
    r",?\s+(?=(?:(?:for|in|during|since|before|after|until|among|where|from|between|this|last)\b"
    r"(?! (?:each|every)\b)"
    r"|[QH][1-4]\b|(?:19|20)\d\d\b"
    rf"|{_MONTH} (?:(?:to|until|through|and|-) )?(?:{_MONTH} )?\d{{4}}\b"
    r"|(?:the )?(?:first|second|third|fourth|last) (?:quarter|half)\b))",
    re.IGNORECASE,
)
_SPAN = re.compile(rf"{_MONTH} (?:to|until|through|-) {_MONTH}\b", re.IGNORECASE)


def parted(text: str) -> tuple[str, str]:
    """Part a figure from the period and the filters that follow it."""
    found = _TAIL.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])


def with_its_word(tail: str) -> str:
    """Return a period with the word that tells it from a name: `July to May 2025`, `2025`."""
    if _SPAN.match(tail):
        return f"from {tail}"
    return f"in {tail}" if tail[:1].isdigit() else tail
