"""Reads what belongs together: `who have a dog`, `without orders`, `named 'x'`, `in Spain`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.dating import leave_out
from adapters.models.offline.sketch.defined import read_without
from adapters.models.offline.sketch.literals import end_before, read_value, value_here
from adapters.models.offline.sketch.operands import is_value, year_of
from adapters.models.offline.sketch.reader import (
    TABLE_ENOUGH,
    Reader,
    Zone,
    is_name,
    is_participle,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Condition,
    Dated,
    Flag,
    Holds,
    Mention,
    Missing,
    Not,
    Related,
)
from adapters.models.offline.sketch.terms import read_mention
from adapters.models.offline.world.lexicon import Meaning

_SINCE = frozenset({"since", "after", "afterwards", "later", "anymore"})
_THEN = frozenset({"that", "then"})
RestOfClause = Callable[[Reader, Mention], tuple[Condition, ...]]


def read_relation(r: Reader, rest: RestOfClause) -> bool:
    return _without(r, rest) or _negation(r, rest) or _named(r) or read_value(r) or _clause_word(r)


def _clause_word(r: Reader) -> bool:
    """Pass over a word that begins a clause; what follows narrows what came before."""
    chunk = r.cursor.peek()
    if chunk is None:
        return False
    begins = (
        Role.DO,
        Role.RELATIVE,
        Role.WHOSE,
        Role.HAVE,
        Role.PREPOSITION,
        Role.OF,
        Role.BE,
        Role.SHARED,
    )
    if not any(chunk.role(role) for role in begins):
        return False
    if chunk.role(Role.SHARED):
        r.sketch.common = True
    opens = (Role.RELATIVE, Role.WHOSE, Role.HAVE, Role.PREPOSITION, Role.SHARED)
    r.owning = (chunk.role(Role.OF) or chunk.role(Role.SHARED)) is not None
    if chunk.role(Role.DO) and r.listed:
        r.owning, r.zone = True, Zone.FILTER
    if any(chunk.role(role) for role in opens) and (r.sketch.subject or r.sketch.items):
        r.zone = Zone.FILTER
        r.narrowing = r.narrowing or chunk.role(Role.PREPOSITION) is None
        if chunk.role(Role.RELATIVE) or chunk.role(Role.WHOSE):
            r.listed.clear()
    if chunk.role(Role.BE) and r.sketch.items:
        r.zone = Zone.FILTER
    r.cursor.take()
    return True


def _without(r: Reader, rest: RestOfClause) -> bool:
    """Read `without orders`, `without a phone number`, `excluding Spain`."""
    at = r.cursor.at
    if r.cursor.accept(Role.WITHOUT) is None:
        return False
    r.cursor.skip()
    r.zone = Zone.FILTER
    if read_without(r):
        return True
    chunk = r.cursor.peek()
    if chunk is not None and chunk.period is not None and leave_out(r, chunk.period):
        r.cursor.take()
        return True
    if is_value(chunk):
        r.negated = True
        return read_value(r)
    mention = read_mention(r)
    if mention is None:
        r.cursor.at = at
        return False
    if mention.table_score >= mention.column_score:
        r.add(Related(mention, rest(r, mention), negated=True))
    else:
        r.add(Missing(mention))
    return True


def _negation(r: Reader, rest: RestOfClause) -> bool:
    """Read `do not have a cat`, `is not 'x'`, `not open`."""
    at = r.cursor.at
    contrast = r.cursor.role(Role.BUT, -1) is not None and bool(r.sketch.conditions)
    r.cursor.skip(Role.BE)
    having = r.cursor.accept(Role.HAVE) is not None or contrast
    r.cursor.skip()
    said = r.cursor.peek()
    if said is None or r.cursor.accept(Role.NOT) is None:
        r.cursor.at = at
        return False
    ended = "longer" in said.text.lower()
    r.zone = Zone.FILTER
    having = r.cursor.accept(Role.HAVE) is not None or having
    r.cursor.skip(Role.BE, Role.HAVE, Role.PREPOSITION, Role.TO, Role.BY, Role.ALL)
    having = _skip_glue(r) or having
    if r.cursor.role(Role.COMPARE) and r.cursor.peek(1) is not None:
        r.negated = True
        return True
    if read_without(r) or (contrast and _at_another_time(r)):
        return True
    if value_here(r) and not having:
        r.negated = True
        return read_value(r)
    gone = _no_longer(r) if ended else None
    related = gone or _related(r, rest)
    if related is None and having and r.sketch.subject is not None:
        # "products that were never sold": there are no rows that belong to them.
        rows = r.belonging_to(r.sketch.subject)
        related = Related(rows, rest(r, rows), negated=True)
    if related is None:
        r.cursor.at = at
        return False
    r.add(related)
    return True


def _no_longer(r: Reader) -> Condition | None:
    """Read `no longer sold`, `no longer run`: a flag of the rows says so, or that they ended."""
    subject = r.table or r.sketch.subject
    meanings = subject.meanings if subject is not None else ()
    names = {m.table.name for m in meanings if m.column is None}
    columns = [
        Meaning(table, column, 1.0)
        for table in r.lexicon.schema.tables
        if table.name in names
        for column in table.columns
    ]
    for word, truth in (("offered", False), ("withdrawn", True)):
        flags = tuple(m for m in columns if _is_called(m, word) and _is_flag(m))
        if len(flags) == 1:
            return Flag(Mention(word, r.cursor.at, flags), truth=truth)
    days = tuple(m for m in columns if _is_called(m, "ends") and _may_be_empty(m))
    return Missing(Mention("end", r.cursor.at, days), truth=False) if len(days) == 1 else None


def _is_called(meaning: Meaning, words: str) -> bool:
    return meaning.column is not None and bool(words_in(words) & set(meaning.column.words))


def _is_flag(meaning: Meaning) -> bool:
    return meaning.column is not None and meaning.column.is_boolean


def _may_be_empty(meaning: Meaning) -> bool:
    column = meaning.column
    return column is not None and column.is_time and column.nullable


def _at_another_time(r: Reader) -> bool:
    """Read `but not in 2025`: what happened before did not happen then."""
    chunk = r.cursor.peek()
    related = [each for each in r.sketch.conditions if isinstance(each, Related)]
    dated = [each for each in r.sketch.conditions if isinstance(each, Dated)]
    period = (chunk.period or year_of(chunk)) if chunk is not None and not chunk.quoted else None
    period = period or _ever_since(r, dated)
    if period is None:
        return False
    r.cursor.take()
    mention = related[-1].mention if related else (dated[-1].mention if dated else None)
    then = Dated(period, "in", mention)
    happened = mention is not None and bool(mention.meanings)
    r.add(Related(mention, (then,), negated=True) if mention and happened else Not(then))
    return True


def _ever_since(r: Reader, dated: Sequence[Dated]) -> Period | None:
    """Read `but not since`, `but not after that`: all the time after the period before."""
    chunk, follows = r.cursor.peek(), r.cursor.peek(1)
    if chunk is None or chunk.text.lower() not in _SINCE or not dated:
        return None
    if follows is not None and follows.text.lower() in _THEN:
        r.cursor.take()
    elif follows is not None and not follows.ends:
        return None
    end = (dated[-1].until or dated[-1].period).end
    return replace(dated[-1].period, text="since then", start=end, end=None) if end else None


def _skip_glue(r: Reader) -> bool:
    at = r.cursor.at
    while (chunk := r.cursor.peek()) is not None and _only_joins(chunk) and not is_name(chunk):
        r.cursor.take()
        r.cursor.skip(Role.PREPOSITION, Role.BY, Role.EACH)
    return r.cursor.at > at


def _only_joins(chunk: Chunk) -> bool:
    verb = not chunk.known and chunk.text.lower().endswith(("ed", "ing"))
    return chunk.is_glue or verb


def _related(r: Reader, rest: RestOfClause) -> Condition | None:
    """Read what is not there: a table's rows, with the values that narrow them, or a flag."""
    mention, conditions = _what_is_not(r)
    if mention is None and not conditions:
        return None
    if mention is not None and not conditions and _happens_elsewhere(r, mention):
        tables = tuple(m for m in mention.meanings if m.score == mention.best)
        rows = tuple(replace(m, column=None) for m in tables)
        return Related(replace(mention, meanings=rows), rest(r, mention), negated=True)
    if mention is not None and not conditions and _is_column(r, mention):
        return _without_column(mention)
    own = _day_of_its_own(r, mention) if mention is not None and not conditions else None
    if own is not None:
        return Missing(own)
    target = mention or Mention("", 0, ())
    conditions.extend(rest(r, target))
    return Related(target, tuple(conditions), negated=True)


def _day_of_its_own(r: Reader, mention: Mention) -> Mention | None:
    """Read `refunds that were not refunded`: no rows of others, but a day that is not there."""
    subject = r.sketch.subject
    if subject is None or not subject.meanings or not is_participle(r.cursor.peek(-1)):
        return None
    own = {m.table.name for m in subject.meanings if m.column is None and m.score > TABLE_ENOUGH}
    best = mention.meanings[0].table.name if mention.meanings else ""
    days = tuple(
        m
        for m in mention.meanings
        if m.table.name == best and m.column is not None and m.column.is_time and m.column.nullable
    )
    return replace(mention, meanings=days) if best in own and days else None


def _what_is_not(r: Reader) -> tuple[Mention | None, list[Condition]]:
    conditions: list[Condition] = []
    mention: Mention | None = None
    while (chunk := r.cursor.peek()) is not None:
        r.cursor.skip()
        if value_here(r):
            end = end_before(r)
            conditions.append(Holds(replace(r.literal(r.cursor.take()), end=end)))
        elif is_name(r.cursor.peek()):
            mention = _further(mention, read_mention(r))
        elif mention is not None and _linking(r):
            continue
        else:
            break
        if r.cursor.peek() is chunk:
            break
    return mention, conditions


def _is_column(r: Reader, mention: Mention) -> bool:
    return mention.table_score < mention.column_score and not _is_of_others(r, mention)


def _is_of_others(r: Reader, mention: Mention) -> bool:
    """Say whether a verb is of another table: `listings that were never viewed` have no viewing."""
    if mention.table_score < TABLE_ENOUGH or r.sketch.subject is None:
        return False
    own = {m.table.name for m in r.sketch.subject.meanings if m.column is None}
    return not any(m.table.name in own for m in mention.meanings)


def _happens_elsewhere(r: Reader, mention: Mention) -> bool:
    """Say whether a day is of other rows: of customers who never ordered there is no order."""
    subject = r.sketch.subject
    best = mention.meanings[0].column if mention.meanings else None
    if subject is None or best is None or not best.is_time:
        return False
    own = {m.table.name for m in subject.meanings if m.column is None}
    return not any(m.table.name in own for m in mention.meanings)


def _further(before: Mention | None, now: Mention | None) -> Mention | None:
    if before is None or now is None:
        return now or before
    return now if now.table_score > before.table_score else before


def _linking(r: Reader) -> bool:
    """Pass over `in`, `of` between the parts of what is not there, if more of it follows."""
    follows = r.cursor.peek(1)
    if not (r.cursor.role(Role.PREPOSITION) or r.cursor.role(Role.OF)):
        return False
    if not (is_value(follows) or names_table(follows)):
        return False
    r.cursor.take()
    return True


def _without_column(mention: Mention) -> Condition:
    flags = [m for m in mention.meanings if m.column is not None and m.column.is_boolean]
    return Flag(mention, truth=False) if flags else Missing(mention)


def _named(r: Reader) -> bool:
    """Read `named 'x'`, `called x`."""
    if r.cursor.role(Role.NAMED) is None:
        return False
    at = r.cursor.at
    r.cursor.take()
    r.cursor.skip(Role.BE)
    chunk = r.cursor.peek()
    if chunk is None or not (chunk.quoted or chunk.found or chunk.tokens[0].capital):
        r.cursor.at = at
        return False
    r.add(Holds(r.literal(r.cursor.take()), r.name_of(r.table)))
    return True
