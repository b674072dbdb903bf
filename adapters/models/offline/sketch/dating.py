"""Reads when: `in 2023`, `before March 2021`, `between 2019 and 2021`, `in the last 30 days`."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Grain, Period, floor, shift, shifted
from adapters.models.offline.sketch.amounts import at_year
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.operands import year_of
from adapters.models.offline.sketch.reader import Reader, is_name
from adapters.models.offline.sketch.sketch import Bucket, Dated, Mention, Term
from adapters.models.offline.world.lexicon import Meaning

_OPEN_ENDS = {
    "after": "since", "later": "since", "onwards": "since", "before": "until", "earlier": "until",
}  # fmt: skip
_GRAINS = {grain.value: grain for grain in Grain}


def read_date(r: Reader) -> bool:
    """Read a period with the word before it that says how it bounds."""
    return _shifted(r) or _bounded(r) or _between(r) or _within(r)


def _shifted(r: Reader) -> bool:
    """Read `2 months after March 2021`, and `the 2 days before Saturday`, which are both days."""
    at = r.cursor.at
    r.cursor.accept(Role.PREPOSITION)
    article = r.cursor.peek()
    r.cursor.skip(Role.COMPARE)
    number = r.cursor.peek()
    unit = r.cursor.peek(1)
    grain = _GRAINS.get(unit.tokens[0].lemma) if unit is not None else None
    bound = r.cursor.role(Role.BOUND, 2)
    if number is None or number.number is None or grain is None or bound is None:
        r.cursor.at = at
        return False
    r.cursor.at += 3
    period = _take_period(r)
    if period is None:
        r.cursor.at = at
        return False
    steps = int(number.number) * (-1 if bound.argument == "before" else 1)
    several = article is not None and article.text.lower() == "the"
    r.add(Dated(shifted(period, grain, steps, several=several), "in", _dating(r)))
    return True


def _bounded(r: Reader) -> bool:
    keyword = r.cursor.role(Role.BOUND)
    if keyword is None:
        return False
    at = r.cursor.at
    r.cursor.take()
    r.cursor.skip()
    mention = _date_word(r, only_time=False)
    period = _take_period(r)
    if period is None:
        r.cursor.at = at
        return False
    r.add(Dated(period, keyword.argument, mention or _dating(r)))
    return True


def _between(r: Reader) -> bool:
    at = r.cursor.at
    starts = r.cursor.accept(Role.BETWEEN) is not None or _accept_from(r)
    day = _day_of_month(r) if starts else 0
    first = _take_period(r) if starts else None
    if first is not None and r.cursor.accept(Role.AND, Role.TO, Role.BOUND):
        last = _take_period(r)
        first = _in_year_of(last, first, day) if last is not None else first
        if last is not None and first is not None:
            r.add(Dated(first, "between", _dating(r), until=last))
            return True
    r.cursor.at = at
    return False


def _day_of_month(r: Reader) -> int:
    """Take the day of `1 March and 31 May 2025`, whose year follows; 0 where there is none."""
    number, month = r.cursor.peek(), r.cursor.peek(1)
    if number is None or number.number is None or month is None or month.period is None:
        return 0
    if len(month.period.months) != 1 or number.number not in range(1, 32):
        return 0
    r.cursor.take()
    return int(number.number)


def _in_year_of(last: Period, first: Period, day: int) -> Period | None:
    """Give a month, or a day of one, the year of the period that it leads to."""
    if len(first.months) != 1 or last.start is None:
        return first
    [month] = first.months
    year = last.start.year - (month > last.start.month)
    if day > monthrange(year, month)[1]:
        return None
    start = date(year, month, day or 1)
    end = start + timedelta(days=1) if day else shift(Grain.MONTH, start, 1)
    return Period(first.text, start, end, Grain.DAY if day else Grain.MONTH)


def _accept_from(r: Reader) -> bool:
    chunk = r.cursor.peek()
    if chunk is None or chunk.text.lower() != "from":
        return False
    r.cursor.take()
    return True


def _within(r: Reader) -> bool:
    """Read `in 2023`, `in the year 2021`, `on weekends`, `last month`."""
    at = r.cursor.at
    preposition = r.cursor.accept(Role.PREPOSITION, Role.OF, Role.BETWEEN)
    r.cursor.skip()
    mention = _date_word(r, only_time=True)
    if r.cursor.role(Role.BOTH) and year_of(r.cursor.peek(1)):
        r.cursor.take()
        r.both = len(r.sketch.conditions)
    chunk = r.cursor.peek()
    period = chunk.period if chunk is not None and not chunk.quoted else None
    alone = r.cursor.role(Role.OUT_OF, 1) is not None or at_year(r, _last_item(r))
    if period is None and chunk is not None and (preposition or mention or alone):
        period = year_of(chunk)
    if chunk is None or period is None or _is_rather_a_value(chunk):
        r.cursor.at = at
        return False
    r.cursor.take()
    r.add(Dated(period, _open_end(r), mention or _dating(r)))
    _more(r, mention)
    return True


def _last_item(r: Reader) -> Term | None:
    return r.sketch.items[-1] if r.sketch.items else None


def _open_end(r: Reader) -> str:
    """Read `or after`, `or earlier` behind a period."""
    follows = r.cursor.peek(1)
    if r.cursor.role(Role.OR) is None or follows is None:
        return "in"
    relation = _OPEN_ENDS.get(follows.text.lower(), "in")
    if relation != "in" and year_of(r.cursor.peek(2)) is None:
        r.cursor.at += 2
        return relation
    return "in"


def _more(r: Reader, mention: Mention | None) -> None:
    """Read `2022 and 2023`, `January or March`: any of them."""
    while _goes_on(r):
        versus = r.cursor.role(Role.OUT_OF) is not None or _compares(r)
        ahead = 2 if r.cursor.role(Role.PREPOSITION, 1) else 1
        chunk = r.cursor.peek(ahead)
        period = (chunk.period or year_of(chunk)) if chunk is not None else None
        if period is None or chunk is None or _is_rather_a_value(chunk):
            return
        if r.both is None and _in_each(r):
            r.both = len(r.sketch.conditions) - 1
        r.cursor.at += ahead + 1
        r.either = r.both is None
        r.add(Dated(period, "in", mention or _dating(r)))
        if versus:
            # Two periods side by side: each is a group.
            r.sketch.groups.append(Bucket(period.grain))


def _in_each(r: Reader) -> bool:
    """Say whether something happened then `as well as` then: things that did so twice."""
    chunk, what = r.cursor.peek(), _dating(r)
    joined = chunk is not None and chunk.text.lower() in {"as well as", "and also"}
    subject = r.sketch.subject
    if not joined or what is None or subject is None:
        return False
    own = {m.table.name for m in subject.meanings if m.column is None}
    return not any(m.table.name in own for m in what.meanings[:1])


def _goes_on(r: Reader) -> bool:
    chunk = r.cursor.peek()
    if any(r.cursor.role(role) for role in (Role.AND, Role.OR, Role.OUT_OF)):
        return True
    return chunk is not None and chunk.text.lower() in {"with", "to"} and _compares(r)


def _compares(r: Reader) -> bool:
    first = r.cursor.peek(-r.cursor.at)
    return first is not None and first.text.lower() == "compare"


def _is_rather_a_value(chunk: Chunk) -> bool:
    """Say whether a phrase is a value and no date; a month may be both, and stays a date."""
    return chunk.period is None and bool(chunk.found) and year_of(chunk) is None


def _take_period(r: Reader) -> Period | None:
    r.cursor.skip()
    chunk = r.cursor.peek()
    if chunk is None or chunk.quoted:
        return None
    period = chunk.period or year_of(chunk)
    if period is not None:
        r.cursor.take()
    return period


def _date_word(r: Reader, *, only_time: bool) -> Mention | None:
    """Take a word such as `year` or `month` before the date itself."""
    chunk = r.cursor.peek()
    follows = r.cursor.peek(1)
    if chunk is None or follows is None or not is_name(chunk):
        return None
    skipped = 1
    if follows.role(Role.OF) is not None:
        follows, skipped = r.cursor.peek(2), 2
    if follows is not None and follows.role(Role.BOTH) is not None:
        follows = r.cursor.peek(skipped + 1)
    dated = follows is not None and (follows.period is not None or year_of(follows) is not None)
    if not dated or (only_time and not any(is_date(m) for m in chunk.meanings)):
        return None
    r.cursor.at += skipped
    return r.mention(chunk)


def _dating(r: Reader) -> Mention | None:
    """Return the verb or column before: what happened then."""
    return r.event or r.verb


def is_date(meaning: Meaning) -> bool:
    column = meaning.column
    if column is None:
        return False
    return column.is_time or column.is_year or bool({"month", "day"} & set(column.words))


def leave_out(r: Reader, period: Period) -> bool:
    """Read `excluding the current month` behind a period: it ends before that."""
    last = r.sketch.conditions[-1] if r.sketch.conditions else None
    if not isinstance(last, Dated) or period.start is None or last.period.start is None:
        return False
    end = last.period.end
    if not last.period.relative or end is None or end < period.start:
        return False
    start = floor(period.grain, last.period.start)
    whole = replace(last.period, start=start, end=min(end, period.start))
    r.sketch.conditions[-1] = replace(last, period=whole)
    return True
