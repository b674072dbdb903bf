"""Numbers written as words."""

from __future__ import annotations

_SMALL = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
_LARGE = {
    "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1_000,
    "dozen": 12, "couple": 2, "single": 1, "once": 1, "twice": 2, "half": 0.5,
}  # fmt: skip
_ORDINALS = {
    word: value
    for value, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
        ],
        start=1,
    )
}


def cardinal(word: str) -> float | None:
    """Return what a lower-case word counts, None where it counts nothing."""
    value = _SMALL.get(word, _LARGE.get(word))
    return None if value is None else float(value)


def ordinal(word: str) -> int | None:
    return _ORDINALS.get(word)
