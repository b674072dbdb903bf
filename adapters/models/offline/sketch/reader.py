"""What is known while a sentence is read from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto

from adapters.models.offline.reading.attributes import Attribute
from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.cursor import Cursor
from adapters.models.offline.sketch.sketch import (
    AllOf,
    AnyOf,
    Condition,
    Field,
    Gap,
    Literal,
    Measure,
    Mention,
    Not,
    Related,
    Sketch,
    Term,
)
from adapters.models.offline.world.lexicon import Lexicon, Meaning

_MEASURED = 0.55
TABLE_ENOUGH = 0.6
_CALLED_SO = 0.95
_PARTICLES = frozenset({"up", "out", "off", "down", "away", "back", "over"})
COLUMN_ENOUGH = 0.45


class Zone(Enum):
    """What a plain name means where it stands: something to show, or a part of a condition."""

    SELECT = auto()
    FILTER = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """How far a reader had come."""

    at: int
    sketch: Sketch
    listed: tuple[int, ...]
    state: dict[str, object]


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """`had` says that rows have the column's value, `happened` that a clause ends in the verb.

    `owned` says that it was named as theirs: `customers with their industry`.
    """

    mention: Mention
    had: bool
    happened: bool
    owned: bool = False


@dataclass(slots=True, eq=False)
class Reader:
    """The cursor, the sketch so far, and what pronouns and short forms go back to.

    `table` is the last table word, `term` the last thing compared. `negated` holds until the next
    condition. `listed` are the positions of items that still wait for the table they belong to.
    """

    cursor: Cursor
    sketch: Sketch
    lexicon: Lexicon
    zone: Zone = Zone.SELECT
    table: Mention | None = None
    term: Term | None = None
    negated: bool = False
    either: bool = False
    both: int | None = None
    verb: Mention | None = None
    event: Mention | None = None
    listed: list[int] = field(default_factory=list[int])
    ranking: str = ""
    before_value: Mention | None = None
    sentence: int = 0
    owning: bool = False
    narrowing: bool = False
    listing: bool = False
    amount: bool = False
    asked: list[Term] = field(default_factory=list["Term"])
    pending: list[Pending] = field(default_factory=list["Pending"])

    def begin(self, sentence: Sequence[Chunk]) -> None:
        """Go on with the next sentence."""
        self.cursor = Cursor(sentence)
        self.sentence += 1
        self.zone = Zone.SELECT if not self.sketch.items else Zone.FILTER
        self.listed.clear()
        self.negated = self.either = False
        self.event = None

    def restart_items(self) -> None:
        """Begin the list anew where a later sentence says what to show: `Return the name`."""
        adds = {chunk.text.lower() for chunk in self.cursor.chunks} & {
            "too",
            "also",
            "additionally",
        }
        if self.sentence > 1 and not adds:
            self.asked = [*self.sketch.items, *self.asked]
            self.sketch.items.clear()
            self.listed.clear()
            self.sketch.explicit = True

    def take_negation(self) -> bool:
        negated, self.negated = self.negated, False
        return negated

    def name_of(self, table: Mention | None) -> Mention | None:
        """Return the name of what is mentioned, as a column."""
        if table is None:
            return None
        found = [m for m in self.lexicon.meanings(tokenize("name")) if m.column is not None]
        return Mention("name", table.at, tuple(found), near=table)

    def mention(self, chunk: Chunk, *, near: Mention | None = None) -> Mention:
        shown = self.zone is Zone.SELECT and self.sketch.subject is not None
        context = (self._grouped_table() or self.sketch.subject) if shown else self.table
        return Mention(chunk.text, chunk.start, chunk.meanings, near=near, context=context)

    def _grouped_table(self) -> Mention | None:
        """Return the table that is grouped by: `their names` are those of its rows."""
        mentions = [group.mention for group in self.sketch.groups if isinstance(group, Field)]
        tables = [m for m in mentions if m.table_score >= max(m.column_score, TABLE_ENOUGH)]
        return tables[-1] if tables else None

    def literal(self, chunk: Chunk) -> Literal:
        return Literal(chunk.text, chunk.found, chunk.quoted, chunk.start)

    def see_table(self, mention: Mention) -> None:
        """Remember a table word; the first one is what the answer is about."""
        self.table = mention
        if self.sketch.subject is None:
            self.sketch.subject = mention

    def show(self, term: Term) -> None:
        self.listed.append(len(self.sketch.items))
        self.sketch.items.append(term)

    def own(self, owner: Mention, *, figures: bool = True) -> None:
        """Give the items of the list so far the table that they belong to."""
        for at in self.listed:
            item = self.sketch.items[at]
            if figures or isinstance(item, Field):
                self.sketch.items[at] = with_near(item, owner)
        self.listed.clear()
        self.see_table(owner)
        # What follows narrows the owner, unless `and` goes on with the list.
        self.zone, self.narrowing = Zone.FILTER, False

    def own_fields(self, owner: Mention) -> None:
        """Give the names of the list so far, not its figures, the table that is grouped by."""
        for at in self.listed:
            item = self.sketch.items[at]
            if isinstance(item, Field):
                self.sketch.items[at] = with_near(item, owner)

    def add(self, condition: Condition) -> None:
        """Add a condition, joined to the one before by the word that stood between them."""
        self.narrowing = True
        conditions = self.sketch.conditions
        if self.negated:
            condition, self.negated = Not(condition), False
        if self.either and conditions:
            before = conditions.pop()
            others = before.conditions if isinstance(before, AnyOf) else (before,)
            condition = AnyOf((*others, condition))
        self.either = False
        conditions.append(condition)

    def close_both(self) -> None:
        """Bind the conditions since `both`, which different rows may fulfil."""
        if self.both is None:
            return
        conditions = self.sketch.conditions
        apart = tuple(conditions[self.both :])
        telling = tuple(each for each in apart if not _only_exists(each))
        apart = telling if len(telling) > 1 else apart
        if len(apart) > 1:
            del conditions[self.both :]
            conditions.append(AllOf(apart, apart=True))
        self.both = None

    def remember(self) -> Before:
        """Return the state that `go_back` brings back, so that a rule may try and fail."""
        state = {name: getattr(self, name) for name in _STATE}
        return Before(self.cursor.at, self.sketch.copied(), tuple(self.listed), state)

    def go_back(self, before: Before) -> None:
        self.cursor.at = before.at
        self.listed[:] = before.listed
        for name, value in before.state.items():
            setattr(self, name, value)
        for each in fields(self.sketch):
            setattr(self.sketch, each.name, getattr(before.sketch.copied(), each.name))

    def inner(self) -> Reader:
        """Return a reader of the same phrases for a question inside this one."""
        return Reader(self.cursor, Sketch(), self.lexicon)

    def people(self, at: int) -> Mention:
        """Return the tables of people, as a name for any of them."""
        tables = [t for t in self.lexicon.schema.tables if t.words[-1] in words_in("people")]
        return Mention("who", at, tuple(Meaning(table, None, 0.7) for table in tables))

    def belonging_to(self, subject: Mention) -> Mention:
        """Return the tables whose rows point at the subject's, as a name for any of them."""
        names = {m.table.name for m in subject.meanings if m.column is None}
        tables = [
            table
            for table in self.lexicon.schema.tables
            if any(c.target is not None and c.target[0] in names for c in table.columns)
        ]
        meanings = tuple(Meaning(table, None, 0.7) for table in tables)
        return Mention("what belongs to it", subject.at, meanings)

    def dates_of(self, mention: Mention) -> Mention:
        """Return the dates of what is mentioned, as a name for any of them."""
        found = [
            Meaning(m.table, column, m.score)
            for m in mention.meanings
            for column in m.table.columns
            if column.is_time and m.score > COLUMN_ENOUGH
        ]
        return replace(mention, text="date", meanings=tuple(found), near=mention)

    def measured_by(self, attribute: Attribute, at: int) -> Mention:
        """Return what an adjective measures as a name that the schema may know."""
        found: list[Meaning] = []
        for inverse, names in ((False, attribute.names), (True, attribute.inverse)):
            for rank, name in enumerate(names):
                for m in self.lexicon.meanings(tokenize(name)):
                    fits = (
                        m.column is not None
                        and (inverse or m.column.is_number)
                        and not m.column.is_key
                    )
                    if fits and m.score > _MEASURED:
                        score = m.score - 0.04 * rank - 0.1 * inverse
                        found.append(replace(m, score=score, inverse=inverse))
        meanings = tuple(sorted(found, key=lambda m: -m.score))
        return Mention(attribute.names[0], at, meanings, context=self.table)


_STATE = (
    "zone", "table", "term", "negated", "either", "both", "verb", "event", "ranking",
    "before_value", "owning", "narrowing", "listing", "amount",
)  # fmt: skip


def with_near(term: Term, owner: Mention) -> Term:
    """Say to which table a term belongs, unless that is known."""
    match term:
        case Field(mention=mention) if mention.near is None and mention.column_score:
            return Field(replace(mention, near=owner))
        case Measure(mention=mention) if mention is not None and mention.near is None:
            return replace(term, mention=replace(mention, near=owner))
        case Gap(top=top, bottom=bottom):
            return replace(term, top=with_near(top, owner), bottom=with_near(bottom, owner))
        case _:
            return term


def names_table(chunk: Chunk | None) -> bool:
    """Say whether a phrase names a table rather than a column."""
    if chunk is None or not chunk.meanings:
        return False
    table = max((m.score for m in chunk.meanings if m.column is None), default=0.0)
    column = max((m.score for m in chunk.meanings if m.column is not None), default=0.0)
    return table >= TABLE_ENOUGH and table >= column - 0.05


def names_column(chunk: Chunk | None) -> bool:
    if chunk is None:
        return False
    return any(m.column is not None and m.score >= COLUMN_ENOUGH for m in chunk.meanings)


def names_measure(chunk: Chunk | None) -> bool:
    """Say whether a phrase may name a column of figures."""
    if chunk is None:
        return False
    return any(m.column is not None and m.column.is_number for m in chunk.meanings)


def _only_exists(condition: Condition) -> bool:
    return isinstance(condition, Related) and not (condition.op or condition.negated)


def is_participle(chunk: Chunk | None) -> bool:
    """Say whether a phrase says what happened: `published`, `founded`, `signed up`."""
    if chunk is None or {each.lower for each in chunk.tokens[1:]} - _PARTICLES:
        return False
    token = chunk.tokens[0]
    regular = token.lower.endswith("ed") and len(token.lower) > 4
    return regular or token.lower in words_in("participles")


def is_flag(mention: Mention) -> bool:
    """Say whether a word is the name of a yes-or-no column, such as `open`."""
    best = mention.meanings[0] if mention.meanings else None
    return best is not None and best.column is not None and best.column.is_boolean


def is_dimension(mention: Mention) -> bool:
    """Say whether a word is rather the name of texts, which have no size of their own."""
    best = mention.meanings[0].column if mention.meanings else None
    return best is not None and best.is_text and not best.is_key and mention.column_score > 0.6


def is_name(chunk: Chunk | None) -> bool:
    """Say whether a phrase names something; `before` does only where it is really called so."""
    if chunk is None or not chunk.meanings:
        return False
    enough = _CALLED_SO if chunk.role(Role.BOUND) else COLUMN_ENOUGH
    return chunk.meanings[0].score >= enough
