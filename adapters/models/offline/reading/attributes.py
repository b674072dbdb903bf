"""Adjectives that stand for a figure: `older than` is about age, `cheapest` about price."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Attribute:
    """`names` are what the figure may be called, the likeliest first.

    `descending` says that more of the adjective is more of the figure. `inverse` are names of
    figures that run the other way: the older, the earlier born. `degree` is "", "er" or "est".
    """

    names: tuple[str, ...]
    inverse: tuple[str, ...]
    descending: bool
    degree: str


# adjective : names of the figure : names of figures that run the other way
_ADJECTIVES = (Path(__file__).parent / "attributes.txt").read_text(encoding="utf-8")
_OPPOSITES = {
    "young": "old", "short": "tall", "light": "heavy", "small": "large", "cheap": "expensive",
    "poor": "rich", "slow": "fast", "shallow": "deep", "narrow": "wide", "low": "high",
    "tiny": "large", "weak": "strong", "cold": "hot", "near": "far", "close": "far",
}  # fmt: skip
# Degrees that are words of their own elsewhere, or need a figure named beside them.
_PLAIN = frozenset({"high", "low", "large", "big", "small", "weak", "strong"})


@lru_cache(maxsize=1)
def _forms() -> dict[str, Attribute]:
    forms: dict[str, Attribute] = {}
    for line in _ADJECTIVES.strip().splitlines():
        word, names, inverse = line.split(":")
        figures = tuple(names.split(","))
        others = tuple(each for each in inverse.split(",") if each)
        words = [(word, True)]
        words += [(other, False) for other, base in _OPPOSITES.items() if base == word]
        for adjective, more in words:
            for form, degree in _degrees(adjective):
                forms[form] = Attribute(figures, others, more, degree)
    return forms


def _degrees(word: str) -> tuple[tuple[str, str], ...]:
    if len(word) > 7 or word in {"costly", "dense"}:
        return ((word, ""),)
    base = word[:-1] if word.endswith("e") else word
    base = base[:-1] + "i" if base.endswith("y") else base
    base = base + base[-1] if word in {"big", "hot"} else base
    return ((word, ""), (base + "er", "er"), (base + "est", "est"))


def attribute_of(word: str) -> Attribute | None:
    """Return what an adjective measures, None where it measures nothing that is known."""
    attribute = _forms().get(word)
    if attribute is None or (attribute.degree and _base_is_plain(word)):
        return None
    return attribute


def _base_is_plain(word: str) -> bool:
    return any(word in {form for form, _ in _degrees(plain)} for plain in _PLAIN)
