"""Reads stretches of a figure: `by price band`, `in steps of 500`, `under 10, 10 to 50`."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.operands import read_number
from adapters.models.offline.sketch.reader import (
    Reader,
    is_name,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Band,
    Field,
    Measure,
    Mention,
    Stretch,
    Term,
)
from adapters.models.offline.world.lexicon import Meaning

_BANDS = frozenset(
    {"band", "bucket", "bracket", "range", "interval", "bin", "group", "class", "segment", "step"}
)
_SPREADS = frozenset({"distribution", "histogram", "spread"})


def read_band(r: Reader) -> Band | None:
    """Read what stands behind `by`: `price band`, `age groups of 10 years`, `bands of price`."""
    at = r.cursor.at
    band = _named_first(r) or _bands_of(r) or _with_stretches(r)
    if band is None:
        r.cursor.at = at
        return None
    return replace(band, width=_width(r) or band.width)


def _named_first(r: Reader) -> Band | None:
    width = _wide(r)
    chunk, owner = r.cursor.peek(), None
    if names_table(chunk) and _is_band(r.cursor.peek(2)):
        owner = r.mention(r.cursor.take())
        chunk = r.cursor.peek()
    if chunk is None or not _may_part(chunk):
        return None
    follows = r.cursor.peek(1)
    whole = len(chunk.tokens) > 1 and chunk.tokens[-1].lemma in _BANDS
    if whole or not (_is_band(follows) or (width and r.cursor.peek(1) is None)):
        return None
    mention = replace(r.mention(r.cursor.take()), near=owner)
    if _is_band(r.cursor.peek()):
        r.cursor.take()
    return Band(_figures_of(mention), width=width)


def _bands_of(r: Reader) -> Band | None:
    width = _wide(r)
    if not _is_band(r.cursor.peek()) or r.cursor.role(Role.OF, 1) is None:
        return None
    r.cursor.take()
    r.cursor.skip(Role.OF)
    chunk = r.cursor.peek()
    if chunk is None or not _may_part(chunk):
        return None
    return Band(_figures_of(r.mention(r.cursor.take())), width=width)


def _wide(r: Reader) -> float:
    """Take `10-year` before a band."""
    chunk, follows = r.cursor.peek(), r.cursor.peek(1)
    if chunk is None or chunk.number is None or follows is None or follows.number is not None:
        return 0.0
    width = max(read_number(r) or 0.0, 0.0)
    _unit(r)
    return width


def _width(r: Reader) -> float:
    """Read `of 500`, `in steps of 10 years` behind a band."""
    at = r.cursor.at
    r.cursor.accept(Role.PREPOSITION)
    if _is_band(r.cursor.peek()):
        r.cursor.take()
    if r.cursor.accept(Role.OF) is None:
        r.cursor.at = at
        return 0.0
    width = read_number(r)
    if not width or width <= 0:
        r.cursor.at = at
        return 0.0
    _unit(r)
    return width


def _unit(r: Reader) -> None:
    unit = r.cursor.peek()
    if unit is not None and unit.tokens[0].lemma in {"year", "day", "month", "each"}:
        r.cursor.take()


def _is_band(chunk: Chunk | None) -> bool:
    return chunk is not None and len(chunk.tokens) == 1 and chunk.tokens[0].lemma in _BANDS


def _may_part(chunk: Chunk) -> bool:
    return names_measure(chunk) and chunk.period is None and not names_table(chunk)


def _figures_of(mention: Mention) -> Mention:
    """Leave out what is no figure: a band is of one."""
    figures = tuple(m for m in mention.meanings if m.column is not None and m.column.is_measure)
    return replace(mention, meanings=figures)


def read_distribution(r: Reader) -> bool:
    """Read `distribution of order totals`: how many there are in each stretch."""
    chunk = r.cursor.peek()
    if chunk is None or chunk.text.lower() not in _SPREADS or r.cursor.role(Role.OF, 1) is None:
        return False
    r.cursor.take()
    r.cursor.skip(Role.OF)
    named = r.cursor.peek()
    if named is None or not _may_part(named):
        return False
    mention = _figures_of(r.mention(r.cursor.take()))
    tables = tuple(Meaning(m.table, None, m.score) for m in mention.meanings)
    rows = Mention(mention.text, mention.at, tables)
    r.sketch.groups.append(Band(replace(mention, near=rows)))
    r.show(Measure(Aggregate.COUNT, rows))
    r.see_table(rows)
    return True


def read_stretches(r: Reader) -> bool:
    """Read two or more stretches of one figure; each is a group of its own."""
    band = _with_stretches(r)
    if band is not None:
        r.sketch.groups.append(band)
    return band is not None


def _with_stretches(r: Reader) -> Band | None:
    at = r.cursor.at
    r.cursor.skip()
    term = _figure(r)
    found: list[Stretch] = []
    while term is not None and (stretch := _stretch(r)) is not None:
        found.append(stretch)
        _separator(r)
    if term is None or len(found) < 2 or not _are_apart(found):
        r.cursor.at = at
        return None
    if r.cursor.role(Role.AND, -1) or r.cursor.role(Role.COMMA, -1):
        r.cursor.at -= 1
    return Band(_figures_of(term), tuple(found))


def _figure(r: Reader) -> Mention | None:
    """Take the figure that stands before its stretches, or the last one that was named."""
    chunk = r.cursor.peek()
    if chunk is not None and is_name(chunk) and _may_part(chunk):
        mention = r.mention(r.cursor.take())
        while _links(r):
            r.cursor.take()
        return mention
    before: Term | None = r.term
    return before.mention if isinstance(before, Field) else None


def _links(r: Reader) -> bool:
    chunk = r.cursor.peek()
    if chunk is None:
        return False
    roles = (Role.BE, Role.OF, Role.COMMA, Role.OPEN, Role.FILL)
    return any(chunk.role(role) for role in roles) and chunk.number is None


def _separator(r: Reader) -> None:
    r.cursor.accept(Role.COMMA)
    r.cursor.accept(Role.AND, Role.OR)


def _stretch(r: Reader) -> Stretch | None:
    at = r.cursor.at
    found = _compared(r) or _between(r)
    if found is None:
        r.cursor.at = at
    return found


def _compared(r: Reader) -> Stretch | None:
    """Read `below 100`, `more than 1000`, and the `and above 1000` of a list."""
    keyword = r.cursor.role(Role.COMPARE) or r.cursor.role(Role.OR_MORE)
    if keyword is None or keyword.argument in {"=", "!="}:
        return None
    word = r.cursor.take().text.lower().removeprefix("and ").removeprefix("or ")
    r.cursor.skip(Role.THAN)
    value = read_number(r)
    if value is None:
        return None
    # "And above 1000" is written with the word that also means "or more".
    counts = keyword.argument.endswith("=") and keyword.role is Role.COMPARE
    words = f"{word} {value:,.15g}"
    if keyword.argument.startswith("<"):
        return Stretch(words, high=value, high_counts=counts)
    return Stretch(words, low=value, low_counts=counts)


def _between(r: Reader) -> Stretch | None:
    """Read `from 100 to 500`, `between 10 and 50`, `6-20`, `500 or more`."""
    between = r.cursor.accept(Role.BETWEEN) is not None
    chunk = r.cursor.peek()
    if not between and chunk is not None and chunk.text.lower() == "from":
        r.cursor.take()
    low = read_number(r)
    if low is None:
        return None
    keyword = r.cursor.accept(Role.OR_MORE)
    follows = r.cursor.peek()
    if keyword is not None and follows is not None and follows.number is not None:
        r.cursor.at -= 1
        keyword = None
    if keyword is not None:
        words = f"{low:,.15g} {'or more' if keyword.argument == '>=' else 'or less'}"
        return Stretch(words, low=low) if keyword.argument == ">=" else Stretch(words, high=low)
    joined = r.cursor.accept(Role.TO) or (between and r.cursor.accept(Role.AND))
    high = read_number(r)
    if high is None or high < low or (between and not joined):
        return None
    return Stretch(f"{low:,.15g} to {high:,.15g}", low, high)


def _are_apart(found: list[Stretch]) -> bool:
    """Say whether no figure but a bound lies in two of them."""
    inner = sorted((_low(each), _high(each)) for each in found)
    return all(high <= low for (_, high), (low, _) in pairwise(inner))


def _low(stretch: Stretch) -> float:
    return stretch.low if stretch.low is not None else float("-inf")


def _high(stretch: Stretch) -> float:
    return stretch.high if stretch.high is not None else float("inf")
