"""Words of questions and of names, brought to one form."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

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


# Words of business that stand for each other in questions and names.
_SYNONYMS = (
    "revenue sale amount turnover total income price",
    "customer client buyer account user member",
    "order purchase transaction sale",
    "product item article good",
    "employee staff worker person",
    "salary wage pay compensation",
    "company firm organization business vendor supplier",
    "date day time month year created",
    "country nation region state city location place",
    "cost expense spend",
    "visit session view event",
    "cancel refund return churn",
    "category type class kind group segment",
)


def words_of(text: str) -> list[str]:
    """Split a name or a sentence (snake_case, camelCase, any script) into words of one form."""
    return [stem(piece.casefold()) for piece in _PIECES.findall(_without_accents(text))]


def asked_words(question: str) -> list[str]:
    """Return the words of a question that can name something, each once, in order."""
    pieces = (piece.casefold() for piece in _PIECES.findall(_without_accents(question)))
    return list(dict.fromkeys(stem(each) for each in pieces if each not in _COMMON))


def synonyms_of(word: str) -> frozenset[str]:
    """Return the words (in their one form) that may stand for this one, without itself."""
    return _synonyms().get(word, frozenset())


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _SYNONYMS:
        group = {stem(word) for word in line.split()}
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in found.items()}


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(each for each in normalize("NFKD", text) if not combining(each))


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
