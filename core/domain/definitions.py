"""What the data team says that words mean: terms, metrics, synonyms and joins of a connection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a definition was written: a file (or who said it, or what it came from) and a line.

    A line of 0 stands for the whole of it.
    """

    source: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.source}:{self.line}" if self.line else self.source


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a definition cannot be used, and what to do about it, for whoever wrote it."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the business: a kind of row, by its `condition` on the rows of a table.

    Without a condition only its `meaning` is known. `also` are other words for the same.
    """

    name: str
    place: Place
    also: tuple[str, ...] = ()
    meaning: str = ""
    table: str = ""
    condition: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table,) if self.table else ()

    @property
    def in_words(self) -> str:
        return f"{self.table} where {self.condition}" if self.condition else self.meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A figure over the rows of one table that meet all `conditions`.

    expression: aggregates over columns of the table, in the SQL of the connection
    date: the column of the table that dates its rows; "" for the date that the table has
    grain: what one row of the table stands for
    ranks: tables whose rows it ranks where a question does not say by what
    """

    name: str
    place: Place
    table: str
    expression: str
    conditions: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    meaning: str = ""
    date: str = ""
    grain: str = ""
    unit: str = ""
    ranks: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table,)

    @property
    def in_words(self) -> str:
        narrowed = f" where {' AND '.join(self.conditions)}" if self.conditions else ""
        return f"{self.expression} of {self.table}{narrowed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Synonym:
    """Another word for a table, or for a column of it; `column` is "" for the table itself."""

    name: str
    place: Place
    table: str
    column: str = ""
    also: tuple[str, ...] = ()
    meaning: str = ""

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table,)

    @property
    def target(self) -> str:
        return f"{self.table}.{self.column}" if self.column else self.table

    @property
    def in_words(self) -> str:
        return self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """A column of one table points at a column of another, which no foreign key says."""

    place: Place
    table: str
    column: str
    to_table: str
    to_column: str

    @property
    def name(self) -> str:
        return f"{self.table}.{self.column} = {self.to_table}.{self.to_column}"

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table, self.to_table)

    @property
    def in_words(self) -> str:
        return self.name


Named = Term | Metric | Synonym
Definition = Named | Join


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """All that is defined for one connection, each kind in the order of its names."""

    terms: tuple[Term, ...] = ()
    metrics: tuple[Metric, ...] = ()
    synonyms: tuple[Synonym, ...] = ()
    joins: tuple[Join, ...] = ()

    @classmethod
    def of(cls, definitions: Sequence[Definition]) -> Definitions:
        """Sort definitions of any kind."""
        ordered = sorted(definitions, key=lambda each: (each.name.casefold(), each.place))
        return cls(
            terms=tuple(each for each in ordered if isinstance(each, Term)),
            metrics=tuple(each for each in ordered if isinstance(each, Metric)),
            synonyms=tuple(each for each in ordered if isinstance(each, Synonym)),
            joins=tuple(each for each in ordered if isinstance(each, Join)),
        )

    def __iter__(self) -> Iterator[Definition]:
        yield from self.named
        yield from self.joins

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def named(self) -> tuple[Named, ...]:
        return (*self.metrics, *self.terms, *self.synonyms)


NOTHING_DEFINED = Definitions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a dictionary says at this moment.

    problems: what it says besides that cannot be taken. Where a whole source cannot be read, its
        definitions are those that it gave last, and `outdated` says so
    """

    definitions: Definitions = NOTHING_DEFINED
    problems: tuple[Problem, ...] = ()
    outdated: bool = False
    sources: tuple[str, ...] = field(default=())


def together(definitions: Sequence[Definition]) -> tuple[list[Definition], list[Problem]]:
    """Return definitions of which no two have a name in common, and those that had to go.

    The one that comes first stays.
    """
    taken: dict[str, Definition] = {}
    kept: list[Definition] = []
    problems: list[Problem] = []
    for each in definitions:
        names = list(dict.fromkeys(_plain(name) for name in names_of(each)))
        known = next((name for name in names if name in taken), None)
        if known is None:
            taken.update(dict.fromkeys(names, each))
            kept.append(each)
            continue
        first = taken[known]
        text = (
            f"{known!r} is defined twice: first as {first.name!r} at {first.place}. "
            "Rename one of them or take it out."
        )
        problems.append(Problem(each.place, text))
    return kept, problems


def told(definition: Definition) -> str:
    """Return the sentence by which a reader learns that an answer goes by a definition."""
    return f"As the data team defines it, {definition.name} is {definition.in_words}"


def names_of(definition: Definition) -> tuple[str, ...]:
    """Return every word by which a definition is known."""
    also = () if isinstance(definition, Join) else definition.also
    return (definition.name, *also)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
