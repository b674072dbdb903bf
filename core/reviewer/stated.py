"""Computations that a text states itself: from 12 to 18 (+50 %), 12 of the 48, 25 % of the 48."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from core.reviewer.figures import Figure
from core.reviewer.sentences import clauses

_OF_THE = re.compile(
    r"[*_]*\s+of\s+(?:(?:all|the|its|their|these|those|a|total)\s+)*[$\u20ac\u00a3]?", re.IGNORECASE
)
_OPENING_OF = re.compile(r"[\s*-]*of (?:(?:all|the|our|your|its)\s+)*", re.IGNORECASE)
_BRACKET = re.compile(r"\s*\(\s*(?:about\s+|~)?", re.IGNORECASE)
_NEAREST = 3  # amounts before a figure that it may be computed from


def follows_from(figure: Figure, held: Sequence[Figure]) -> bool:
    """Say whether a percentage is the change from one amount beside it to another.

    `held` are figures of the same sentence that are known to be right.
    """
    if not figure.is_percent or figure.is_share:
        return False
    amounts = [each for each in held if _is_amount(each)]
    before = [each for each in amounts if each.start < figure.start][-_NEAREST:]
    after = [each for each in amounts if each.start > figure.start][:1]
    pairs = (*combinations(before, 2), *product(after, before))
    return any(
        _fits(figure, low, high) for one, other in pairs for low, high in _changes(one, other)
    )


def contradicts(figure: Figure, text: str, figures: Sequence[Figure]) -> bool:
    """Say whether a percentage of a stated whole is none of the parts that its clause states."""
    stated = _in_parentheses(figure, text, figures)
    if stated is not None:
        return not any(_fits(figure, low, high) for low, high in _shares(*stated))
    whole = next((each for each in figures if _is_its_whole(figure, each, text)), None)
    if whole is None:
        return False
    [span] = [each for each in clauses(text) if each[0] <= figure.start < each[1]]
    parts = [
        each
        for each in figures
        if _is_amount(each) and each is not whole and span[0] <= each.start < figure.start
    ]
    found = [bounds for part in parts for bounds in _shares(part, whole)]
    return bool(found) and not any(_fits(figure, low, high) for low, high in found)


def _in_parentheses(
    figure: Figure, text: str, figures: Sequence[Figure]
) -> tuple[Figure, Figure] | None:
    """Return the part and the whole of `of the 7,660 tickets, 4,540 (59%)`."""
    if not figure.is_percent or text[figure.end : figure.end + 1] != ")":
        return None
    before = [each for each in figures if _is_amount(each) and each.end <= figure.start]
    if not before or not _BRACKET.fullmatch(text, before[-1].end, figure.start):
        return None
    [span] = [each for each in clauses(text) if each[0] <= figure.start < each[1]]
    part, others = before[-1], before[:-1]
    wholes = [each for each in others if _OPENING_OF.fullmatch(text, span[0], each.start)]
    return (part, wholes[0]) if wholes else None


def _is_its_whole(figure: Figure, other: Figure, text: str) -> bool:
    if not figure.is_share or not _is_amount(other) or other.start < figure.end:
        return False
    return _OF_THE.fullmatch(text, figure.end, other.start) is not None


def _is_amount(figure: Figure) -> bool:
    return not figure.is_percent and not figure.is_ratio


def _fits(figure: Figure, low: float, high: float) -> bool:
    return any(
        low <= (value + tolerance) / 100 and (value - tolerance) / 100 <= high
        for value, tolerance in figure.readings
    )


Bounds = tuple[float, float]


def _shares(part: Figure, whole: Figure) -> Iterator[Bounds]:
    """Return between which bounds a share lies, as both of its amounts are rounded."""
    for (one, near_one), (all_, near_all) in product(part.readings, whole.readings):
        if one <= all_ and all_ > near_all:
            yield (one - near_one) / (all_ + near_all), (one + near_one) / (all_ - near_all)


def _changes(before: Figure, after: Figure) -> Iterator[Bounds]:
    """Return the bounds of growth, as a share without its sign."""
    for (one, near_one), (other, near_other) in product(before.readings, after.readings):
        if one > near_one:
            low = (other - near_other) / (one + near_one) - 1
            high = (other + near_other) / (one - near_one) - 1
            yield (low, high) if low >= 0 else (-high, -low)
