"""Reads superlatives and rankings: `the oldest`, `most songs`, `top 5 by revenue`."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.lemmas import singular
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_name,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sizes import order_by, read_size, take_one
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Field,
    Measure,
    Mention,
    OrderKey,
)
from adapters.models.offline.sketch.terms import aggregate_at, read_mention

_PLAIN = frozenset({"top", "best", "worst"})


def read_extreme(r: Reader) -> bool:
    return any(rule(r) for rule in _RULES)


def read_superlative(r: Reader) -> bool:
    """Read `most expensive`, `highest salary`, `most common`, and nothing else."""
    return _attribute(r) or _extreme(r) or _frequent(r)


def _numbered(r: Reader) -> bool:
    """Read `3 most expensive`, `two oldest`: the number is how many are wanted."""
    chunk = r.cursor.peek()
    if chunk is None or chunk.number is None or chunk.number != int(chunk.number):
        return False
    follows = r.cursor.peek(1)
    attribute = follows.attribute if follows else None
    superlative = attribute is not None and attribute.degree == "est"
    if follows is None or not (
        superlative or follows.role(Role.EXTREME) or follows.role(Role.FREQUENT)
    ):
        return False
    r.cursor.take()
    r.sketch.limit = int(chunk.number)
    return _frequent(r) or _attribute(r) or _extreme(r)


def _grew(r: Reader) -> bool:
    """Read `grew most`, `fastest growing`: the change of a figure between two periods."""
    keyword = r.cursor.role(Role.GROW)
    most = r.cursor.role(Role.EXTREME, 1) if keyword is not None else None
    bare = r.zone is Zone.SELECT and not r.sketch.items and "growing" not in _text(r)
    if keyword is None or (bare and not r.sketch.percent_growth):
        return False
    r.cursor.take()
    down = keyword.argument == "min" or (most is not None and most.argument == "min")
    r.sketch.growth = "min" if down else "max"
    if most is not None or "growing" in _text(r, -1):
        r.cursor.accept(Role.EXTREME)
        take_one(r)
    return True


def _text(r: Reader, ahead: int = 0) -> str:
    chunk = r.cursor.peek(ahead)
    return chunk.text.lower() if chunk is not None else ""


def _rounded(r: Reader) -> bool:
    """Read `rounded to 2 decimal places`."""
    if r.cursor.accept(Role.ROUND) is None:
        return False
    r.cursor.skip(Role.TO)
    chunk = r.cursor.peek()
    if chunk is not None and chunk.number is not None:
        r.cursor.take()
        r.sketch.decimals = min(int(chunk.number), 10)
        r.cursor.skip(Role.ROUND)
    return True


def _add_up(r: Reader) -> bool:
    """Read `in total` behind what is ranked."""
    if r.cursor.role(Role.ADD_UP) is None or not r.sketch.order:
        return False
    r.cursor.take()
    last = r.sketch.order[-1]
    if isinstance(last.term, Field):
        term = Measure(Aggregate.SUM, last.term.mention)
        r.sketch.order[-1] = OrderKey(term, last.descending, last.extreme)
    return True


def _frequent(r: Reader) -> bool:
    """Read `the most common citizenship`."""
    keyword = r.cursor.role(Role.FREQUENT)
    if keyword is None:
        return False
    at = r.cursor.at
    word = r.cursor.take()
    number = r.cursor.peek()
    if number is not None and number.number is not None and is_name(r.cursor.peek(1)):
        r.sketch.limit = int(number.number)
        r.cursor.take()
    mention = read_mention(r)
    if mention is None and not r.sketch.items:
        r.cursor.at = at
        return False
    if mention is not None and r.zone is Zone.SELECT:
        r.show(Field(mention))
    if mention is not None and "popular" in word.text.lower() and _is_thing(mention):
        # Each of them is there once: what makes one popular has to be said.
        if singular(mention.text.lower()) == mention.text.lower():
            take_one(r)
        r.ranking = r.sketch.ranking = "desc" if keyword.argument == "max" else "asc"
        return True
    order = OrderKey(Measure(Aggregate.COUNT, None, each=mention), keyword.argument == "max")
    r.sketch.order.append(order)
    if mention is None or not _are_several(r, mention):
        take_one(r)
    return True


def _is_thing(mention: Mention) -> bool:
    """Say whether it names the rows of a table, and not values that occur often."""
    return mention.table_score > mention.column_score


def _are_several(r: Reader, mention: Mention) -> bool:
    """Say whether `what are the most common reasons` opens the question: all, in their order."""
    last = mention.text.lower().split()[-1]
    first = r.cursor.peek(-r.cursor.at)
    asks = first is not None and first.text.lower() == "what"
    are = r.cursor.role(Role.BE, 1 - r.cursor.at)
    plural = singular(last) != last and asks and are is not None
    return plural and len(r.sketch.items) == 1 and r.zone is Zone.SELECT


def _attribute(r: Reader) -> bool:
    """Read `the youngest pet`: the figure is implied."""
    chunk = r.cursor.peek()
    attribute = chunk.attribute if chunk else None
    if chunk is None or attribute is None or attribute.degree != "est":
        most = r.cursor.role(Role.EXTREME)
        follows = r.cursor.peek(1)
        attribute = follows.attribute if most and follows else None
        if most is None or attribute is None or attribute.degree or follows is None:
            return False
        r.cursor.take()
        chunk = follows
        descending = attribute.descending == (most.argument in {"max", "last"})
    else:
        descending = attribute.descending
    r.cursor.take()
    figure = r.cursor.peek()
    if names_measure(figure) and is_name(figure) and not names_table(figure):
        return order_by(r, Field(r.mention(r.cursor.take())), descending=attribute.descending)
    mention = r.measured_by(attribute, chunk.start)
    follows = _described(r)
    if follows is not None:
        mention = _of_rows(mention, follows)
        mention = replace(mention, near=Mention(follows.text, follows.start, follows.meanings))
    r.sketch.order.append(OrderKey(Field(mention), descending, extreme=True))
    take_one(r)
    return True


def _of_rows(mention: Mention, rows: Chunk) -> Mention:
    """Prefer the figures of what is described: the age of a book is none of its readers'."""
    best = rows.meanings[0].score
    tables = {m.table.name for m in rows.meanings if m.column is None and m.score == best}
    own = tuple(m for m in mention.meanings if m.table.name in tables)
    return replace(mention, meanings=own) if own else mention


def _described(r: Reader) -> Chunk | None:
    """Return the table behind `oldest`, or behind `oldest and youngest`."""
    ahead = 0
    while r.cursor.role(Role.AND, ahead) or r.cursor.role(Role.FILL, ahead):
        ahead += 1
    other = r.cursor.peek(ahead)
    if other is not None and other.attribute is not None and other.attribute.degree == "est":
        ahead += 1
    elif ahead:
        return None
    chunk = r.cursor.peek(ahead)
    return chunk if names_table(chunk) else None


def _extreme(r: Reader) -> bool:
    keyword = r.cursor.role(Role.EXTREME)
    if keyword is None or aggregate_at(r) is keyword:
        return False
    at = r.cursor.at
    word = r.cursor.take()
    r.cursor.skip()
    r.cursor.accept(Role.DISTINCT)
    if word.text.lower() in _PLAIN and _begins(r):
        r.cursor.at = at
        return False
    if word.text.lower() in _PLAIN and _names_period(r.cursor.peek()):
        # The best month is one by a figure, and none was understood here.
        r.sketch.unexplained.append(word.text)
    done = (
        _in_time(r, keyword.argument)
        if keyword.argument in {"first", "last"}
        else read_size(r, descending=keyword.argument == "max")
    )
    if not done:
        r.cursor.at = at
    return done


def _names_period(chunk: Chunk | None) -> bool:
    """Say whether a word is one for a length of time and names a date, or nothing, here."""
    if chunk is None or chunk.tokens[-1].lemma not in {each.value for each in Grain}:
        return False
    best = chunk.meanings[0].column if chunk.meanings else None
    return not chunk.meanings or (best is not None and best.is_time)


def _begins(r: Reader) -> bool:
    """Say whether `top` opens the question and only says that the first are wanted."""
    chunk = r.cursor.peek()
    return not r.sketch.items and is_name(chunk) and chunk is not None and names_table(chunk)


def _in_time(r: Reader, which: str) -> bool:
    """Read `the latest order`, `the most recent hire date`."""
    descending = which == "last"
    chunk = r.cursor.peek()
    if chunk is None or not is_name(chunk):
        return False
    dates = [m for m in chunk.meanings if m.column is not None and m.column.is_time]
    if dates and not names_table(chunk):
        mention = r.mention(r.cursor.take())
        if r.zone is Zone.SELECT and not r.sketch.items:
            aggregate = Aggregate.MAX if descending else Aggregate.MIN
            r.show(Measure(aggregate, mention))
            return True
        r.sketch.order.append(OrderKey(Field(mention), descending, extreme=True))
        take_one(r)
        return True
    mention = r.mention(chunk)
    r.sketch.order.append(OrderKey(Field(r.dates_of(mention)), descending, extreme=True))
    take_one(r)
    return True


def _top(r: Reader) -> bool:
    """Read `top 5 products`: what they are ranked by may follow."""
    keyword = r.cursor.role(Role.TOP)
    if keyword is None:
        return False
    number = r.cursor.peek(1)
    r.sketch.ranked = r.sketch.ranked or r.cursor.take().text.lower().startswith("rank")
    if number is not None and number.number is not None:
        r.cursor.take()
        r.sketch.limit = int(number.number)
    elif number is not None and number.tokens[-1].lower == number.tokens[-1].lemma:
        take_one(r)
    r.ranking = r.sketch.ranking = "desc" if keyword.argument == "max" else "asc"
    figures = [item for item in r.sketch.items if isinstance(item, Measure)]
    if figures and len(figures) == len(r.sketch.items):
        return _ranked_groups(r, figures[-1])
    return True


def _ranked_groups(r: Reader, figure: Measure) -> bool:
    """Read `number of signups for the top 2 states`: the states are ranked by the figure."""
    mention = read_mention(r)
    if mention is None:
        return False
    r.sketch.groups.append(Field(mention))
    r.sketch.order.append(OrderKey(figure, r.ranking != "asc"))
    return True


_RULES = (_rounded, _numbered, _frequent, _attribute, _extreme, _top, _add_up, _grew)
