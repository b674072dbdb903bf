"""A question as words, numbers and quoted texts, in order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from adapters.models.offline.reading.lemmas import singular, stem
from adapters.models.offline.reading.numbers import cardinal

LONGEST_QUESTION = 2_000


class TokenKind(StrEnum):
    """What a token is made of."""

    WORD = "word"
    NUMBER = "number"
    QUOTED = "quoted"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as written, without quotes; `value` is set for numbers only."""

    kind: TokenKind
    text: str
    lower: str
    lemma: str
    stem: str
    value: float | None = None

    @property
    def capital(self) -> bool:
        return self.kind is TokenKind.WORD and self.text[:1].isupper()


_QUOTES = {'"': '"', "\u201c": "\u201d", "«": "»", "`": "`", "'": "'", "\u2018": "\u2019"}
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_PIECE = re.compile(
    r"""
    (?P<code>[A-Za-z]{1,4}\d[\w/]*(?:-\w+)*)                 # a code such as TR010 or A-17
  | (?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4})
  | (?P<number>(?<![\w)\].])[-\u2212]?[$€£]?\d[\d,]*(?:\.\d+)?|[$€£]?\d[\d,]*(?:\.\d+)?)
  | (?P<genitive>['\u2019]s\b|(?<=s)['\u2019](?=\s))
  | (?P<word>[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*)
  | (?P<mark><=|>=|!=|<>|[<>=%?!.;:,()/&+*])
    """,
    re.VERBOSE,
)
_SENTENCE_MARKS = frozenset(".?!;")


def tokenize(text: str) -> tuple[Token, ...]:
    """Part a question into tokens; underscores and hyphens part words, quotes keep them whole."""
    plain = unicodedata.normalize("NFC", text[:LONGEST_QUESTION])
    return tuple(_joined(_pieces(plain)))


def _pieces(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        quoted = _quoted_at(text, at)
        if quoted is not None:
            inner, at = quoted
            yield _token(TokenKind.QUOTED, inner)
            continue
        match = _PIECE.match(text, at)
        if match is None:
            at += 1
            continue
        yield from _read(match)
        at = match.end()


def _quoted_at(text: str, at: int) -> tuple[str, int] | None:
    """Return what stands in quotes here and where it ends; apostrophes inside words are none."""
    closing = _QUOTES.get(text[at])
    if closing is None or (at and text[at - 1].isalnum()):
        return None
    end = text.find(closing, at + 1)
    while end != -1 and closing in "'\u2019" and text[end + 1 : end + 2].isalnum():
        end = text.find(closing, end + 1)
    inner = text[at + 1 : end].strip() if end != -1 else ""
    return (inner, end + 1) if inner and len(inner) <= 120 else None


def _read(match: re.Match[str]) -> Iterator[Token]:
    text = match.group()
    match match.lastgroup:
        case "number":
            yield _number(text)
        case "genitive":
            yield _token(TokenKind.MARK, "'s")
        case "mark":
            yield _token(TokenKind.MARK, text)
        case "word":
            yield from (_token(TokenKind.WORD, each) for each in _without_contraction(text))
        case _:
            yield _token(TokenKind.WORD, text)


def _without_contraction(word: str) -> tuple[str, ...]:
    lower = word.lower().replace("\u2019", "'")
    if lower.endswith("n't"):
        return (word[:-3] or "do", "not")
    return (re.split("['\u2019](?=ve$|re$|ll$|d$|m$)", word)[0],)


def _number(text: str) -> Token:
    digits = text.replace("\u2212", "-").replace(",", "").rstrip(".")
    digits = re.sub(r"[$€£]", "", digits)
    return Token(TokenKind.NUMBER, digits, digits, digits, digits, float(digits))


def _token(kind: TokenKind, text: str) -> Token:
    lower = text.lower().replace("\u2019", "'") if kind is TokenKind.WORD else text.lower()
    if kind is not TokenKind.WORD:
        return Token(kind, text, lower, lower, lower)
    lemma = singular(lower)
    return Token(kind, text, lower, lemma, stem(lemma))


def _joined(pieces: Iterator[Token]) -> Iterator[Token]:
    """Multiply a number by the scale behind it: `3 million`, `30k`."""
    before: Token | None = None
    for piece in _counted(pieces):
        scale = _SCALES.get(piece.lower) if before and before.value is not None else None
        if before is not None and before.value is not None and scale:
            digits = f"{before.value * scale:.15g}"
            before = Token(TokenKind.NUMBER, digits, digits, digits, digits, before.value * scale)
            continue
        if before is not None:
            yield before
        before = piece
    if before is not None:
        yield before


def _counted(pieces: Iterator[Token]) -> Iterator[Token]:
    """Write a number word before a scale as a number: `two million`, `a hundred thousand`."""
    held: Token | None = None
    for piece in pieces:
        is_scale = piece.lower in _SCALES and len(piece.lower) > 2
        if held is not None and (is_scale or piece.lower == "hundred"):
            held = held if held.value is not None else _number(f"{cardinal(held.lower) or 1:g}")
            if piece.lower == "hundred":
                held = _number(f"{(held.value or 1) * 100:.15g}")
                continue
        if held is not None:
            yield held
        held = piece if _counts(piece) else None
        if held is None:
            yield piece
    if held is not None:
        yield held


def _counts(piece: Token) -> bool:
    word = piece.kind is TokenKind.WORD and (
        piece.lower == "a" or cardinal(piece.lower) is not None
    )
    return word and piece.lower not in {"once", "twice", "single", "couple", "half"}


def ends_sentence(token: Token) -> bool:
    return token.kind is TokenKind.MARK and token.text in _SENTENCE_MARKS
