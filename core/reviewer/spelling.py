"""Words of a filter that no row has as they are written, though some row has them otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.catalog import CatalogColumn
from core.domain.names import nearest
from core.domain.query import Query
from core.domain.table import Table
from core.reviewer.ran import Ran, Stored, called
from core.reviewer.remark import Remark
from core.sql.builder import column_of
from core.toolkit.time_columns import is_text

_MOST_ASKED = 3
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Asked:
    """A stored column and the word that it was held against."""

    stored: Stored
    word: str

    @property
    def column(self) -> CatalogColumn:
        return self.stored.column

    def remark(self, variants: Sequence[str]) -> Remark | None:
        """Say how the rows write the word; None where they do write it so, or have no such."""
        if not variants or self.word in variants:
            return None
        written = " and ".join(repr(each) for each in variants[:3])
        return Remark(
            f"{self.column.name} has {written}, not {self.word!r}: letter case and blanks count.",
            for_reader=True,
        )


@dataclass(frozen=True, slots=True)
class LookUp:
    """A small query that finds how the rows write a word."""

    asked: Asked
    query: Query

    def remark(self, found: Table) -> Remark | None:
        return self.asked.remark([str(row[0]) for row in found.rows])


def asked_words(ran: Ran) -> Iterator[Asked]:
    """Return the words that text columns had to be equal to, in a statement that found nothing."""
    if ran.found_nothing:
        yield from asked_of(ran)


def asked_of(ran: Ran) -> Iterator[Asked]:
    """Return the words that text columns have to be equal to."""
    seen = set[tuple[str, str]]()
    for value, word in _held_equal(ran):
        stored = ran.stored(value)
        if stored and is_text(stored.column) and (stored.column.name, word) not in seen:
            seen.add((stored.column.name, word))
            yield Asked(stored, word)


def never_equal(ran: Ran) -> Iterator[Remark]:
    """Find words that can never be what LOWER or UPPER makes of a value."""
    for tested, word in _held_equal(ran):
        turned = {"lower": word.lower(), "upper": word.upper()}.get(called(tested))
        if turned is not None and turned != word:
            yield Remark(
                f"{tested.sql(dialect=ran.dialect)} is never {word!r}, because of its letter case:"
                f" compare it with {turned!r}.",
                for_reader=True,
            )


def look_ups(ran: Ran) -> tuple[LookUp, ...]:
    """Return the queries for words of which the catalog does not know how they are written."""
    unknown = [
        each
        for each in asked_words(ran)
        if not each.column.values and not each.column.masked and len(each.word) <= _LONGEST
    ]
    return tuple(LookUp(each, _query(each)) for each in unknown[:_MOST_ASKED])


def known_variants(asked: Asked) -> list[str]:
    """Return the column's known values that are the word but for letter case and blanks."""
    folded = _folded(asked.word)
    return [each for each in asked.column.values if _folded(each) == folded]


def near_values(asked: Asked) -> list[str]:
    """Return known values that are spelt much like a word that is none of them."""
    if asked.word in asked.column.values:
        return []
    return list(nearest(asked.word, asked.column.values, at_most=2))


def _held_equal(ran: Ran) -> Iterator[tuple[exp.Expr, str]]:
    for node in ran.nodes(exp.EQ):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(other, exp.Literal) and other.is_string:
                yield one, other.name
    for node in ran.nodes(exp.In):
        if not isinstance(node.parent, exp.Not):
            for each in node.expressions:
                if isinstance(each, exp.Literal) and each.is_string:
                    yield node.this, each.name


def _query(asked: Asked) -> Query:
    value = column_of(asked.column)
    table = asked.stored.table
    return Query(
        exp.select(value)
        .distinct()
        .from_(exp.table_(table.name, db=table.schema or None, quoted=True))
        .where(exp.EQ(this=exp.Lower(this=value.copy()), expression=_literal(asked.word)))
        .limit(_MOST_ASKED)
    )


def _literal(word: str) -> exp.Expr:
    return exp.Lower(this=exp.Literal.string(word))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
