"""Reads `for each`, `by` and what follows them."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.bands import read_band
from adapters.models.offline.sketch.operands import is_value
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_name,
    is_participle,
    names_measure,
    names_table,
    with_near,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Bucket,
    Field,
    Measure,
    Mention,
    Missing,
    OrderKey,
    Term,
)
from adapters.models.offline.sketch.sorting import read_sort
from adapters.models.offline.sketch.terms import read_mention, read_terms
from adapters.models.offline.world.roles import ADDED_UP

_GRAINS = {grain.value: grain for grain in Grain}
_NAMED = 0.9


def read_grouping(r: Reader) -> bool:
    return _each(r) or _grain(r) or _by(r) or read_sort(r)


def _each(r: Reader) -> bool:
    """Read `for each city and state`."""
    at = r.cursor.at
    r.cursor.accept(Role.PREPOSITION, Role.OF)
    if r.cursor.accept(Role.EACH) is None:
        r.cursor.at = at
        return False
    r.cursor.skip(Role.OF, Role.DISTINCT)
    if _reckoned_per(r):
        return True
    if not _group_list(r, owns=True) and not _each_of_these(r):
        r.cursor.at = at
        return False
    return True


def _reckoned_per(r: Reader) -> bool:
    """Read `revenue per customer by tier`, `average revenue per customer`: the figure of one."""
    per, chunk, by = r.cursor.peek(-1), r.cursor.peek(), r.cursor.peek(1)
    said = per is not None and per.text.lower() == "per"
    grouped = by is not None and by.text.lower() == "by"
    if not said or not names_table(chunk) or not (grouped or _averages_sums(r)):
        return False
    r.sketch.each = r.mention(r.cursor.take())
    return True


def _averages_sums(r: Reader) -> bool:
    """Say whether `average revenue` was read, which is no average of the rows that hold it."""
    last = r.sketch.items[-1] if r.sketch.items else None
    if not isinstance(last, Measure) or last.mention is None or r.sketch.groups:
        return False
    return last.aggregate is Aggregate.AVG and last.mention.text.lower().split()[-1] in ADDED_UP


def _each_of_these(r: Reader) -> bool:
    """Read `in each` at the end: of what was listed before."""
    chunk = r.cursor.peek()
    names = [item for item in r.sketch.items if isinstance(item, Field)]
    if (chunk is not None and not chunk.ends) or not names:
        return False
    r.sketch.groups.extend(names)
    return True


def _group_list(r: Reader, *, owns: bool = False) -> bool:
    """Read one or more names to group by."""
    found = False
    while True:
        at = r.cursor.at
        stretch = _stretch(r)
        if stretch is not None:
            r.sketch.groups.append(stretch)
            found = True
        elif is_name(r.cursor.peek()):
            mention = read_mention(r)
            if mention is None:
                return found
            r.sketch.groups.append(Field(mention))
            if mention.table_score >= mention.column_score:
                if owns:
                    r.own_fields(mention)
                r.see_table(mention)
            found = True
            _owner(r)
        else:
            r.cursor.at = at
            return found
        at = r.cursor.at
        joined = r.cursor.accept(Role.COMMA) is not None
        # "in each category by revenue" names what is ranked by, behind `top 5`.
        roles = (Role.AND,) if r.ranking else (Role.AND, Role.BY)
        joined = r.cursor.accept(*roles) is not None or joined
        if not joined or not (is_name(r.cursor.peek()) or _grain_here(r)):
            r.cursor.at = at
            return True


def _stretch(r: Reader) -> Term | None:
    """Take a stretch of time or of a figure: `month`, `price band`."""
    grain = _grain_here(r)
    if grain is None:
        return read_band(r)
    r.cursor.take()
    return Bucket(grain)


def _grain_here(r: Reader) -> Grain | None:
    """Return the period of `by month`, or of `by region and month`."""
    keyword, chunk = r.cursor.role(Role.GRAIN), r.cursor.peek()
    if keyword is not None:
        return Grain(keyword.argument)
    if chunk is None or (chunk.meanings and chunk.meanings[0].score > _NAMED):
        return None
    return _GRAINS.get(chunk.text.lower())


def _owner(r: Reader) -> None:
    """Read `of pet` behind `type`: the table that the group's column belongs to."""
    if r.cursor.role(Role.OF) is None:
        return
    ahead = 1
    while (chunk := r.cursor.peek(ahead)) is not None and chunk.role(Role.FILL):
        ahead += 1
    if chunk is None or not names_table(chunk):
        return
    r.cursor.at += ahead
    owner = r.mention(r.cursor.take())
    last = r.sketch.groups[-1]
    if isinstance(last, Field):
        r.sketch.groups[-1] = with_near(last, owner)
    r.see_table(owner)


def _grain(r: Reader) -> bool:
    """Read `monthly`, `by month`."""
    keyword = r.cursor.role(Role.GRAIN)
    if keyword is None:
        return False
    chunk = r.cursor.peek()
    column = chunk is not None and bool(chunk.meanings) and chunk.meanings[0].score > 0.9
    if column and chunk is not None and not chunk.text.lower().endswith("ly"):
        return False
    r.cursor.take()
    event = _happening(r)
    r.sketch.groups.append(Bucket(Grain(keyword.argument), event))
    if event is not None:
        # What never happened has no month in which it did.
        r.add(Missing(event, truth=False))
    return True


def _happening(r: Reader) -> Mention | None:
    """Return the verb before, where a date says when that happened: `ended each month`."""
    event = r.event
    best = event.meanings[0] if event is not None and event.meanings else None
    return event if best is not None and best.column is not None and best.column.is_time else None


def _by_size(r: Reader) -> bool:
    """Read `by capacity` behind `the largest depot`: what is compared, and no group."""
    last = r.sketch.order[-1] if r.sketch.order else None
    chunk = r.cursor.peek(1)
    if last is None or not last.extreme or r.sketch.limit is None or chunk is None:
        return False
    figure = names_measure(chunk) and not names_table(chunk) and chunk.period is None
    if not figure or isinstance(last.term, Measure):
        return False
    r.cursor.take()
    r.sketch.order[-1] = replace(last, term=Field(r.mention(r.cursor.take())))
    return True


def _by(r: Reader) -> bool:
    """Read `by region`: groups; after `top 5`, or before a figure, what the order follows."""
    if r.cursor.role(Role.BY) is None:
        return False
    if _by_size(r):
        return True
    if _by_someone(r) or r.cursor.role(Role.EXTREME, 1):
        r.cursor.take()
        r.zone = Zone.FILTER
        return True
    explains = r.cursor.take().text.lower() == "based on"
    r.cursor.skip()
    if (explains and _explained(r)) or (r.ranking and _rank(r)):
        return True
    if r.cursor.role(Role.AGGREGATE) or r.cursor.role(Role.COUNT):
        return _rank(r)
    r.cursor.skip(Role.EACH, Role.DISTINCT)
    return _group_list(r)


def _explained(r: Reader) -> bool:
    """Read `(based on sale price)`: which column the figure before is of."""
    figures = [item for item in r.sketch.items if isinstance(item, Measure)]
    if not figures or not names_measure(r.cursor.peek()):
        return False
    old = figures[-1].mention
    mention = read_mention(r)
    if mention is None:
        return False
    new = replace(figures[-1], mention=mention)
    r.sketch.items[:] = [new if item is figures[-1] else item for item in r.sketch.items]
    same = old.text.lower() if old is not None else ""
    r.sketch.order[:] = [
        replace(key, term=new)
        if isinstance(key.term, Measure)
        and key.term.mention
        and key.term.mention.text.lower() == same
        else key
        for key in r.sketch.order
    ]
    return True


def _by_someone(r: Reader) -> bool:
    """Say whether `by` names who did it: `reviews posted by users`."""
    chunk, before = r.cursor.peek(), r.cursor.peek(-1)
    if chunk is None or before is None or chunk.text.lower() != "by":
        return False
    participle = is_participle(before) or before.tokens[-1].lower.endswith(("ed", "en", "ught"))
    follows = r.cursor.peek(1)
    agent = names_table(follows) or is_value(follows) or r.cursor.role(Role.COMPARE, 1) is not None
    filler = r.cursor.role(Role.FILL, 1) is not None
    return participle and (agent or filler)


def _rank(r: Reader) -> bool:
    terms = read_terms(r)
    if not terms:
        return False
    term = terms[0]
    if isinstance(term, Field) and not _is_figure(term):
        return False
    r.sketch.order.append(OrderKey(term, r.ranking != "asc"))
    # "top 3 categories by revenue" wants to see it.
    r.sketch.ranked = r.sketch.ranked or bool(r.ranking and (r.sketch.limit or 0) > 1)
    return True


def _is_figure(term: Field) -> bool:
    return any(m.column is not None and m.column.is_number for m in term.mention.meanings)
