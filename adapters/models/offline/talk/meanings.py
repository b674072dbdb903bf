"""Meanings of a word as a person is asked about them, and what settles which of them is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from adapters.models.offline.form.slots import Option
from adapters.models.offline.reading.keywords import KEYWORDS
from adapters.models.offline.reading.lemmas import singular, stem
from adapters.models.offline.talk.moves import Ask, ask
from adapters.models.offline.talk.situation import Situation

CLARIFY = "ask_clarification"
_LONGEST_QUESTION, _LONGEST_OPTION, _LONGEST_COMMENT = 500, 75, 90
_KNOWN = re.compile(r"# What is known from before\n.*?<data>\n(?P<text>.*?)\n</data>", re.DOTALL)

_MEANS = re.compile(r"[:=]|\b(?:means?|is|are)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """What a word of a question may be, the likeliest first."""

    word: str
    options: tuple[Option, ...]

    @property
    def question(self) -> str:
        comments = [
            f"{name_of(option)}: {_cut(comment)}"
            for option in self.options
            if option.column is not None and (comment := " ".join(option.column.comment.split()))
        ]
        said = f" ({'; '.join(comments)})" if len(comments) > 1 else ""
        return f"Which {self.plain} do you mean?{said}"[:_LONGEST_QUESTION]

    @property
    def plain(self) -> str:
        """Return the word as a sentence has it: values keep their capital letters."""
        return self.word if any(each.value for each in self.options) else self.word.lower()

    def asked(self) -> Ask:
        """Return the call that asks a person."""
        return ask(CLARIFY, question=self.question, options=[label_of(o) for o in self.options])

    def answer(self, situation: Situation) -> str:
        """Return what was said to the question; "" where it was not asked."""
        question = self.question
        said = [each for each in situation.answers_of(CLARIFY) if each.text("question") == question]
        return said[-1].finding.partition(": ")[2].strip() or said[-1].finding if said else ""

    def named_by(self, answer: str) -> Option | None:
        """Return what an answer means: an option, or one that its words rather fit than others."""
        same = [each for each in self.options if label_of(each).lower() in answer.lower()]
        if same:
            return same[0]
        words = stems(answer)
        shared = [len(words & stems(label_of(each))) for each in self.options]
        most = max(shared)
        fitting = [each for each, n in zip(self.options, shared, strict=True) if n == most]
        if most and len(fitting) == 1:
            return fitting[0]
        return self.described_by(answer)

    def described_by(self, text: str) -> Option | None:
        """Return the one column whose maker writes of it what a text says besides."""
        said = stems(text) - stems(self.word)
        described = [described_words(option) & said for option in self.options]
        telling = [
            option
            for at, option in enumerate(self.options)
            if described[at] - set().union(*(e for n, e in enumerate(described) if n != at))
        ]
        return telling[0] if len(telling) == 1 else None

    def settled_by(self, situation: Situation) -> Option | None:
        """Return what the question's own words say, or a line of what is known from before."""
        return self.described_by(situation.question) or self._known(situation.system)

    def _known(self, system: str) -> Option | None:
        """Return the meaning that a line such as `price: the list price` gives the word."""
        found = _KNOWN.search(system)
        for line in found["text"].splitlines() if found is not None else ():
            term, *meaning = _MEANS.split(line, maxsplit=1)
            words = stems(" ".join(meaning))
            named = [each for each in self.options if stems(name_of(each)) <= words]
            if stems(self.word) <= stems(term) and len(named) == 1:
                return named[0]
        return None

    def taken(self, chosen: Option) -> str:
        """Return the assumption that a reader is told."""
        other = next(each for each in self.options if each is not chosen)
        return f"{self.plain} is taken as {label_of(chosen)}, not as {label_of(other)}"


def label_of(option: Option) -> str:
    """Return a meaning as a person chooses it: `list price (products)`."""
    table = plain(option.table.name)
    label = table if option.column is None else f"{name_of(option)} ({table})"
    return label[:_LONGEST_OPTION]


def name_of(option: Option) -> str:
    """Return a meaning by name: a column, with the value that it holds where one is meant."""
    if option.column is None:
        return plain(option.table.name)
    return f"{option.value} as {option.column.label}" if option.value else option.column.label


def described_words(option: Option) -> set[str]:
    """Return the words of a column's comment and name that say something of it."""
    words = re.findall(r"[^\W\d_]{4,}", _written(option))
    return stems(" ".join(word for word in words if (word,) not in KEYWORDS))


def all_words(option: Option) -> set[str]:
    """Return every word of a column's comment and name."""
    return stems(_written(option))


def _written(option: Option) -> str:
    column = option.column
    return f"{column.comment} {column.label}".lower() if column is not None else ""


def stems(text: str, *, shortest: int = 1) -> set[str]:
    words: Iterable[str] = re.findall(r"[^\W_]+", text.lower())
    return {stem(singular(word)) for word in words if len(word) >= shortest}


def plain(name: str) -> str:
    return name.rsplit(".", 1)[-1].replace("_", " ").lower()


def _cut(comment: str) -> str:
    short = comment if len(comment) <= _LONGEST_COMMENT else comment[: _LONGEST_COMMENT - 1] + "…"
    return short.rstrip(".")
