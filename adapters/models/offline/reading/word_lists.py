"""Sets of words that are too long for code, kept in a text file beside it."""

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    text = (Path(__file__).parent / "word_lists.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line and not line.startswith("#"):
            found[name].extend(line.split())
    return {name: frozenset(words) for name, words in found.items()}


def words_in(name: str) -> frozenset[str]:
    """Return the set of that name.

    Raises:
        KeyError: there is none.
    """
    return _lists()[name]
