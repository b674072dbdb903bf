"""What a column is good for, read from its name, its type and some of its cells."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

from core.domain.table import Cell, ColumnKind

_DATE_LIKE = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])"
    r"(-(0[1-9]|[12]\d|3[01])([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?)?)?"
)
_NUMBER = re.compile(
    r"(u?(tiny|small|medium|big|huge)?int(eger)?\d*|(small|big)?serial\d*"
    r"|(unsigned )?(big|long) ?int|int\d|numeric|decimal|number|dec|fixed"
    r"|real|float\d*|double( precision)?|(small)?money)( unsigned| signed)?"
)
_BY_TYPE = (
    (
        re.compile(
            r".*\[\d*\]$|json|xml|(tiny|medium|long)?blob|bytea|(var)?binary|struct|map|union|hstore"
            r"|tsvector|array|geometry|geography|vector"
        ),
        ColumnKind.TEXT,
    ),
    (re.compile(r"date|timestamp"), ColumnKind.TIME),
    (re.compile(r"interval"), ColumnKind.MEASURE),
)
_LONG_TEXT = re.compile(r"(tiny|medium|long)?(text|clob|string)")
_TEXT = re.compile(r".*(char|text|clob|string|enum|set|name)")
_SIZE = re.compile(r"\(\s*(\d+)")
_CODES = frozenset(
    {"id", "ids", "key", "uid", "uuid", "guid", "pk", "fk", "code", "zip", "zipcode", "postcode"}
    | {"phone", "fax", "sku", "isbn", "ean", "ssn", "iban"}
    | {"latitude", "longitude", "lat", "lon", "lng"}
)
_NUMBERED = frozenset({"number", "no", "nr"})
_CALENDAR = frozenset({"year", "month", "quarter", "week", "weekday", "day", "hour", "dow", "doy"})
_FLAG = re.compile(r"(is|has|was|can|should)_\w+")
# What MySQL makes of BOOLEAN.
_FLAGS = {"tinyint(1)": "boolean", "bit(1)": "boolean"}
_LONG = 60.0
_VERY_LONG = 250
_SHORT_TYPE = 255


def looks_like_a_date(text: str) -> bool:
    """Say whether a text is an ISO 8601 date, month or moment."""
    return _DATE_LIKE.fullmatch(text.strip()) is not None


def kind_of(
    name: str, type_word: str, *, is_key: bool = False, cells: Sequence[Cell] = ()
) -> ColumnKind:
    """Return the kind of a column; without a type its cells decide.

    Numbers that name a thing rather than count it (keys, codes, years, flags) are dimensions.
    """
    word = _FLAGS.get(type_word.casefold(), _plain(type_word))
    known = tuple(cell for cell in cells if cell is not None)
    if not word:
        return _kind_of_cells(name, known, is_key=is_key)
    if _NUMBER.fullmatch(word):
        return _kind_of_number(name, known, is_key=is_key)
    by_type = next((kind for pattern, kind in _BY_TYPE if pattern.match(word)), None)
    if by_type is None and _TEXT.match(word):
        return _kind_of_text(word, type_word, known)
    return by_type or ColumnKind.DIMENSION


def kind_of_stored(
    name: str, type_word: str, *, is_key: bool, cells: Sequence[Cell] = ()
) -> ColumnKind:
    """Return the kind of a table's column; one that holds nothing but 0 and 1 is a flag."""
    known = {cell for cell in cells if isinstance(cell, int | float | str)}
    if known == {0, 1}:
        return ColumnKind.DIMENSION
    return kind_of(name, type_word, is_key=is_key, cells=cells)


def _plain(type_word: str) -> str:
    return " ".join(re.sub(r"\([^)]*\)", " ", type_word.casefold()).split())


def _kind_of_number(name: str, cells: Sequence[Cell], *, is_key: bool) -> ColumnKind:
    if is_key or _names_a_thing(name):
        return ColumnKind.DIMENSION
    if cells and all(isinstance(cell, str) for cell in cells):
        # SQLite takes text in a column declared as a number.
        return _kind_of_cells(name, cells, is_key=False)
    return ColumnKind.MEASURE


@lru_cache(maxsize=4_096)
def _names_a_thing(name: str) -> bool:
    snake = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).casefold()
    *before, last = re.split(r"[_\W]+", snake.strip("_"))
    return (
        last in _CODES
        or (last in _NUMBERED and bool(before))
        or (last in _CALENDAR and "per" not in before)
        or _FLAG.fullmatch(snake) is not None
    )


def _kind_of_text(word: str, type_word: str, cells: Sequence[Cell]) -> ColumnKind:
    texts = [cell for cell in cells if isinstance(cell, str)]
    if texts:
        return _kind_of_cells("", texts, is_key=False)
    size = _SIZE.search(type_word)
    too_long = int(size.group(1)) > _SHORT_TYPE if size else False
    is_long = too_long or _LONG_TEXT.fullmatch(word) is not None
    return ColumnKind.TEXT if is_long else ColumnKind.DIMENSION


def _kind_of_cells(name: str, cells: Sequence[Cell], *, is_key: bool) -> ColumnKind:
    if cells and all(isinstance(cell, date) for cell in cells):
        return ColumnKind.TIME
    if cells and all(isinstance(cell, int | float | Decimal) for cell in cells):
        flags = all(isinstance(cell, bool) for cell in cells)
        return ColumnKind.DIMENSION if flags else _kind_of_number(name, cells, is_key=is_key)
    return _kind_of_texts([cell for cell in cells if isinstance(cell, str)], len(cells))


def _kind_of_texts(texts: Sequence[str], cells: int) -> ColumnKind:
    if not cells:
        return ColumnKind.DIMENSION
    if len(texts) == cells and all(map(looks_like_a_date, texts)):
        return ColumnKind.TIME
    lengths = [len(text) for text in texts]
    is_long = max(lengths, default=0) > _VERY_LONG or sum(lengths) > _LONG * len(lengths)
    return ColumnKind.TEXT if is_long or not texts else ColumnKind.DIMENSION
