"""Reads superlatives and rankings: `the oldest`, `most songs`, `top 5 by revenue`."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.attributes import attribute_of
from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.amounts import SPENDING, amount_of, spent
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.operands import is_value
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_name,
    is_participle,
    names_column,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Field,
    Holds,
    Measure,
    Mention,
    OrderKey,
    Term,
)
from adapters.models.offline.sketch.terms import aggregate_at, read_mention, read_terms

_PLAIN = frozenset({"top", "best", "worst"})
_AMOUNTS = frozenset({"amount", "number", "quantity", "count", "level", "value", "total"})


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
        _one(r)
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


def _one(r: Reader) -> None:
    if r.sketch.limit is None:
        r.sketch.limit = 1


def _frequent(r: Reader) -> bool:
    """Read `the most common citizenship`."""
    keyword = r.cursor.role(Role.FREQUENT)
    if keyword is None:
        return False
    at = r.cursor.at
    r.cursor.take()
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
    order = OrderKey(Measure(Aggregate.COUNT, None, each=mention), keyword.argument == "max")
    r.sketch.order.append(order)
    _one(r)
    return True


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
        return _order(r, Field(r.mention(r.cursor.take())), descending=attribute.descending)
    mention = r.measured_by(attribute, chunk.start)
    follows = _described(r)
    if follows is not None:
        mention = replace(mention, near=Mention(follows.text, follows.start, follows.meanings))
    r.sketch.order.append(OrderKey(Field(mention), descending, extreme=True))
    _one(r)
    return True


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
    done = (
        _in_time(r, keyword.argument)
        if keyword.argument in {"first", "last"}
        else _in_size(r, descending=keyword.argument == "max")
    )
    if not done:
        r.cursor.at = at
    return done


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
        _one(r)
        return True
    mention = r.mention(chunk)
    r.sketch.order.append(OrderKey(Field(r.dates_of(mention)), descending, extreme=True))
    _one(r)
    return True


def _in_size(r: Reader, *, descending: bool) -> bool:
    r.cursor.skip(Role.OF)
    generic = _skip_amount(r)
    counted = r.cursor.accept(Role.COUNT) is not None
    _skip_doing(r)
    if r.cursor.accept(Role.TIMES):
        return _by_count(r, r.verb or r.table, descending=descending)
    if r.cursor.role(Role.AGGREGATE) is not None:
        return _by_aggregate(r, descending=descending, generic=generic)
    chunk = r.cursor.peek()
    if chunk is not None and is_value(chunk) and not generic:
        return _of_value(r, descending=descending)
    if chunk is None or not is_name(chunk):
        return _by_verb(r, descending=descending, generic=generic)
    if _is_done_to(r, chunk):
        return _by_count(r, r.mention(r.cursor.take()), descending=descending)
    return _by_name(r, chunk, counted=counted, descending=descending)


def _of_value(r: Reader, *, descending: bool) -> bool:
    """Read `bought the most paper`: how much of it there is, or how often it occurs."""
    literal = r.literal(r.cursor.take())
    term = amount_of(r, literal)
    if term is None:
        return False
    r.add(Holds(literal))
    return _order(r, term, descending=descending)


def _skip_doing(r: Reader) -> None:
    """Pass over what rows do, as in `the most arriving flights`."""
    chunk = r.cursor.peek()
    doing = chunk is not None and chunk.is_glue and chunk.text.lower().endswith("ing")
    if doing and not is_name(chunk) and names_table(r.cursor.peek(1)):
        r.cursor.take()


def _by_name(r: Reader, chunk: Chunk, *, counted: bool, descending: bool) -> bool:
    if counted or (names_table(chunk) and not _rated(chunk)):
        if not counted and _by_size(r, chunk, descending=descending):
            return True
        mention = read_mention(r)
        return _by_count(r, mention, descending=descending)
    return _by_column(r, descending=descending)


def _is_done_to(r: Reader, chunk: Chunk) -> bool:
    """Say whether it is counted how often something was done: `the most viewed listing`."""
    done = is_participle(chunk) and not names_measure(chunk)
    return done and names_table(r.cursor.peek(1))


def _by_aggregate(r: Reader, *, descending: bool, generic: bool) -> bool:
    """Read `highest average price`, and `cost the most on average`."""
    at = r.cursor.at
    terms = read_terms(r)
    if terms:
        return _order(r, terms[0], descending=descending)
    r.cursor.at = at
    return _by_verb(r, descending=descending, generic=generic)


def _by_verb(r: Reader, *, descending: bool, generic: bool) -> bool:
    """Read `who spent the most`: the verb says what is compared."""
    verb = r.verb or spent(r)
    if verb is None:
        return False
    figures = any(m.column is not None and m.column.is_measure for m in verb.meanings)
    if figures:
        average = r.cursor.accept(Role.AGGREGATE)
        aggregate = Aggregate(average.argument) if average else None
        usual = Aggregate.SUM if verb.text in SPENDING else None
        aggregate = aggregate or usual
        term = Field(verb) if aggregate is None else Measure(aggregate, verb)
        return _order(r, term, descending=descending)
    return generic and _by_count(r, verb, descending=descending)


def _by_size(r: Reader, chunk: Chunk, *, descending: bool) -> bool:
    """Read `the highest mountain`, `the largest lakes`: the rows have a figure for it."""
    word = r.cursor.peek(-1)
    sizes = {"highest": "high", "lowest": "high", "largest": "large", "biggest": "large",
             "smallest": "large", "greatest": "large"}  # fmt: skip
    attribute = attribute_of(sizes.get(word.text.lower(), "")) if word is not None else None
    if attribute is None:
        return False
    figure = r.measured_by(attribute, chunk.start)
    tables = {m.table.name for m in chunk.meanings if m.column is None}
    meanings = tuple(m for m in figure.meanings if m.table.name in tables)
    if not meanings:
        return False
    return _order(r, Field(replace(figure, meanings=meanings)), descending=descending)


def _skip_amount(r: Reader) -> bool:
    chunk = r.cursor.peek()
    follows = r.cursor.role(Role.OF, 1)
    if chunk is None or chunk.tokens[0].lemma not in _AMOUNTS or follows is None:
        return False
    if names_measure(chunk) and chunk.meanings[0].score > 0.9:
        return False
    r.cursor.at += 2
    r.cursor.skip()
    return True


def _rated(chunk: Chunk) -> bool:
    return names_measure(chunk) and any(
        m.column is not None and m.score >= 0.95 for m in chunk.meanings
    )


def _by_count(r: Reader, mention: Mention | None, *, descending: bool) -> bool:
    if mention is None:
        return False
    return _order(r, Measure(Aggregate.COUNT, mention), descending=descending)


def _order(r: Reader, term: Term, *, descending: bool) -> bool:
    r.sketch.order.append(OrderKey(term, descending, extreme=True))
    _one(r)
    return True


def _by_column(r: Reader, *, descending: bool) -> bool:
    """Read `highest rating`: a figure to show, or what decides who is first."""
    chunk = r.cursor.take()
    mention = r.mention(chunk)
    if is_name(r.cursor.peek()) and names_table(r.cursor.peek()):
        # "the highest-rated restaurant": the table's name is read next, as the subject.
        return _order(r, Field(mention), descending=descending)
    if is_name(r.cursor.peek()) and names_column(r.cursor.peek()) and not r.cursor.role(Role.SORT):
        r.cursor.at -= 1
        compound = read_mention(r)
        mention = compound or mention
    if r.zone is Zone.SELECT and not r.sketch.order:
        r.show(Measure(Aggregate.MAX if descending else Aggregate.MIN, mention))
        return True
    return _order(r, Field(mention), descending=descending)


def _top(r: Reader) -> bool:
    """Read `top 5 products`: what they are ranked by may follow."""
    keyword = r.cursor.role(Role.TOP)
    if keyword is None:
        return False
    number = r.cursor.peek(1)
    r.cursor.take()
    if number is not None and number.number is not None:
        r.cursor.take()
        r.sketch.limit = int(number.number)
    elif number is not None and number.tokens[-1].lower == number.tokens[-1].lemma:
        _one(r)
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
