"""Names that were meant, when the one that was given does not exist."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str], *, at_most: int = 5) -> tuple[str, ...]:
    """Return the known names most like `name`, best first, whatever the letter case."""
    by_folded = {each.casefold(): each for each in known}
    folded = name.casefold()
    close = get_close_matches(folded, by_folded, n=at_most, cutoff=0.5)
    parts = [each for each in by_folded if folded in each or each in folded]
    return tuple(by_folded[each] for each in dict.fromkeys((*close, *parts)))[:at_most]


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no `what` of that name, and which there are."""
    names = tuple(known)
    meant = nearest(name, names) or names[:10]
    if not meant:
        return f"There is no {what} {name!r}, and none at all to read."
    return f"There is no {what} {name!r}. The nearest: {', '.join(meant)}."


def singular(word: str) -> str:
    """Return the name of one of several: regions is region, categories category."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
