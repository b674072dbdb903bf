"""Definitions as names of the schema: figures and states that no column holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.tokens import Token, tokenize
from adapters.models.offline.world.lexicon import Lexicon, Meaning
from adapters.models.offline.world.schema import Column, Schema, Table
from core.domain.definitions import Definition, Join, Metric, Named, Synonym, Term, names_of

# More than any name can score by itself: what was defined is meant.
_DEFINED = 1.2
_WHOLE = 0.85
_JOINS = frozenset({"and", "or", ",", "both", "either", "not", "but"})
_IS = frozenset({"is", "are", "was", "were", "aren't", "isn't"})


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """Words that mean something defined, where the `noun` stands behind them if there is one."""

    definition: Named
    words: tuple[str, ...]
    noun: tuple[str, ...]
    meaning: Meaning


@dataclass(frozen=True, slots=True, eq=False)
class DefinedWords:
    """All phrases of a turn, the longest first."""

    phrases: tuple[Phrase, ...] = ()

    def at(self, tokens: Sequence[Token], start: int, length: int) -> tuple[Meaning, ...]:
        """Return what these tokens mean by definition; nothing where none says so."""
        if not self.phrases:
            return ()
        words = _stems(tokens[start : start + length])
        fitting = (each for each in self.phrases if each.words == words)
        found = [each.meaning for each in fitting if self._has_noun(each, tokens, start, length)]
        return tuple(found[:1])

    def _has_noun(self, phrase: Phrase, tokens: Sequence[Token], start: int, length: int) -> bool:
        """Say whether the noun follows (`active customers`) or went before (`... are active`).

        Other terms of the same noun may stand between: `active and premium customers`.
        """
        if not phrase.noun:
            return True
        own = {word for each in self.phrases if each.noun == phrase.noun for word in each.words}
        end, first = start + length, start - 1
        while end < len(tokens) and _passes(tokens[end], own):
            end += 1
        if _stems(tokens[end : end + len(phrase.noun)]) == phrase.noun:
            return True
        while first >= 0 and _passes(tokens[first], own):
            first -= 1
        between = {token.lower for token in tokens[first + 1 : start]}
        told = first >= 0 and (tokens[first].lower in _IS or "not" in between)
        return told and _within(phrase.noun, _stems(tokens[: first + 1]))

    def with_nouns(self, tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Token, ...]:
        """Say of what rows a term is that has no noun of its own: `VIPs` are VIP customers."""
        found: list[Token] = []
        at = 0
        while at < len(tokens):
            phrase = self._alone(tokens, at)
            length = len(phrase.words) if phrase is not None else 1
            found.extend(tokens[at : at + length])
            at += length
            if phrase is not None and not _is_table(tokens[at : at + 1], lexicon):
                found.extend(tokenize(phrase.meaning.table.label))
        return tuple(found)

    def _alone(self, tokens: Sequence[Token], at: int) -> Phrase | None:
        """Return the term without a noun that begins here; none where `are` says it of others."""
        if at and tokens[at - 1].lower in _IS:
            return None
        terms = (p for p in self.phrases if isinstance(p.definition, Term) and not p.noun)
        return next((p for p in terms if _stems(tokens[at : at + len(p.words)]) == p.words), None)

    def metric_in(self, tokens: Sequence[Token]) -> bool:
        """Say whether a question names a figure that was defined."""
        found = (
            meaning
            for at in range(len(tokens))
            for length in range(1, len(tokens) - at + 1)
            for meaning in self.at(tokens, at, length)
        )
        return any(m.column is not None and m.column.metric is not None for m in found)

    def ranking(self, table: Table) -> tuple[Metric, Meaning] | None:
        """Return the figure by which a table's rows are ranked where nobody says by what."""
        for each in self.phrases:
            metric = each.definition
            if isinstance(metric, Metric) and table.name in metric.ranks:
                return metric, each.meaning
        return None

    def used(self, meanings: Iterable[tuple[Table, Column | None]], said: str) -> Iterator[Named]:
        """Yield the definitions that a reading of the words went by, each once."""
        chosen = {_identity(table, column) for table, column in meanings}
        words, told = _stems(tokenize(said)), set[str]()
        for each in self.phrases:
            table, column, name = each.meaning.table, each.meaning.column, each.definition.name
            if name in told or _identity(table, column) not in chosen:
                continue
            if (column is not None and column.is_defined) or _within(each.words, words):
                told.add(name)
                yield each.definition


def _identity(table: Table, column: Column | None) -> tuple[str, str, bool]:
    if column is None:
        return table.name, "", False
    return table.name, column.name, column.is_defined


def _within(words: tuple[str, ...], said: tuple[str, ...]) -> bool:
    return any(said[at : at + len(words)] == words for at in range(len(said)))


def _passes(token: Token, own: set[str]) -> bool:
    return token.lower in _JOINS or stem(token.lemma) in own


def _stems(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(stem(token.lemma) for token in tokens)


def defined_words(
    definitions: Sequence[Definition], schema: Schema, lexicon: Lexicon
) -> DefinedWords:
    """Return the phrases of definitions; what the schema shown has not is passed over."""
    found = [
        phrase
        for each in definitions
        if not isinstance(each, Join)
        for phrase in _phrases(each, schema, lexicon)
    ]
    longest = sorted(found, key=lambda each: -len(each.words))
    return DefinedWords(tuple(longest))


def _phrases(definition: Named, schema: Schema, lexicon: Lexicon) -> Iterator[Phrase]:
    meaning = _meaning(definition, schema)
    if meaning is None:
        return
    for name in names_of(definition):
        tokens = tokenize(name)
        noun = _noun(tokens, lexicon) if isinstance(definition, Term) else 0
        split = len(tokens) - noun
        yield Phrase(definition, _stems(tokens[:split]), _stems(tokens[split:]), meaning)


def _noun(tokens: Sequence[Token], lexicon: Lexicon) -> int:
    """Return how many words at the end of a name are the name of a table."""
    sizes = range(1, len(tokens))
    return next((size for size in sizes if _is_table(tokens[-size:], lexicon)), 0)


def _is_table(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    best = lexicon.meanings(tokens)[:1]
    return bool(best) and best[0].column is None and best[0].score >= _WHOLE


def _meaning(definition: Named, schema: Schema) -> Meaning | None:
    table = schema.table(definition.table) if definition.table else None
    match definition:
        case Synonym():
            return _named(definition, schema)
        case Metric() if table is not None:
            column = _plain_sum(definition, table) or _figure(definition, table)
            return Meaning(table, column, _DEFINED, total=True)
        case Term() if table is not None and definition.condition:
            return Meaning(table, _state(definition, table), _DEFINED)
        case _:
            return None


def _named(synonym: Synonym, schema: Schema) -> Meaning | None:
    table = schema.table(synonym.table)
    whole = schema.table(synonym.target)
    if whole is not None:
        return Meaning(whole, None, _DEFINED)
    column = table.column(synonym.column) if table is not None else None
    return Meaning(table, column, _DEFINED) if table is not None and column is not None else None


def _plain_sum(metric: Metric, table: Table) -> Column | None:
    """Return the column that a metric only adds up: all that can be asked of it is understood."""
    body = metric.expression
    if metric.conditions or not (body.startswith("SUM(") and body.endswith(")")):
        return None
    column = table.column(body[4:-1].strip('"`'))
    return column if column is not None and column.is_measure else None


def _figure(metric: Metric, table: Table) -> Column:
    words = tuple(token.lemma for token in tokenize(metric.name))
    return Column(
        table=table.name,
        name=metric.name,
        type="numeric",
        kind="measure",
        words=words,
        bare=words,
        metric=metric,
    )


def _state(term: Term, table: Table) -> Column:
    words = tuple(token.lemma for token in tokenize(term.name))
    return Column(
        table=table.name,
        name=term.name,
        type="boolean",
        kind="dimension",
        words=words,
        bare=words,
        nullable=False,
        condition=term.condition,
    )


def with_joins(schema: Schema, definitions: Sequence[Definition]) -> Schema:
    """Return a schema whose columns also point where the definitions say."""
    targets = {
        (each.table, each.column): (each.to_table, each.to_column)
        for each in definitions
        if isinstance(each, Join)
    }
    if not targets:
        return schema
    tables = tuple(_pointing(table, targets) for table in schema.tables)
    by_name = {table.name.casefold(): table for table in tables}
    return replace(schema, tables=tables, by_name=by_name | {t.name: t for t in tables})


def _pointing(table: Table, targets: Mapping[tuple[str, str], tuple[str, str]]) -> Table:
    columns = tuple(
        replace(column, target=target)
        if (target := targets.get((table.name, column.name))) and column.target is None
        else column
        for column in table.columns
    )
    return Table(name=table.name, words=table.words, columns=columns)
