"""Reads what is to be shown, and the names that say whose it is or what it belongs to."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.literals import value_here
from adapters.models.offline.sketch.pending import pending_here
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_flag,
    is_name,
    is_participle,
    names_column,
    names_table,
)
from adapters.models.offline.sketch.sketch import Bucket, Field, Flag, Mention, Missing, Related
from adapters.models.offline.sketch.terms import (
    aggregate_at,
    counted_by,
    read_mention,
    read_owner_of_items,
    read_terms,
    state_of,
)

_GRAINS = frozenset({"year", "month", "quarter", "week"})
_FIGURES = (Role.AGGREGATE, Role.COUNT, Role.DETAILS)


def read_items(r: Reader) -> bool:
    """Read something to show; inside a condition, a name is what the rows belong to."""
    chunk = r.cursor.peek()
    if chunk is None or value_here(r):
        return False
    if any(chunk.role(role) for role in _FIGURES) or aggregate_at(r):
        return _show_terms(r)
    if chunk.text.lower() in {"number", "count"} and (ranked := counted_by(r)) is not None:
        r.cursor.take()
        r.show(ranked)
        return True
    if is_name(chunk):
        return _owned_by(r, chunk) or _belongs(r) or _shown_name(r, chunk)
    return chunk.role(Role.DISTINCT) is not None and _show_terms(r)


def _unlisted(r: Reader) -> bool:
    """Say whether a name only says more of what was listed: no comma or `and` goes before it."""
    return bool(r.sketch.items) and not r.listing


def _owned_by(r: Reader, chunk: Chunk) -> bool:
    """Read the table of `of the youngest pet`: the items before belong to it."""
    loose = _unlisted(r) and bool(r.listed) and r.zone is Zone.SELECT and not _is_verb(chunk)
    if not names_table(chunk) or not (r.owning or loose):
        return False
    r.owning = False
    mention = read_mention(r)
    if mention is not None:
        r.own(mention)
    return mention is not None


def _is_verb(chunk: Chunk) -> bool:
    """Say whether a phrase is rather a verb: `published`, `professors teach`."""
    token = chunk.tokens[0]
    return is_participle(chunk) or (chunk.is_glue and token.lower == token.lemma)


def _belongs(r: Reader) -> bool:
    if r.zone is Zone.SELECT and not _unlisted(r):
        return False
    r.zone = Zone.FILTER
    return _belonging(r)


def _shown_name(r: Reader, chunk: Chunk) -> bool:
    return _whose_rows(r) or _asks_for_period(r, chunk) or _show_terms(r)


def _show_terms(r: Reader) -> bool:
    terms = read_terms(r)
    if not terms:
        return False
    for term in terms:
        r.show(term)
    mention = getattr(terms[-1], "mention", None)
    if isinstance(mention, Mention) and mention.table_score >= max(mention.column_score, 0.6):
        r.see_table(mention)
    read_owner_of_items(r)
    return True


def _asks_for_period(r: Reader, chunk: Chunk) -> bool:
    """Read `in which year`, where the year is a part of a date."""
    grain = chunk.tokens[0].lemma
    best = chunk.meanings[0] if chunk.meanings else None
    plain = best is not None and best.column is not None and best.column.is_time
    if len(chunk.tokens) > 1 or grain not in _GRAINS or not plain:
        return False
    r.cursor.take()
    r.show(Bucket(Grain(grain)))
    return True


def _whose_rows(r: Reader) -> bool:
    """Read `which author's books`: the author is asked for."""
    asked, after = r.cursor.role(Role.WHICH, -1), r.cursor.peek(2)
    if not asked or not r.cursor.role(Role.POSSESSIVE, 1) or not names_table(after):
        return False
    mention = r.mention(r.cursor.take())
    r.see_table(mention)
    r.show(Field(mention))
    r.cursor.take()
    r.table = r.mention(r.cursor.take())
    r.zone = Zone.FILTER
    return True


def _state(r: Reader, mention: Mention) -> Missing | None:
    """Read `subscriptions are active`, where a date says so and no flag of that table does."""
    table = r.table or r.sketch.subject
    if table is None:
        return None
    names = {m.table.name for m in table.meanings if m.column is None}
    if any(m.table.name in names for m in mention.meanings):
        return None
    return state_of(r, mention, names)


def _belonging(r: Reader) -> bool:
    """Read a name inside a condition: rows of that table exist, or it says what is meant next."""
    chunk = r.cursor.peek()
    if chunk is None:
        return False
    mention = read_mention(r)
    if mention is None:
        return False
    r.verb = mention
    if is_participle(chunk):
        r.event = mention
    if is_flag(mention):
        r.add(_state(r, mention) or Flag(mention))
    else:
        _belongs_there(r, chunk, mention)
    return True


def _belongs_there(r: Reader, chunk: Chunk, mention: Mention) -> None:
    if names_table(chunk) and mention.table_score >= mention.column_score:
        if r.sketch.subject is None and not r.sketch.items:
            r.see_table(mention)
        else:
            r.table = mention
            r.add(Related(mention, by_verb=_is_verb(chunk)))
    elif names_column(chunk):
        r.before_value = mention
        r.term = Field(mention)
        r.pending.append(pending_here(r, chunk, mention))
