"""Reads conditions that begin with what is compared: `age over 30`, `name contains 'x'`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.tokens import TokenKind
from adapters.models.offline.sketch.amounts import at_year
from adapters.models.offline.sketch.beside import read_beside
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.operands import (
    is_value,
    read_average_of,
    read_operand,
    year_of,
)
from adapters.models.offline.sketch.reader import (
    Reader,
    is_dimension,
    is_name,
    is_participle,
    names_column,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Compare,
    Field,
    Holds,
    Literal,
    Measure,
    Missing,
    Operand,
    OrderKey,
    Related,
    Sketch,
    Term,
)
from adapters.models.offline.sketch.terms import read_terms

_CALLED = 0.9
_LINKING = (Role.BE, Role.HAVE, Role.OF)
Nested = Callable[[Reader], Sketch]


def read_compared(r: Reader, nested: Nested) -> bool:
    """Read `age is over 30`, `average rating above 4`, `name contains 'x'`."""
    before = r.remember()
    chunk = r.cursor.peek()
    if chunk is None or not (is_name(chunk) or _measures(chunk)) or is_value(chunk):
        return False
    if chunk.attribute is not None:
        return False
    terms = _figure_called_total(r) or read_terms(r)
    if len(terms) == 1 and _rest_of_comparison(r, terms[0], nested):
        r.listed[:] = before.listed
        return True
    r.go_back(before)
    return False


def _figure_called_total(r: Reader) -> list[Term]:
    """Read `with a total above 100`: the column of that name, as nothing is added up here."""
    chunk = r.cursor.peek()
    compares = r.cursor.role(Role.COMPARE, 1) or r.cursor.role(Role.BETWEEN, 1)
    if chunk is None or not compares or not (_measures(chunk) and names_measure(chunk)):
        return []
    return [Field(r.mention(r.cursor.take()))] if chunk.meanings[0].score > _CALLED else []


def _measures(chunk: Chunk) -> bool:
    return chunk.role(Role.AGGREGATE) is not None or chunk.role(Role.COUNT) is not None


def _rest_of_comparison(r: Reader, term: Term, nested: Nested) -> bool:
    """Read what follows the term; the place is unchanged where it is no comparison."""
    at = r.cursor.at
    r.cursor.skip(*_LINKING)
    negated = r.cursor.accept(Role.NOT) is not None
    r.cursor.skip(Role.BE, Role.OF)
    done = (
        _with_operator(r, term, nested)
        or read_between(r, term)
        or read_match(r, term)
        or _missing(r, term)
        or _signed(r, term)
        or _is_extreme(r, term)
        or _equal(r, term)
    )
    if not done:
        r.cursor.at = at
    elif negated and r.sketch.conditions:
        _negate_last(r)
    return done


def _negate_last(r: Reader) -> None:
    last = r.sketch.conditions.pop()
    r.negated = True
    either, r.either = r.either, False
    r.add(last)
    r.either = either


def _with_operator(r: Reader, term: Term, nested: Nested) -> bool:
    keyword = r.cursor.role(Role.COMPARE)
    if keyword is None:
        return False
    r.cursor.take()
    r.cursor.skip(Role.THAN)
    if read_beside(r, term, keyword.argument):
        return True
    operand = read_side(r, term, nested)
    if operand is None:
        return False
    op = read_bound(r, keyword.argument)
    if isinstance(operand, float) and _counts_next(r):
        return False
    if isinstance(operand, float) and _is_table(term):
        r.cursor.accept(Role.TIMES)
        r.add(Related(term.mention, op=op, number=operand))
        return True
    r.term = term
    r.add(Compare(term, op, operand))
    _more_values(r, term)
    return True


def _counts_next(r: Reader) -> bool:
    """Say whether the number counts what follows: `genres have more than 5 books`."""
    follows = r.cursor.peek()
    if follows is None or not is_name(follows) or follows.keywords or is_value(follows):
        return False
    return not is_participle(follows)


def _is_table(term: Term) -> TypeGuard[Field]:
    return isinstance(term, Field) and term.mention.table_score >= term.mention.column_score + 0.1


def read_side(r: Reader, term: Term, nested: Nested) -> Operand | Sketch | None:
    """Read a value, or a question inside the question: `more than the average of all shops`."""
    found = read_operand(r)
    if found is not None:
        return found
    if r.cursor.role(Role.AGGREGATE) is None and r.cursor.role(Role.EXTREME) is None:
        return None
    at = r.cursor.at
    average = read_average_of(r, term)
    if average is not None and _ends_clause(r):
        return average
    r.cursor.at = at
    return nested(r)


def _ends_clause(r: Reader) -> bool:
    chunk = r.cursor.peek()
    ends = (Role.AND, Role.OR, Role.COMMA, Role.SORT, Role.BUT, Role.EACH)
    return chunk is None or chunk.ends or any(chunk.role(role) for role in ends)


def read_bound(r: Reader, op: str) -> str:
    """Take `or more` behind a number."""
    keyword = r.cursor.accept(Role.OR_MORE)
    return keyword.argument if keyword else op


def read_between(r: Reader, term: Term) -> bool:
    if r.cursor.accept(Role.BETWEEN) is None or at_year(r, term):
        return False
    low = read_operand(r)
    if isinstance(low, Period) and (not _is_dated(term) or _is_table(term)):
        return False
    if low is None or r.cursor.accept(Role.AND, Role.TO, Role.OR) is None:
        return False
    high = read_operand(r)
    if high is None:
        return False
    r.add(Compare(term, "between", low, upper=high))
    return True


def read_match(r: Reader, term: Term) -> bool:
    keyword = r.cursor.role(Role.MATCH)
    if keyword is None:
        return False
    r.cursor.take()
    while r.cursor.accept(Role.MATCH):
        continue
    if not _is_letters(r):
        r.cursor.skip(Role.MATCH)
    chunk = r.cursor.peek()
    shown = chunk is not None and (chunk.quoted or chunk.tokens[0].capital or chunk.found)
    if chunk is None or not (shown or _is_letters(r)):
        return False
    r.add(Compare(term, keyword.argument, r.literal(r.cursor.take())))
    _alternatives(r, term, keyword.argument)
    return True


def _is_letters(r: Reader) -> bool:
    """Say whether a bare word ends the question, such as `a` or `al` in `starting with al`."""
    chunk, follows = r.cursor.peek(), r.cursor.peek(1)
    ends = follows is None or follows.ends or follows.role(Role.AND) or follows.role(Role.COMMA)
    if chunk is None or len(chunk.tokens) != 1 or not ends:
        return False
    return chunk.tokens[0].kind is TokenKind.WORD and not chunk.meanings


def _alternatives(r: Reader, term: Term, op: str) -> None:
    """Read `or 'y'` behind a match."""
    while r.cursor.role(Role.OR) and (chunk := r.cursor.peek(1)) is not None and chunk.quoted:
        r.cursor.at += 2
        r.either = True
        r.add(Compare(term, op, r.literal(chunk)))


def _missing(r: Reader, term: Term) -> bool:
    keyword = r.cursor.role(Role.EMPTY)
    if keyword is None or not isinstance(term, Field):
        return False
    r.cursor.take()
    r.add(Missing(term.mention, truth=keyword.argument == "null"))
    return True


def _is_extreme(r: Reader, term: Term) -> bool:
    """Read `whose salary is the highest`."""
    keyword = r.cursor.role(Role.EXTREME)
    ends = r.cursor.peek(1) is None or r.cursor.role(Role.COMMA, 1) or r.cursor.role(Role.AND, 1)
    if keyword is None or not ends:
        return False
    top = r.cursor.role(Role.TOP)
    r.cursor.take()
    r.sketch.limit = r.sketch.limit or 1
    if top is not None and isinstance(term, Field) and _has_no_size(term):
        # "Which region is the best": by what has to be asked.
        r.ranking = r.sketch.ranking = "desc" if top.argument == "max" else "asc"
        r.show(term)
        if _is_table(term):
            r.see_table(term.mention)
        return True
    r.sketch.order.append(OrderKey(term, keyword.argument in {"max", "last"}, extreme=True))
    return True


def _has_no_size(term: Field) -> bool:
    return _is_table(term) or is_dimension(term.mention)


def _signed(r: Reader, term: Term) -> bool:
    keyword = r.cursor.accept(Role.SIGN)
    if keyword is None:
        return False
    r.add(Compare(term, keyword.argument, 0.0))
    return True


def _equal(r: Reader, term: Term) -> bool:
    """Read `name is 'x'`, `id 3`, `either 1948 or 1949`."""
    if r.cursor.role(Role.BOTH):
        return False
    r.cursor.accept(Role.OR)
    r.cursor.accept(Role.NAMED)
    chunk = r.cursor.peek()
    if chunk is None or (names_table(chunk) and not is_value(chunk)):
        return False
    if _ranks(r) or at_year(r, term) or _of_a_year(r, term):
        return False
    operand = read_operand(r)
    if operand is None or not _may_be(term, operand):
        return False
    r.term = term
    if isinstance(operand, Literal) and isinstance(term, Field):
        r.add(Holds(operand, term.mention))
    else:
        r.add(Compare(term, read_bound(r, "="), operand))
    _more_values(r, term)
    return True


def _of_a_year(r: Reader, term: Term) -> bool:
    """Say whether a year says when: `orders of 2023` are those of that year."""
    of = r.cursor.role(Role.OF, -1) is not None
    return of and year_of(r.cursor.peek()) is not None and not _is_dated(term)


def _is_dated(term: Term) -> bool:
    meanings = term.mention.meanings if isinstance(term, Field) else ()
    return any(m.column is not None and (m.column.is_time or m.column.is_year) for m in meanings)


def _may_be(term: Term, operand: Operand) -> bool:
    if isinstance(operand, Literal) and not _may_hold(term, operand):
        return False
    if isinstance(operand, Period) and not _is_dated(term):
        return False
    return isinstance(operand, float) or not isinstance(term, Measure)


def _ranks(r: Reader) -> bool:
    """Say whether the number here belongs to a superlative: `the 5 cheapest`."""
    follows = r.cursor.peek(1)
    ranked = follows is not None and (follows.attribute is not None or is_name(follows))
    number = r.cursor.peek()
    return (
        number is not None
        and number.number is not None
        and (ranked or r.cursor.role(Role.EXTREME, 1) is not None)
    )


def _may_hold(term: Term, literal: Literal) -> bool:
    """Say whether a value can be one of the term's column, or name a row of its table."""
    if not isinstance(term, Field):
        return False
    if not literal.found:
        return True
    tables = {m.table.name for m in term.mention.meanings if m.column is None}
    columns = [m.column for m in term.mention.meanings if m.column is not None]
    return any(found.column in columns or found.column.table in tables for found in literal.found)


def _more_values(r: Reader, term: Term) -> None:
    """Read further values of the same column: `1948 or 1949`, `'NY', 'CA' and 'TX'`."""
    while True:
        at = r.cursor.at
        commas = r.cursor.accept(Role.COMMA)
        joined = r.cursor.accept(Role.OR, Role.AND)
        if commas is None and joined is None:
            return
        chunk = r.cursor.peek()
        plain = chunk is not None and (chunk.number is not None or is_value(chunk))
        operand = read_operand(r) if plain else None
        follows_name = names_column(r.cursor.peek()) or r.cursor.role(Role.COMPARE)
        if operand is None or follows_name:
            r.cursor.at = at
            return
        r.either = r.both is None
        if isinstance(operand, Literal) and isinstance(term, Field):
            r.add(Holds(operand, term.mention))
        else:
            r.add(Compare(term, "=", operand))
