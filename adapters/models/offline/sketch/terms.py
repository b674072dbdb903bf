"""Reads what can be shown, compared or ordered by: names, counts, sums and the like."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.reading.lemmas import singular
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.reading.synonyms import opposite_of
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.literals import read_value, value_here
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_flag,
    is_name,
    is_participle,
    names_column,
    names_table,
    with_near,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Bucket,
    Everything,
    Field,
    Flag,
    Measure,
    Mention,
    Missing,
    Term,
)

_ALSO_VERBS = words_in("noun_verbs")
_OWNING = ("for", "from", "in", "at", "on", "about", "by", "among")


def read_terms(r: Reader) -> list[Term]:
    """Read one term, or several that share a head: `average and maximum age`."""
    if r.cursor.role(Role.DETAILS):
        return _read_details(r)
    if r.cursor.role(Role.COUNT) or aggregate_at(r):
        return _read_measures(r)
    distinct = r.cursor.accept(Role.DISTINCT) is not None
    mention = read_mention(r)
    if mention is None:
        return []
    if _takes_count(r, mention):
        return [Measure(Aggregate.COUNT, mention)]
    if _is_sum(r, mention):
        return [Measure(Aggregate.SUM, mention)]
    r.sketch.distinct = r.sketch.distinct or distinct
    return [Field(mention)]


def _is_sum(r: Reader, mention: Mention) -> bool:
    """Say whether `total cost of all bookings` adds up what each row calls its total."""
    best = mention.meanings[0].column if mention.meanings else None
    total = best is not None and best.is_measure and best.words[0] == "total"
    if not total or mention.text.lower().split()[0] != "total" or r.sketch.items:
        return False
    follows = r.cursor.peek()
    return follows is not None and bool(follows.role(Role.OF)) and _are_many(r)


def _are_many(r: Reader) -> bool:
    """Say whether `of all`, or a plural, follows."""
    ahead = 0
    while (chunk := r.cursor.peek(ahead)) is not None and ahead < 6:
        if "all" in chunk.text.lower().split():
            return True
        if names_table(chunk):
            return chunk.tokens[-1].lower != chunk.tokens[-1].lemma
        ahead += 1
    return False


def _takes_count(r: Reader, mention: Mention) -> bool:
    """Read `count` behind a table: `review count`."""
    follows = r.cursor.peek()
    counted = follows is not None and follows.text.lower() in {"count", "counts"}
    if not counted or mention.table_score <= mention.column_score:
        return False
    r.cursor.take()
    return True


def read_term(r: Reader) -> Term | None:
    found = read_terms(r)
    return found[0] if found else None


def read_mention(r: Reader) -> Mention | None:
    """Read a name with what stands beside it: `customer's city`, `staff members`."""
    r.cursor.skip()
    chunk = r.cursor.peek()
    if chunk is None or not is_name(chunk):
        return None
    mention = r.mention(r.cursor.take())
    if r.cursor.role(Role.POSSESSIVE) and is_name(r.cursor.peek(1)):
        r.cursor.take()
        r.see_table(mention)
        return read_owned(r, mention)
    mention = _read_compound(r, mention)
    return _named_column(r, mention)


def _named_column(r: Reader, mention: Mention) -> Mention:
    """Read `the name of the building`, where the building is a column and not a table."""
    ahead = 1
    while (chunk := r.cursor.peek(ahead)) is not None and _passes(r, ahead):
        ahead += 1
    generic = mention.text.lower() in {"name", "names", "value", "values"}
    column = names_column(chunk) and not names_table(chunk)
    if not generic or not r.cursor.role(Role.OF) or not column or chunk is None:
        return mention
    if is_flag(r.mention(chunk)):
        return mention
    r.cursor.at += ahead
    return r.mention(r.cursor.take())


def read_owned(r: Reader, owner: Mention) -> Mention | None:
    chunk = r.cursor.take()
    return _read_compound(r, replace(r.mention(chunk), near=owner))


def _read_compound(r: Reader, mention: Mention) -> Mention:
    """Take names that follow without a word between: the last one is the head."""
    while is_name(r.cursor.peek()) and not _is_shaping(r) and not value_here(r):
        if _is_verb_of(r, mention) or _is_clause(r, mention):
            break
        chunk = r.cursor.take()
        head = r.mention(chunk)
        if names_table(chunk) and (state := state_of(r, mention, _tables(chunk))) is not None:
            r.add(state)
            mention = head
        elif is_flag(mention) and names_table(chunk):
            r.add(Flag(mention))
            mention = head
        elif mention.table_score > mention.column_score and names_column(chunk):
            r.see_table(mention)
            mention = replace(head, near=mention)
        elif names_table(chunk):
            # What stands before a table's name narrows it: it is no item of its own.
            mention = head
        else:
            mention = _merged(mention, head)
    return mention


def _tables(chunk: Chunk) -> set[str]:
    return {m.table.name for m in chunk.meanings if m.column is None}


def state_of(r: Reader, adjective: Mention, names: set[str]) -> Missing | None:
    """Read `open tickets`, `shipped orders`: whether the day on which it happened is there."""
    words = adjective.text.lower().split()
    if len(words) != 1:
        return None
    contrary = opposite_of(words[0])
    for word, empty in ((contrary, True), (words[0] if words[0].endswith("ed") else None, False)):
        meanings = r.lexicon.meanings(tokenize(word)) if word else ()
        days = tuple(
            m
            for m in meanings
            if m.column is not None and m.column.is_time and m.table.name in names and m.score > 0.6
        )
        if days and days[0].column is not None and days[0].column.nullable:
            return Missing(Mention(word or "", adjective.at, days), truth=empty)
    return None


def _is_verb_of(r: Reader, table: Mention) -> bool:
    """Say whether the next word is what the rows do or what was done, and no column of theirs."""
    chunk = r.cursor.peek()
    if table.table_score < table.column_score:
        return is_participle(chunk) and names_table(chunk)
    if is_participle(chunk) or (chunk is not None and chunk.text.lower() in _ALSO_VERBS):
        return True
    if chunk is None or not chunk.is_glue:
        return False
    own = {m.table.name for m in table.meanings if m.column is None and m.score == table.best}
    word = chunk.tokens[-1].lemma
    return not any(
        m.table.name in own and (m.column is None or word in m.column.words)
        for m in chunk.meanings
        if m.score > 0.9
    )


def _is_clause(r: Reader, mention: Mention) -> bool:
    """Say whether what follows is a clause of its own: `in which years cars were produced`."""
    asked = r.cursor.role(Role.WHICH, -2)
    verb = r.cursor.peek(1)
    begins = verb is not None and (verb.role(Role.BE) or verb.role(Role.HAVE))
    column = mention.column_score > mention.table_score
    if not (asked and begins and column and names_table(r.cursor.peek())):
        return False
    r.sketch.which = True
    return True


def _is_shaping(r: Reader) -> bool:
    """Say whether the next name is rather a word that shapes the sentence."""
    chunk = r.cursor.peek()
    return chunk is not None and any(
        keyword.role not in {Role.FILL, Role.DETAILS, Role.DIRECTION} for keyword in chunk.keywords
    )


def _merged(first: Mention, head: Mention) -> Mention:
    """Join two names that mean one column together; the head counts more."""
    boosted = [replace(m, score=m.score + 0.2) for m in head.meanings]
    tables = {m.table.name for m in head.meanings}
    others = [replace(m, score=m.score + 0.02) for m in first.meanings if m.table.name in tables]
    meanings = tuple(sorted((*boosted, *others), key=lambda m: -m.score))
    return replace(head, text=f"{first.text} {head.text}", meanings=meanings, near=first.near)


def _read_details(r: Reader) -> list[Term]:
    r.cursor.take()
    r.cursor.skip(Role.OF)
    r.cursor.accept(Role.PREPOSITION)
    r.cursor.skip()
    if names_table(r.cursor.peek()):
        mention = r.mention(r.cursor.take())
        r.see_table(mention)
        return [Everything(mention)]
    return [Everything(None)]


def _read_measures(r: Reader) -> list[Term]:
    """Read `number of X`, `average X`, `minimum and maximum X`, `average X and Y`."""
    aggregates = _read_aggregates(r)
    grain = r.cursor.accept(Role.GRAIN)
    if grain is not None:
        r.sketch.groups.append(Bucket(Grain(grain.argument)))
    distinct = r.cursor.accept(Role.DISTINCT) is not None
    r.cursor.skip()
    distinct = r.cursor.accept(Role.DISTINCT) is not None or distinct
    while value_here(r) and read_value(r):
        r.cursor.skip()
    counting = aggregates != [Aggregate.COUNT] and r.cursor.accept(Role.COUNT) is not None
    mention = read_mention(r)
    if mention is None:
        return _measures_of_nothing(r, aggregates)
    if aggregates == [Aggregate.COUNT] and _counts_time(mention):
        r.sketch.unexplained.append(mention.text)
    if _takes_count(r, mention):
        return [Measure(Aggregate.COUNT, mention, distinct=distinct)]
    if counting:
        return [_figure_of_counts(aggregate, mention) for aggregate in aggregates]
    if r.cursor.role(Role.OF) and names_table(r.cursor.peek(1)):
        mention = _read_owner(r, mention)
    return [Measure(aggregate, mention, distinct=distinct) for aggregate in aggregates]


def _measures_of_nothing(r: Reader, aggregates: list[Aggregate]) -> list[Term]:
    """Read `and how many?`: what things are ranked by, or how many rows there are."""
    if aggregates == [Aggregate.COUNT]:
        return [counted_by(r) or Measure(Aggregate.COUNT, None)]
    same = [
        item
        for item in r.sketch.items
        if isinstance(item, Measure) and r.zone is Zone.FILTER and [item.aggregate] == aggregates
    ]
    return [*same[:1]]


def counted_by(r: Reader) -> Measure | None:
    """Return the count that things are ranked by: `which has the most, and how many?`."""
    terms = [*(key.term for key in r.sketch.order[-1:]), *r.asked]
    counts = (t for t in terms if isinstance(t, Measure) and t.aggregate is Aggregate.COUNT)
    return next(counts, None)


def _counts_time(mention: Mention) -> bool:
    """Say whether days or months are counted that no column is named by."""
    word = singular(mention.text.lower())
    if word not in {"day", "week", "month", "year", "hour", "minute"}:
        return False
    return not any(m.column is not None and word in m.column.words for m in mention.meanings)


def _read_aggregates(r: Reader) -> list[Aggregate]:
    found: list[Aggregate] = []
    while True:
        r.cursor.skip()
        count = r.cursor.role(Role.COUNT)
        keyword = count or aggregate_at(r)
        if keyword is None or (found and count is not None):
            break
        r.cursor.take()
        found.append(Aggregate.COUNT if count else Aggregate(keyword.argument))
        if count is not None or not _another_aggregate(r):
            break
    r.cursor.skip(Role.OF)
    return found


def _another_aggregate(r: Reader) -> bool:
    """Pass over `and` or a comma where another aggregate follows."""
    ahead = 0
    while r.cursor.role(Role.AND, ahead) or r.cursor.role(Role.COMMA, ahead):
        ahead += 1
    if aggregate_at(r, ahead) is None:
        return False
    r.cursor.at += ahead
    return True


def aggregate_at(r: Reader, ahead: int = 0) -> Keyword | None:
    """Return the aggregate here; `highest` is one where it stands in a list of them."""
    keyword = r.cursor.role(Role.AGGREGATE, ahead)
    extreme = r.cursor.role(Role.EXTREME, ahead)
    if keyword is not None or extreme is None or extreme.argument not in {"max", "min"}:
        return keyword
    listed = any(r.cursor.role(role, ahead + 1) for role in (Role.AND, Role.COMMA))
    after = range(ahead + 1, ahead + 4)
    others = any(r.cursor.role(role, n) for n in after for role in (Role.AGGREGATE, Role.EXTREME))
    behind = any(r.cursor.role(role, ahead - 1) for role in (Role.AND, Role.COMMA))
    return extreme if (listed and others) or behind else None


def _figure_of_counts(aggregate: Aggregate, mention: Mention | None) -> Term:
    """Read `average number of X`: a column that holds the number, or counts of each."""
    return Measure(aggregate, mention, each=mention)


def _read_owner(r: Reader, mention: Mention) -> Mention:
    r.cursor.take()
    owner = r.mention(r.cursor.take())
    r.see_table(owner)
    return replace(mention, near=owner)


def read_owner_of_items(r: Reader) -> bool:
    """Read `of the singers` behind a list of items: what the list belongs to."""
    if not r.listed or not _owning_word(r):
        return False
    ahead = 1
    while (chunk := r.cursor.peek(ahead)) is not None and _passes(r, ahead):
        ahead += 1
    if chunk is None or not names_table(chunk):
        return False
    r.sketch.common = r.sketch.common or r.cursor.role(Role.SHARED) is not None
    loosely = r.cursor.role(Role.PREPOSITION) is not None
    r.cursor.at += ahead
    owner = read_mention(r)
    if owner is not None:
        r.own(owner, figures=not loosely)
    return owner is not None


def _owning_word(r: Reader) -> bool:
    preposition = r.cursor.role(Role.PREPOSITION)
    if preposition is not None:
        return preposition.argument in _OWNING
    return (r.cursor.role(Role.OF) or r.cursor.role(Role.SHARED)) is not None


def _passes(r: Reader, ahead: int) -> bool:
    chunk = r.cursor.peek(ahead)
    roles = (Role.ALL, Role.FILL, Role.OF, Role.DISTINCT)
    return chunk is not None and not chunk.meanings and any(chunk.role(role) for role in roles)


def read_bucket(r: Reader) -> Bucket | None:
    keyword = r.cursor.accept(Role.GRAIN)
    return Bucket(Grain(keyword.argument)) if keyword else None


def near(term: Term, owner: Mention | None) -> Term:
    return with_near(term, owner) if owner is not None else term
