"""How near two words are in meaning."""

from __future__ import annotations

from functools import lru_cache

from adapters.models.offline.reading.lemmas import related, stem
from adapters.models.offline.reading.synonyms import synonyms

_EXACT, _RELATED, _SYNONYM, _FAR = 1.0, 0.9, 0.82, 0.75


@lru_cache(maxsize=50_000)
def likeness(word: str, other: str) -> float:
    """Say how near two words are: 1 is the same, 0 is nothing in common."""
    if word == other:
        return _EXACT
    if other in synonyms(word) or word in synonyms(other):
        return _SYNONYM
    mine, its = stem(word), stem(other)
    if related(mine, its):
        return _RELATED
    near = {stem(each) for each in synonyms(word)} | {stem(each) for each in synonyms(mine)}
    return _FAR if its in near else 0.0
