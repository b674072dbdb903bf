"""The words that shape a question, whatever it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from adapters.models.offline.reading.lemmas import verb_forms
from adapters.models.offline.reading.word_lists import words_in


class Role(StrEnum):
    """What a word does in a question; the argument says which of its kind it is."""

    ASK = "ask"
    WHICH = "which"
    COUNT = "count"
    HOW_MUCH = "how_much"
    AGGREGATE = "aggregate"
    DISTINCT = "distinct"
    BE = "be"
    HAVE = "have"
    DO = "do"
    NOT = "not"
    WITHOUT = "without"
    RELATIVE = "relative"
    WHOSE = "whose"
    PREPOSITION = "preposition"
    OF = "of"
    AND = "and"
    OR = "or"
    BUT = "but"
    BOTH = "both"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"
    COMPARE = "compare"
    THAN = "than"
    BETWEEN = "between"
    MATCH = "match"
    NAMED = "named"
    EXTREME = "extreme"
    FREQUENT = "frequent"
    TOP = "top"
    EACH = "each"
    BY = "by"
    SORT = "sort"
    DIRECTION = "direction"
    DIFFERENCE = "difference"
    ADD_UP = "add_up"
    RATIO = "ratio"
    PERCENT = "percent"
    TO = "to"
    OUT_OF = "out_of"
    GRAIN = "grain"
    RELATIVE_TIME = "relative_time"
    BOUND = "bound"
    OR_MORE = "or_more"
    ALL = "all"
    DETAILS = "details"
    POSSESSIVE = "possessive"
    TIMES = "times"
    SHARED = "shared"
    FILL = "fill"
    ONLY = "only"
    EMPTY = "empty"
    SIGN = "sign"
    GROW = "grow"
    CHART = "chart"
    ALPHABETIC = "alphabetic"
    PER_UNIT = "per_unit"
    ROUND = "round"
    DURATION = "duration"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Keyword:
    """`initial` keywords count only where a sentence or a clause begins."""

    role: Role
    argument: str = ""
    initial: bool = False


_LINES = (Path(__file__).parent / "keywords.txt").read_text(encoding="utf-8")


def _parse() -> dict[tuple[str, ...], tuple[Keyword, ...]]:
    found: dict[tuple[str, ...], list[Keyword]] = {}
    for line in _LINES.strip().splitlines():
        head, phrases = line.split(": ", 1)
        role, argument = head.split("/", 1)
        initial = argument == "initial" or role == "ask"
        keyword = Keyword(Role(role), "" if argument == "initial" else argument, initial=initial)
        for phrase in phrases.split("|"):
            found.setdefault(tuple(phrase.split()), []).append(keyword)
    return {phrase: tuple(keywords) for phrase, keywords in found.items()}


KEYWORDS = _parse()
LONGEST_PHRASE = max(len(phrase) for phrase in KEYWORDS)
# Words that glue a clause together and say nothing that the data could know.
_GLUE_VERBS = words_in("glue_verbs")
_NOUNS = words_in("verbal_nouns")


def keywords_at(words: Sequence[str], at: int, length: int) -> tuple[Keyword, ...]:
    """Return what the phrase of so many words does; empty where it is no keyword."""
    phrase = tuple(words[at : at + length])
    return KEYWORDS.get(phrase, ()) if len(phrase) == length else ()


def is_glue_verb(word: str) -> bool:
    """Say whether a word is a form of a verb that only joins; nouns made of verbs are none."""
    return word not in _NOUNS and any(form in _GLUE_VERBS for form in verb_forms(word))
