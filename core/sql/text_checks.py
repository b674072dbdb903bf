"""What is looked at before a statement is parsed: size, odd characters, text with two readings.

Engines disagree on where a literal or a comment ends. A statement that is one query to one engine
and hides another command to a second one is refused whatever the connection's engine is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from core.domain.query import Dialect
from core.sql.verdict import Refused

MAX_CHARACTERS = 100_000
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
_HALF_A_CHARACTER = re.compile(r"[\ud800-\udfff]")
_TRIGGERS = re.compile(r"\\['\"]|#|--(?=\S)|/\*|\$\w*\$")
_DOLLAR_TAG = re.compile(r"\$\w*\$")
_MOST_DOLLAR_TAGS = 100
_UNICODE_IDENTIFIER = re.compile(r"[uU]&\"")


def check_text(text: str, dialect: Dialect) -> None:
    """Refuse text that is too long, holds characters nobody types, or has two readings.

    Raises:
        Refused
    """
    if len(text) > MAX_CHARACTERS:
        raise Refused(
            "text.length",
            f"The statement has {len(text):,} characters, more than {MAX_CHARACTERS:,}. "
            "Filter with a join or a condition instead of long lists.",
        )
    _check_characters(text)
    if not text.isascii() or _TRIGGERS.search(text):
        own = _READINGS[dialect]
        _check_own_reading(text, own)
        _check_other_readings(text, own)


def _check_characters(text: str) -> None:
    odd = _CONTROL.search(text)
    if odd:
        raise Refused(
            "text.control-character",
            f"The statement holds the control character U+{ord(odd.group()[0]):04X}. "
            "Write plain text with blanks and line breaks only.",
        )
    if _HALF_A_CHARACTER.search(text):
        raise Refused(
            "text.half-a-character",
            "The statement holds half of a character (a lone surrogate). Write whole characters.",
        )
    if len(_DOLLAR_TAG.findall(text)) > _MOST_DOLLAR_TAGS:
        raise Refused(
            "text.dollar-quotes",
            f"More than {_MOST_DOLLAR_TAGS} dollar-quoted literals are not read. Use plain quotes.",
        )
    if _UNICODE_IDENTIFIER.search(text):
        raise Refused(
            "text.unicode-identifier",
            'Identifiers with escapes (U&"...") are not allowed. Write the name itself in quotes.',
        )


# Readings


@dataclass(frozen=True, slots=True)
class Reading:
    """How an engine takes text apart."""

    backslash: bool = False
    hash_comment: bool = False
    blank_after_dashes: bool = False
    dollar_quotes: bool = False
    e_strings: bool = False


_READINGS = {
    Dialect.POSTGRES: Reading(dollar_quotes=True, e_strings=True),
    Dialect.REDSHIFT: Reading(backslash=True, dollar_quotes=True),
    Dialect.MYSQL: Reading(backslash=True, hash_comment=True, blank_after_dashes=True),
    Dialect.SQLITE: Reading(),
    Dialect.DUCKDB: Reading(dollar_quotes=True, e_strings=True),
    Dialect.BIGQUERY: Reading(backslash=True, hash_comment=True),
    Dialect.SNOWFLAKE: Reading(backslash=True, dollar_quotes=True),
    Dialect.DATABRICKS: Reading(backslash=True),
    Dialect.SPARK: Reading(backslash=True),
    Dialect.CLICKHOUSE: Reading(backslash=True, hash_comment=True, dollar_quotes=True),
    Dialect.TRINO: Reading(),
    Dialect.TSQL: Reading(),
    Dialect.ORACLE: Reading(),
}


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str  # "code", "comment", "text" (literals and quoted names), "unclosed"
    text: str


def _check_own_reading(text: str, own: Reading) -> None:
    for piece in _pieces(text, own):
        if piece.kind == "comment":
            _check_comment(piece.text)
        elif piece.kind == "code":
            _check_code(piece.text, own)


def _check_code(code: str, own: Reading) -> None:
    if own.blank_after_dashes and "--" in code:
        # The parser takes `--x` for a comment, the server for two minus signs.
        raise Refused(
            "text.two-readings",
            "Two dashes need a blank after them to begin a comment, and one between them to be "
            "two minus signs.",
        )
    if not code.isascii():
        _check_code_characters(code)


def _check_comment(comment: str) -> None:
    if comment.startswith(("/*!", "/*M!")):
        raise Refused(
            "text.executable-comment",
            "A comment that begins with /*! is run by some servers. Leave it out.",
        )
    if comment.startswith("/*+"):
        raise Refused("text.hint", "Optimizer hints (/*+ ... */) are not allowed. Leave it out.")
    if comment.startswith("/*") and "/*" in comment[2:]:
        raise Refused(
            "text.nested-comment",
            "A comment inside a comment ends differently from server to server. Leave it out.",
        )
    if comment.startswith("#") or (comment.startswith("--") and not comment[2:3].isspace()):
        _check_comment_of_some(comment)


def _check_comment_of_some(comment: str) -> None:
    if re.search(r"[;(]", comment.rstrip("; \n")) or ";" in comment.strip()[:-1]:
        raise Refused(
            "text.two-readings",
            f"{comment.strip()[:40]!r} is a comment to some servers and code to others. Begin "
            "comments with two dashes and a blank, or leave them out.",
        )


def _check_code_characters(code: str) -> None:
    for character in code:
        if not character.isascii() and unicodedata.category(character)[0] not in "LMN":
            name = unicodedata.name(character, "a character without a name")
            raise Refused(
                "text.odd-character",
                f"U+{ord(character):04X} ({name}) stands outside of a literal. Use plain quotes, "
                "blanks and punctuation.",
            )


def _check_other_readings(text: str, own: Reading) -> None:
    for other in _others(text, own):
        if re.search(r";\s*[^\s;]", _code_of(text, other)):
            raise Refused(
                "text.two-readings",
                "Where a literal or comment of this statement ends depends on the server, and read "
                "otherwise it holds a second command. Double quotes inside literals ('it''s'), "
                "and begin comments with two dashes and a blank.",
            )


def _others(text: str, own: Reading) -> Iterator[Reading]:
    """Return the readings that can differ for this text."""
    both = (False, True)
    for reading in map(
        Reading,
        *zip(
            *product(
                both if "\\" in text else (own.backslash,),
                both if "#" in text else (own.hash_comment,),
                both if re.search(r"--\S", text) else (own.blank_after_dashes,),
                (True,) if "$" in text else (own.dollar_quotes,),
                both if re.search(r"[eE]'", text) else (own.e_strings,),
            ),
            strict=True,
        ),
    ):
        if reading != own:
            yield reading


def _code_of(text: str, reading: Reading) -> str:
    """Return what is neither literal nor comment; nothing where a literal never ends."""
    pieces = list(_pieces(text, reading))
    if any(piece.kind == "unclosed" for piece in pieces):
        return ""
    return "".join(piece.text if piece.kind == "code" else " " for piece in pieces)


def _pieces(text: str, reading: Reading) -> Iterator[_Piece]:
    pattern = _pattern(reading)
    at = 0
    for match in pattern.finditer(text):
        if match.start() > at:
            yield _Piece("code", text[at : match.start()])
        yield _Piece(match.lastgroup or "text", match.group())
        at = match.end()
    if at < len(text):
        yield _Piece("code", text[at:])


def _pattern(reading: Reading) -> re.Pattern[str]:
    found = _PATTERNS.get(reading)
    if found is None:
        found = _PATTERNS[reading] = re.compile("|".join(_alternatives(reading)), re.DOTALL)
    return found


_PATTERNS: dict[Reading, re.Pattern[str]] = {}


def _alternatives(reading: Reading) -> Iterator[str]:
    line = r"[^\n]*(?:\n|$)"
    dashes = r"--(?=\s|$)" if reading.blank_after_dashes else "--"
    comments = [rf"{dashes}{line}", r"/\*.*?(?:\*/|$)"]
    if reading.hash_comment:
        comments.append(rf"\#{line}")
    yield f"(?P<comment>{'|'.join(comments)})"
    if reading.dollar_quotes:
        yield r"(?P<dollar>\$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$)"
    inner = r"(?:\\.|''|[^'\\])*" if reading.backslash else r"(?:''|[^'])*"
    escaped = r"(?<![\w])[eE]'(?:\\.|''|[^'\\])*'|" if reading.e_strings else ""
    double = r'"(?:\\.|""|[^"\\])*"' if reading.backslash else r'"(?:""|[^"])*"'
    yield rf"(?P<text>{escaped}'{inner}'|{double}|`[^`]*`)"
    yield "(?P<unclosed>['\"`].*)"
