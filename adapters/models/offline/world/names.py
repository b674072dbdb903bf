"""Names of tables and columns as the words they are made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

from adapters.models.offline.reading.lemmas import singular
from adapters.models.offline.reading.word_lists import words_in

_ABBREVIATIONS = dict(
    line.split(": ", 1)
    for line in (Path(__file__).parent / "abbreviations.txt")
    .read_text(encoding="utf-8")
    .splitlines()
)

# Words that names are often glued together from, to part `pettype` and `birthdate`.
_GLUED = words_in("glued")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+|[^\W\d_]+")
_STOP = frozenset(
    {"of", "the", "in", "is", "has", "a", "an", "by", "for", "to", "at", "ref", "tbl"}
)
_NO_IDS = words_in("no_ids")
_INITIALS = {"f": "first", "l": "last", "m": "middle"}
# Endings that say in what a figure is counted, not what it is.
UNITS = words_in("units")


def words_of(name: str, vocabulary: Collection[str] = frozenset()) -> tuple[str, ...]:
    """Return the words of an identifier: lower case, singular, abbreviations written out.

    `vocabulary` are words of the same schema, which help to part names written without a sign.
    """
    raw = _without_prefix(tuple(piece.lower() for piece in _CAMEL.findall(name)))
    pieces = tuple(_with_initials(raw))
    known = frozenset(vocabulary)
    long = [word for piece in pieces for part in _parted(piece, known) for word in _whole(part)]
    lemmas = tuple(singular(word) for word in long)
    # `to_airport` is the other end of `from_airport`; elsewhere `to` says nothing.
    meaning = tuple(w for at, w in enumerate(lemmas) if w not in _STOP or (w == "to" and not at))
    return meaning or lemmas or (name.lower(),)


def plain_words(names: Iterable[str]) -> frozenset[str]:
    """Return the words that names show by a sign or a capital letter between them."""
    pieces = (piece.lower() for name in names for piece in _CAMEL.findall(name))
    return frozenset(word for piece in pieces for word in (piece, singular(piece)) if len(word) > 2)


def _without_prefix(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """Drop what only says that this is a table of codes, a view or a dimension."""
    prefixed = len(pieces) > 1 and pieces[0] in {"ref", "tbl", "dim", "fact", "vw", "lkp"}
    return pieces[1:] if prefixed else pieces


def _with_initials(pieces: tuple[str, ...]) -> Iterable[str]:
    for at, piece in enumerate(pieces):
        before_name = pieces[at + 1 : at + 2] == ("name",)
        yield _INITIALS.get(piece, piece) if before_name else piece


def _whole(part: str) -> tuple[str, ...]:
    return tuple(_ABBREVIATIONS.get(part, part).split())


def _with_id(piece: str) -> tuple[str, ...] | None:
    """Part `pid` and `uid`, where so short a name ends in id."""
    short = 3 <= len(piece) <= 5 and piece.endswith("id") and piece not in _NO_IDS
    return (piece, "id") if short else None


def _parted(piece: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """Part a glued word; a word that is known as a whole stays whole."""
    if (with_id := _with_id(piece)) is not None:
        return with_id
    if piece in _ABBREVIATIONS or piece in _GLUED or len(piece) < 5:
        return (piece,)
    if singular(piece) in _GLUED:
        return (piece,)
    return _split(piece, vocabulary - {piece, singular(piece)}) or (piece,)


@lru_cache(maxsize=20_000)
def _split(piece: str, vocabulary: frozenset[str]) -> tuple[str, ...] | None:
    """Return the fewest known words that make up the piece, None where there are none."""
    best: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(1, len(piece) + 1):
        for start in range(max(0, end - 15), end):
            before = best.get(start)
            word = piece[start:end]
            suffix = start > 0 and word == "ship"  # membership, ownership
            if before is None or suffix or not _is_known(word, vocabulary):
                continue
            if end not in best or len(before) + 1 < len(best[end]):
                best[end] = (*before, word)
    found = best.get(len(piece))
    return found if found and _is_likely(found) else None


def _is_known(word: str, vocabulary: frozenset[str]) -> bool:
    if len(word) < 3:
        return word in {"id", "no"}
    return word in _GLUED or word in vocabulary or (word in _ABBREVIATIONS and len(word) == 3)


def _is_likely(parts: tuple[str, ...]) -> bool:
    short = sum(len(part) < 4 for part in parts)
    return len(parts) <= 3 and (short <= 1 or parts[-1:] in (("id",), ("no",)))
