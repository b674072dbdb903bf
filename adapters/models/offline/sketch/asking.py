"""Reads the words that ask, list and join: `what is`, `show me`, `and`, `both`."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_name,
    is_participle,
    names_column,
    names_table,
)
from adapters.models.offline.sketch.sketch import Bucket, Field


def read_ask(r: Reader) -> bool:
    """Read `list`, `what is`, `how many`: what follows is to be shown."""
    if _period_asked_for(r):
        return True
    if _asks(r):
        keyword = r.cursor.role(Role.WHICH)
        r.sketch.which = keyword is not None and not r.cursor.role(Role.BE, 1)
        asked = r.cursor.peek()
        one = r.cursor.role(Role.BE, 1) is not None
        r.sketch.what = one and asked is not None and asked.text.lower() == "what"
        r.cursor.take()
        r.cursor.skip(Role.BE)
        r.zone, r.listing = Zone.SELECT, True
        r.restart_items()
        _person(r)
        return True
    return False


_PERIODS = {grain.value: grain for grain in Grain}


def _period_asked_for(r: Reader) -> bool:
    """Read `which month had …`, `on which day …`: periods are what the answer tells apart."""
    at = r.cursor.at
    r.cursor.accept(Role.PREPOSITION)
    chunk, keyword = r.cursor.peek(1), r.cursor.role(Role.WHICH)
    grain = _PERIODS.get(chunk.text.lower()) if chunk is not None else None
    column = chunk is not None and names_column(chunk) and not _is_a_time(chunk)
    if keyword is None or keyword.argument or grain is None or column or r.sketch.items:
        r.cursor.at = at
        return False
    r.cursor.at += 2
    r.sketch.groups.append(Bucket(grain))
    r.zone = Zone.FILTER
    return True


def _is_a_time(chunk: Chunk) -> bool:
    column = chunk.meanings[0].column if chunk.meanings else None
    return column is not None and column.is_time


def _person(r: Reader) -> None:
    """Read `who wrote …`: people are asked for, of a kind that the verb will tell."""
    asked, chunk = r.cursor.role(Role.WHICH, -1), r.cursor.peek()
    if asked is None or asked.argument != "person" or chunk is None or r.sketch.items:
        return
    verb = chunk.is_glue or is_participle(chunk) or chunk.role(Role.HAVE)
    named = names_table(chunk) and chunk.tokens[0].lemma in chunk.meanings[0].table.words
    if verb and not named:
        mention = r.people(chunk.start - 1)
        r.see_table(mention)
        r.show(Field(mention))
        r.listing = False


def _asks(r: Reader) -> bool:
    """Say whether a question word asks here; after a noun, `which` and `who` only narrow it."""
    chunk, before = r.cursor.peek(), r.cursor.peek(-1)
    if chunk is None:
        return False
    if chunk.role(Role.ASK):
        return before is None or not is_name(chunk)
    if not chunk.role(Role.WHICH):
        return False
    begins = before is None or before.role(Role.COMMA) or before.role(Role.AND)
    return begins is not None or chunk.text.lower() == "what"


def read_joining(r: Reader) -> bool:
    """Read `and`, `or`, `both`, commas and brackets."""
    chunk = r.cursor.peek()
    if chunk is None or is_name(chunk):
        return False
    if r.cursor.accept(Role.BOTH):
        r.both = len(r.sketch.conditions)
        return True
    if r.cursor.accept(Role.OR):
        r.either = bool(r.sketch.conditions)
        return True
    r.listing = True
    if r.cursor.accept(Role.AND, Role.BUT, Role.COMMA, Role.OPEN, Role.CLOSE):
        more = r.cursor.peek()
        owned = more is not None and more.text.lower() in {"their", "its", "his", "her"}
        ends = r.cursor.peek(1)
        alone = names_column(more) and not names_table(more) and (ends is None or ends.ends)
        if (owned or alone or not r.narrowing) and r.zone is Zone.FILTER:
            r.zone = Zone.SELECT
        return True
    return False
