"""Reads differences: `the days between hire and termination`, `difference between A and B`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import (
    COLUMN_ENOUGH,
    Reader,
    is_name,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Field,
    Gap,
    Measure,
    Mention,
    Span,
    Term,
)
from adapters.models.offline.sketch.terms import read_mention, read_terms
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import date_columns

_TIMES = frozenset({"time", "day"})
_MOMENTS = frozenset({"day", "date", "time", "moment"})
_DURATIONS = frozenset({"time", "times", "duration"})
_LONGEST = 4  # phrases
_EXTREMES = {"longest": "max", "slowest": "max", "shortest": "min", "fastest": "min"}
_TAKES = frozenset(
    {"does", "do", "did", "it", "takes", "took", "take", "needed", "required", "taken"}
)
_PASSES = frozenset({"pass", "passed", "passes", "lie", "elapse", "elapsed", "go by"})
_STAYS = ("length of stay", "length of stays", "stay length", "duration of stay")
_ENDING = 0.8
_UNITS = {"day": Grain.DAY, "month": Grain.MONTH, "year": Grain.YEAR, "time": Grain.DAY}


def read_span(r: Reader) -> bool:
    at = r.cursor.at
    for rule in (_day_of, _days, _until_done, _difference, _on_average):
        if rule(r):
            return True
        r.cursor.at = at
    return False


def _day_of(r: Reader) -> bool:
    """Read `with the day on which each opened`, `the date when they signed up`."""
    chunk, subject = r.cursor.peek(), r.sketch.subject
    if chunk is None or subject is None or chunk.tokens[0].lemma not in _MOMENTS:
        return False
    r.cursor.take()
    r.cursor.accept(Role.PREPOSITION)
    when = r.cursor.peek()
    if when is None or not (when.role(Role.WHICH) or when.text.lower() == "when"):
        return False
    r.cursor.take()
    r.cursor.accept(Role.EACH)
    r.cursor.skip()
    verb = r.cursor.peek()
    days = tuple(m for m in verb.meanings if m.column and m.column.is_time) if verb else ()
    if verb is None or not days:
        return False
    r.cursor.take()
    r.show(Field(Mention(verb.text, verb.start, days, near=subject)))
    return True


def _on_average(r: Reader) -> bool:
    """Pass over `on average` behind a time that is averaged anyway."""
    last = r.sketch.items[-1] if r.sketch.items else None
    average = r.cursor.accept(Role.AGGREGATE)
    averaged = isinstance(last, Span) and last.aggregate is Aggregate.AVG
    return averaged and average is not None and average.argument == "avg"


def _days(r: Reader) -> bool:
    """Read `average number of days between the order date and the ship date`."""
    aggregate: Aggregate | None = None
    average = r.cursor.accept(Role.AGGREGATE)
    if average is not None:
        aggregate = Aggregate(average.argument)
    r.cursor.skip(Role.COUNT)
    chunk = r.cursor.peek()
    unit = _UNITS.get(chunk.tokens[0].lemma) if chunk is not None else None
    if unit is None:
        return False
    if (passes := r.cursor.peek(1)) is not None and passes.text.lower() in _PASSES:
        r.cursor.take()
    if (average := r.cursor.role(Role.AGGREGATE, 1)) is not None:
        aggregate = Aggregate(average.argument)
        r.cursor.take()
    if chunk is None or not (r.cursor.role(Role.BETWEEN, 1) or _from(r)):
        return False
    r.cursor.at += 2
    dates = _two_dates(r, surely=chunk.tokens[0].lemma == "time")
    if dates is None:
        return False
    if chunk.tokens[0].lemma == "time":
        # Nobody wants the time of each row who does not say so.
        aggregate = aggregate or Aggregate.AVG
    first, pick, last = dates
    r.show(Span(first, last, unit or Grain.DAY, aggregate, pick))
    return True


def _two_dates(r: Reader, *, surely: bool) -> tuple[Mention, str, Mention] | None:
    """Take the two dates, and which of several the last one is; `surely` dates where so wished."""
    first = _date(r)
    if first is None or r.cursor.accept(Role.AND, Role.TO, Role.BOUND) is None:
        return None
    pick = _pick(r)
    last = _date(r)
    if last is None or (pick and not _has_dates(last)):
        return None
    dates = not surely or (_has_dates(first) and _has_dates(last))
    return (first, pick, last) if dates else None


def _pick(r: Reader) -> str:
    """Take `their first` of `the days from signup to their first order`."""
    at = r.cursor.at
    r.cursor.skip(Role.BE, Role.PREPOSITION)
    keyword = r.cursor.accept(Role.EXTREME)
    if keyword is not None and keyword.argument in {"first", "last"}:
        return keyword.argument
    r.cursor.at = at
    return ""


def _has_dates(mention: Mention) -> bool:
    return any(m.column is not None and m.column.is_time for m in mention.meanings)


def _until_done(r: Reader) -> bool:
    """Read `average time to ship`, `delivery time`, `length of stay`: between two dates of a row.

    Nobody wants the time of each row who does not say so: without another word it is averaged.
    """
    aggregate = Aggregate.AVG
    said = r.cursor.accept(Role.AGGREGATE)
    if said is not None and said.argument in {"avg", "min", "max"}:
        aggregate = Aggregate(said.argument)
    elif said is not None:
        return False
    first = r.cursor.peek()
    if first is not None and first.text.lower() in _EXTREMES:
        aggregate = Aggregate(_EXTREMES[r.cursor.take().text.lower()])
    r.cursor.skip(Role.COUNT)
    found = _to_do(r) or _named_time(r)
    if found is None:
        return False
    _skip_unit(r)
    r.show(Span(*found, Grain.DAY, aggregate))
    return True


def _to_do(r: Reader) -> tuple[Mention, Mention] | None:
    """Read `time to ship`, `days it takes to close`: the verb names the last date."""
    at = r.cursor.at
    chunk = r.cursor.peek()
    if chunk is None or chunk.tokens[0].lemma not in _TIMES:
        return None
    r.cursor.take()
    while (each := r.cursor.peek()) is not None and each.text.lower() in _TAKES:
        r.cursor.take()
    verb = r.cursor.peek(1)
    dates = None
    if r.cursor.accept(Role.TO, Role.BOUND) is not None and verb is not None:
        dates = _ends(verb.meanings, at) or _over(r, verb)
    if dates is None:
        r.cursor.at = at
    else:
        r.cursor.take()
    return dates


def _named_time(r: Reader) -> tuple[Mention, Mention] | None:
    """Read `delivery time`, `resolution time`, `length of stay`."""
    at, chunks = r.cursor.at, r.cursor.chunks
    words = ""
    for taken in range(1, _LONGEST + 1):
        if at + taken > len(chunks):
            return None
        words = f"{words} {chunks[at + taken - 1].text.lower()}".strip()
        head, _, last = words.rpartition(" ")
        dates = None
        if words in _STAYS:
            dates = _ends(_endings(r), at)
        elif head and last in _DURATIONS:
            tokens = tuple(t for c in chunks[at : at + taken] for t in c.tokens)[:-1]
            dates = _ends(r.lexicon.meanings(tokens), at) or _over(r, chunks[at])
        if dates is not None:
            r.cursor.at += taken
            return dates
    return None


def _over(r: Reader, chunk: Chunk) -> tuple[Mention, Mention] | None:
    """Return the dates of what is over, for words that say just that: `resolve`, `handling`."""
    over = stem(chunk.tokens[0].lower) in {stem(word) for word in words_in("over")}
    return _ends(_endings(r), r.cursor.at) if over else None


def _endings(r: Reader) -> tuple[Meaning, ...]:
    """Return the dates by which something is over, whatever they are of."""
    ends = {stem(word) for word in words_in("ends")}
    return tuple(
        Meaning(table, column, _ENDING)
        for table in r.lexicon.schema.tables
        for column in table.columns
        if column.is_time and {stem(word) for word in column.words} & ends
    )


def _ends(meanings: Sequence[Meaning], at: int) -> tuple[Mention, Mention] | None:
    """Return the date before and the date that is meant, of tables that have both."""
    pairs: list[tuple[Meaning, Meaning]] = []
    for meaning in meanings:
        last, table = meaning.column, meaning.table
        if last is None or not last.is_time or meaning.score < COLUMN_ENOUGH:
            continue
        dates = [column for column in date_columns(table) if column is not last]
        order = table.columns.index
        before = [column for column in dates if order(column) < order(last)]
        # What is named after its beginning, as a loan is, lasts until it is over.
        over = [column for column in dates if column.nullable and not last.nullable]
        for first, then in [(each, last) for each in before[:1]] or [(last, e) for e in over[:1]]:
            score = max(meaning.score, _ENDING)
            pairs.append((Meaning(table, first, score), Meaning(table, then, score)))
    if not pairs:
        return None
    last_date = Mention("last date", at, tuple(last for _, last in pairs))
    return Mention("first date", at, tuple(first for first, _ in pairs), near=last_date), last_date


def _skip_unit(r: Reader) -> None:
    """Pass over `in days`; what it counts is days."""
    unit = r.cursor.peek(1)
    preposition = r.cursor.role(Role.PREPOSITION)
    if preposition is not None and unit is not None and unit.tokens[0].lemma == "day":
        r.cursor.at += 2


def _from(r: Reader) -> bool:
    chunk = r.cursor.peek(1)
    return chunk is not None and chunk.text.lower() in {"from", "it takes from", "taken from"}


def _date(r: Reader) -> Mention | None:
    r.cursor.skip(Role.BE, Role.PREPOSITION)
    thing = names_table(r.cursor.peek())
    mention = read_mention(r)
    return _when(mention) if thing and mention is not None else mention


def _when(mention: Mention) -> Mention:
    """Return the day of a thing: `between an order and its shipping`."""
    days = tuple(
        Meaning(m.table, column, m.score)
        for m in mention.meanings
        if m.column is None
        for column in date_columns(m.table)[:1]
    )
    return replace(mention, meanings=days) if days else mention


def _difference(r: Reader) -> bool:
    """Read `difference between the highest and lowest price`."""
    said = r.cursor.accept(Role.AGGREGATE)
    if r.cursor.accept(Role.DIFFERENCE) is None:
        return False
    r.cursor.accept(Role.BETWEEN)
    r.cursor.skip()
    if said is not None:
        return _of_columns(r, Aggregate(said.argument))
    top = _figure(r)
    if top is None:
        return False
    r.cursor.skip(Role.AND, Role.TO)
    bottom = _figure(r)
    if bottom is None:
        return False
    if isinstance(top, Measure) and top.mention is None and isinstance(bottom, Measure):
        top = Measure(top.aggregate, bottom.mention)
    r.show(Gap(top, bottom))
    return True


def _of_columns(r: Reader, aggregate: Aggregate) -> bool:
    """Read `average difference between list price and unit cost`: of two columns of a row."""
    top = read_mention(r) if names_measure(r.cursor.peek()) else None
    joined = r.cursor.accept(Role.AND, Role.TO)
    r.cursor.skip()
    bottom = read_mention(r) if names_measure(r.cursor.peek()) else None
    if top is None or joined is None or bottom is None or aggregate is Aggregate.MEDIAN:
        return False
    r.show(Gap(Field(top), Field(bottom), aggregate))
    return True


def _figure(r: Reader) -> Term | None:
    """Read one side; a superlative alone shares the name that stands behind the other."""
    r.cursor.skip()
    extreme = r.cursor.role(Role.EXTREME)
    if extreme is None:
        terms = read_terms(r)
        return terms[0] if terms else None
    r.cursor.take()
    aggregate = Aggregate.MAX if extreme.argument in {"max", "last"} else Aggregate.MIN
    r.cursor.skip()
    mention = read_mention(r) if is_name(r.cursor.peek()) else None
    return Measure(aggregate, mention)
