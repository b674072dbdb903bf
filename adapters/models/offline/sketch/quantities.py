"""Reads conditions that begin with the comparison: `more than 3 songs`, `older than 20`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.sketch.beside import read_beside
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.comparing import (
    Nested,
    read_between,
    read_bound,
    read_match,
    read_side,
)
from adapters.models.offline.sketch.literals import value_here
from adapters.models.offline.sketch.operands import is_value, read_number
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_name,
    names_column,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Compare,
    Condition,
    Field,
    Holds,
    Measure,
    Mention,
    Related,
    Sketch,
    Term,
)
from adapters.models.offline.sketch.terms import read_mention

_COUNTED = {"once": 1.0, "twice": 2.0}
RestOfClause = Callable[[Reader, Mention], tuple[Condition, ...]]


def read_quantity(r: Reader, nested: Nested, rest: RestOfClause) -> bool:
    """Read `more than 3 songs`, `below age 30`, `older than 20`, and `over 30` of the last term."""
    return (
        _attribute(r, nested)
        or _literal_inside(r)
        or _match_first(r)
        or _compare_word_first(r, nested, rest)
        or _between_first(r)
        or _so_many(r, rest)
    )


def _attribute(r: Reader, nested: Nested) -> bool:
    chunk = r.cursor.peek()
    attribute = chunk.attribute if chunk else None
    if chunk is None or attribute is None or attribute.degree != "er":
        return False
    if r.cursor.role(Role.THAN, 1) is None:
        return False
    r.cursor.at += 2
    term = Field(r.measured_by(attribute, chunk.start))
    op = ">" if attribute.descending else "<"
    operand = read_side(r, term, nested)
    if operand is None:
        return False
    r.add(Compare(term, op, operand))
    r.term = term
    return True


def _match_first(r: Reader) -> bool:
    """Read `that start with 'A'`, said of what was named last."""
    term = r.term or _last_item(r)
    return isinstance(term, Field) and read_match(r, term)


def _literal_inside(r: Reader) -> bool:
    """Read `'x' in their name`."""
    chunk = r.cursor.peek()
    keyword = r.cursor.role(Role.MATCH, 1)
    if chunk is None or not (chunk.quoted or chunk.found) or keyword is None:
        return False
    if not names_column(r.cursor.peek(2)):
        return False
    literal = r.literal(r.cursor.take())
    r.cursor.take()
    mention = read_mention(r)
    if mention is None:
        return False
    r.add(Compare(Field(mention), "contains", literal))
    return True


def _compare_word_first(r: Reader, nested: Nested, rest: RestOfClause) -> bool:
    keyword = r.cursor.role(Role.COMPARE)
    if keyword is None:
        return False
    at = r.cursor.at
    r.cursor.take()
    r.cursor.skip(Role.THAN)
    if (
        _counted(r, keyword, rest)
        or read_beside(r, r.term, keyword.argument)
        or _named_later(r, keyword, nested)
        or _of_last(r, keyword, nested)
    ):
        return True
    r.cursor.at = at
    return False


def _counted(r: Reader, keyword: Keyword, rest: RestOfClause) -> bool:
    """Read `more than 3 songs` and `more than once`."""
    at = r.cursor.at
    chunk = r.cursor.peek()
    number = read_number(r)
    if number is None or chunk is None:
        return False
    op = read_bound(r, keyword.argument)
    if chunk.text.lower() in _COUNTED or r.cursor.accept(Role.TIMES):
        mention = r.verb or r.table
        if mention is not None:
            r.add(Related(mention, op=op, number=number))
            return True
    r.cursor.skip()
    ahead = 1 if value_here(r) and names_table(r.cursor.peek(1)) else 0
    if is_name(r.cursor.peek(ahead)) and not r.cursor.role(Role.SORT):
        mention, narrowed = _read_narrowed(r)
        if mention is not None:
            is_table = mention.table_score >= mention.column_score
            conditions = (*narrowed, *(rest(r, mention) if is_table else ()))
            r.add(Related(mention, conditions, op=op, number=number))
            if mention.table_score >= mention.column_score:
                r.table = mention
            return True
    r.cursor.at = at
    return False


def _read_narrowed(r: Reader) -> tuple[Mention | None, tuple[Condition, ...]]:
    """Read `open tickets`: what is counted, and the state that only these have to be in."""
    before = len(r.sketch.conditions)
    if value_here(r) and names_table(r.cursor.peek(1)):
        r.sketch.conditions.append(Holds(r.literal(r.cursor.take())))
    mention = read_mention(r)
    narrowed = tuple(r.sketch.conditions[before:])
    del r.sketch.conditions[before:]
    return mention, narrowed


def _so_many(r: Reader, rest: RestOfClause) -> bool:
    """Read `with 5 stars`, `have two dogs`, `worth 10 credits or more`: so many, or that figure."""
    before = r.cursor.peek(-1)
    follows = r.cursor.peek(1)
    if r.zone is Zone.SELECT or before is None or not _may_count(before):
        return False
    if not is_name(follows) or not (names_measure(follows) or names_table(follows)):
        return False
    at = r.cursor.at
    number = read_number(r)
    mention, narrowed = _read_narrowed(r) if number is not None else (None, ())
    if number is None or mention is None or number != int(number):
        r.cursor.at = at
        return False
    op = read_bound(r, "=")
    is_table = mention.table_score >= mention.column_score
    conditions = (*narrowed, *(rest(r, mention) if is_table else ()))
    r.add(Related(mention, conditions, op=op, number=number))
    return True


def _may_count(before: Chunk) -> bool:
    """Say whether a number behind this counts or measures what follows it."""
    word = before.text.lower()
    roles = (Role.HAVE, Role.AND, Role.OR, Role.BOTH)
    return word in {"with", "worth"} or before.is_glue or any(before.role(role) for role in roles)


def _named_later(r: Reader, keyword: Keyword, nested: Nested) -> bool:
    """Read `below age 30` and `a higher rating than 4`, `more staff than the average`."""
    at = r.cursor.at
    if not is_name(r.cursor.peek()) or is_value(r.cursor.peek()):
        return False
    mention = read_mention(r)
    if mention is None:
        return False
    r.cursor.skip(Role.THAN, Role.OF)
    if read_beside(r, Field(mention), keyword.argument):
        return True
    operand = read_side(r, Field(mention), nested)
    if operand is None:
        r.cursor.at = at
        return False
    r.term = Field(mention)
    r.add(Compare(Field(mention), keyword.argument, operand))
    return True


def _of_last(r: Reader, keyword: Keyword, nested: Nested) -> bool:
    """Read `over 30` of what was compared or named last."""
    term = r.term or _last_item(r)
    if term is None or _tells_rows_apart(term):
        return False
    operand = read_side(r, term, nested)
    if operand is None:
        return False
    r.add(Compare(_comparable(term, operand), read_bound(r, keyword.argument), operand))
    return True


def _tells_rows_apart(term: Term) -> bool:
    """Say whether a term can only be a key, which is compared with nothing unless it is named."""
    if not isinstance(term, Field):
        return False
    named = {"id", "number", "code"} & set(term.mention.text.lower().split())
    columns = [m.column for m in term.mention.meanings if m.column is not None]
    return not named and bool(columns) and all(column.is_key for column in columns)


def _comparable(term: Term, operand: object) -> Term:
    """Compare the figure that is named, where what was named before is none: `earn more than`."""
    other = operand.items[0] if isinstance(operand, Sketch) and operand.items else operand
    if not isinstance(term, Field) or not isinstance(other, Measure) or other.mention is None:
        return term
    own = [m.column for m in term.mention.meanings[:3] if m.column is not None]
    return term if any(column.is_number for column in own) else Field(other.mention)


def _last_item(r: Reader) -> Term | None:
    """Return the last figure that was named; a comparison after it is about it."""
    items = [item for item in r.sketch.items if isinstance(item, Field | Measure)]
    return items[-1] if items else None


def _between_first(r: Reader) -> bool:
    term = r.term or _last_item(r)
    if r.cursor.role(Role.BETWEEN) is None or term is None:
        return False
    at, before = r.cursor.at, len(r.sketch.conditions)
    if not read_between(r, term):
        r.cursor.at = at
        return False
    if names_measure(r.cursor.peek()) and isinstance(r.sketch.conditions[-1], Compare):
        # "between 200 and 400 pages": the figure is named behind its bounds.
        mention = read_mention(r)
        last = r.sketch.conditions.pop()
        if mention is not None and isinstance(last, Compare):
            r.add(replace(last, term=Field(mention)))
    return len(r.sketch.conditions) > before
