"""Comparisons in words: twice as much, doubled, a third of the total."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.reviewer.figures import Figure

_TIMES = {
    "twice": 2.0,
    "double": 2.0,
    "two times": 2.0,
    "triple": 3.0,
    "three times": 3.0,
    "four times": 4.0,
    "five times": 5.0,
    "ten times": 10.0,
    "half": 0.5,
}
_BECAME = {"doubled": 2.0, "tripled": 3.0, "quadrupled": 4.0, "halved": 0.5}
_PARTS = {
    "half": 1 / 2,
    "a third": 1 / 3,
    "one third": 1 / 3,
    "a quarter": 1 / 4,
    "one quarter": 1 / 4,
    "a fifth": 1 / 5,
    "one fifth": 1 / 5,
    "two thirds": 2 / 3,
    "three quarters": 3 / 4,
}
_NUMBERS = dict(
    zip(("two", "three", "four", "five", "six", "ten"), (2, 3, 4, 5, 6, 10), strict=True)
)
_RATIOS = _TIMES | _BECAME | _PARTS
# Most texts have none of these words, and looking for one word is much faster than for a form.
_WORDS = frozenset((*(written.split()[-1] for written in _RATIOS), "times", "x ", "\u00d7", " in "))
_OF_ANOTHER = (
    r"(?=\s+(?:as\s+(?:much|many|high|large|big|often|long|far|fast)\b|that\s+of\b|those\s+of\b"
    r"|the\s+\w+\s+of\b|(?:more|higher|larger|bigger|greater)\b))"
)
_SPOKEN = re.compile(
    rf"\b(?:(?P<times>{'|'.join(_TIMES)}){_OF_ANOTHER}"
    rf"|(?P<many>\d+(?:\.\d+)?)(?:\s?[x\u00d7]|\s+times){_OF_ANOTHER}"
    rf"|(?P<one>one|1)\s+(?:in|out\s+of)\s+(?:every\s+)?(?P<of>{'|'.join(_NUMBERS)}|\d{{1,2}})\b(?!%)"
    rf"|(?P<became>{'|'.join(_BECAME)})\b"
    # "Half of 2025" and "a quarter of the year" are periods.
    rf"|(?<!first )(?<!second )(?<!last )(?<!other )(?P<part>{'|'.join(_PARTS)})"
    r"(?=\s+of\s+(?!(?:the|a|that|this)\s+(?:year|month|week|day|period)\b|\d{4}\b|\w+\s+\d{4}\b)))",
    re.IGNORECASE,
)
_MORE = re.compile(r"(?:more|better)\s+than\s+$|\b(?:over|at least|beyond)\s+$", re.IGNORECASE)
_LESS = re.compile(
    r"less\s+than\s+$|\b(?:under|up to|not even|nearly|almost|just under)\s+$", re.IGNORECASE
)
_ROUGH = 0.1  # of the ratio itself
_SLACK = 0.03  # what "more than twice" may lack
_MORE_AT_MOST, _LESS_AT_LEAST = 1.6, 0.6


def ratios_in_words(text: str) -> Iterator[Figure]:
    """Return what words say of two amounts, as a ratio with the room that such words have."""
    folded = text.lower()
    if not any(word in folded for word in _WORDS):
        return
    for found in _SPOKEN.finditer(text):
        ratio, room = _ratio(found, before=text[max(found.start() - 15, 0) : found.start()])
        yield Figure(
            written=found[0],
            readings=((ratio, room),),
            is_percent=False,
            start=found.start(),
            end=found.end(),
            is_ratio=True,
        )


def _ratio(found: re.Match[str], *, before: str) -> tuple[float, float]:
    """Return the middle and the half width of what is meant."""
    if found["one"]:
        said = found["of"].lower()
        ratio = 1 / (_NUMBERS[said] if said in _NUMBERS else max(int(said), 1))
    else:
        ratio = float(found["many"]) if found["many"] else _RATIOS[found[0].lower()]
    least = ratio * (_LESS_AT_LEAST if _LESS.search(before) else 1 - _ROUGH)
    most = ratio * (_MORE_AT_MOST if _MORE.search(before) else 1 + _ROUGH)
    if _MORE.search(before):
        least = ratio * (1 - _SLACK)
    elif _LESS.search(before):
        most = ratio * (1 + _SLACK)
    return (least + most) / 2, (most - least) / 2
