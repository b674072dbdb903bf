"""Words of questions and of names, brought to one form."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECES = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_VOWELS = frozenset("aeiou")

# What no vowel rule finds: shortenings that keep vowels, or that stand for another word.
_SHORT_FOR = {
    "no": "number",
    "nr": "number",
    "num": "number",
    "nbr": "number",
    "dt": "date",
    "ts": "time",
    "tm": "time",
    "yr": "year",
    "mo": "month",
    "mth": "month",
    "wk": "week",
    "hr": "hour",
    "id": "identifier",
    "pk": "identifier",
    "uid": "user",
    "usr": "user",
    "addr": "address",
    "avg": "average",
    "desc": "description",
    "dim": "dimension",
    "emp": "employee",
    "fname": "name",
    "lname": "name",
    "loc": "location",
    "mgr": "manager",
    "msg": "message",
    "org": "organization",
    "pct": "percent",
    "perc": "percent",
    "po": "purchase",
    "qty": "quantity",
    "sku": "product",
    "tel": "phone",
    "temp": "temperature",
    "trx": "transaction",
    "txn": "transaction",
    "whs": "warehouse",
}

# Words of questions that say nothing about which table is meant.
_COMMON_WORDS = """
a about all an and any are as at be been between by can could did do does each every few
for from get give had has have how i in is it its last list many me most much my of on
only or our over per please show so some than that the their them then there these they
this those to top total up us was we were what when where which who whose why will with
would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def words_of(text: str) -> list[str]:
    """Split a name or a sentence (snake_case, camelCase, any script) into words of one form."""
    return [stem(piece.casefold()) for piece in _PIECES.findall(text)]


def asked_words(question: str) -> list[str]:
    """Return the words of a question that can name something, each once, in order."""
    pieces = (piece.casefold() for piece in _PIECES.findall(question))
    return list(dict.fromkeys(stem(each) for each in pieces if each not in _COMMON))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Bring plural and past to the plain form, and shortenings to the word they stand for."""
    word = _SHORT_FOR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return stem(word[:-1])
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return _without_double_end(word.removesuffix(ending))
    return word.removesuffix("e") if len(word) > 5 else word


def _without_double_end(word: str) -> str:
    doubled = word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word.removesuffix("e")


def is_shortened(word: str) -> bool:
    """Say whether a word looks like one without its vowels: `cstmr`, `amt`."""
    return len(word) >= 2 and word.isascii() and word.isalpha() and not _VOWELS & set(word[1:])


def could_mean(short: str, word: str) -> bool:
    """Say whether `short` is `word` with letters left out, beginning alike."""
    if len(short) >= len(word) or short[0] != word[0]:
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)
