"""Reads questions about the course of a figure: its best month, its growth, its trend."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from adapters.models.offline.reading.periods import RECURRING, Grain, floor, shift
from adapters.models.offline.reading.tails import parted
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Bucket,
    Condition,
    Dated,
    Field,
    Measure,
    OrderKey,
    Sketch,
)

_PERIOD = (
    r"(?P<grain>days? of the week|weekdays?|times? of (?:the )?day|hours?(?: of (?:the )?day)?"
    r"|days?|weeks?|months?|quarters?|years?)"
)
_HIGH = (
    r"best|busiest|strongest|top|highest|biggest|peak|most|largest|greatest|maximum|most popular"
)
_LOW = r"worst|slowest|weakest|quietest|lowest|smallest|least|fewest|minimum|poorest"
_OPENING = re.compile(
    r"^\W*(?:(?:please|so|and|ok|hey|hi|can you|could you|i want to (?:know|see)|tell me"
    r"|show(?: me)?|give me|list|find|what(?:'s| is| are| was| were)?|which (?:is|are|was|were)"
    r"|display|plot|see|chart)\s+)*(?:(?:the|our|my|an?)\s+)?",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    rf"(?P<n>\d+|one|two|three|four|five|ten)?\s*(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\s+"
    rf"(?P<m>\d+|two|three|four|five|ten)?\s*{_PERIOD}\b(?P<rest>.*)",
    re.IGNORECASE,
)
_WHICH_IS = re.compile(
    rf"(?:what|which) {_PERIOD} (?:is|are|was|were)(?: (?:the|our))? "
    rf"(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b(?P<rest>.*)",
    re.IGNORECASE,
)
_WHICH_HAS = re.compile(
    rf"(?:(?:at|on|in|during) )?(?:what|which) {_PERIOD} (?:(?:do|does|did) (?:we|you|they|people"
    r"|customers|i) )?(?:have|has|had|get|gets|got|see|sees|saw|receive|receives|received|make"
    r"|makes|made|take|takes|took|bring|brings|brought)(?: in)?(?: (?:the|our))? "
    rf"(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))(?: of (?:the|our))? (?P<rest>.+)",
    re.IGNORECASE,
)
_EVER = re.compile(r"^\s*(?:ever|of all times?|so far|overall|on record|to date)\b", re.IGNORECASE)
_BY_WHAT = re.compile(
    r"(?P<before>.*?)\b(?:by|for|in terms of|measured by|with respect to|of|in)\s+(?:the |our )?"
    r"(?P<figure>.+)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?:\d|q[1-4]\b|last\b|past\b|this\b|previous\b|january|february|march|april|may\b|june|july"
    r"|august|september|october|november|december|each\b|every\b)",
    re.IGNORECASE,
)
_PERIOD_ONLY = re.compile(r"(?:in|of|during|for|since|this|last)\b", re.IGNORECASE)
_UNUSUAL = re.compile(
    r"(?:unusual|odd|abnormal|strange|anomalous|outlier) (?P<grain>days?|weeks?|months?)\b"
    r"(?P<rest>(?: (?:in|of|during|for|since|this|last)\b.*)?)",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_GROWTH = r"(?:growth(?: rates?)?|changes?|development|increases?)"
_BASE = r"(?P<grain>day|week|month|quarter|year)"
_GROWN = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"(?P<a>.*?)\b{_BASE}[ -](?:over|on|to|by)[ -](?P=grain)\b(?P<b>.*)",
        r"(?P<a>.*?)\b(?P<short>dod|wow|mom|qoq|yoy|m/m|q/q|y/y)\b(?P<b>.*)",
        r"(?P<a>.*?)\b(?P<ly>daily|weekly|monthly|quarterly|yearly|annual)\b(?P<b>.*)",
        rf"(?P<a>.*?)\b(?:by|per|each|every|from) {_BASE}(?: to (?P=grain))?\b(?P<b>.*)",
    )
)
_SHORT = {"d": "day", "w": "week", "m": "month", "q": "quarter", "y": "year"}
_LY = {
    "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
    "yearly": "year", "annual": "year",
}  # fmt: skip
_OF_GROWTH = re.compile(
    rf"\b(?:(?:percent(?:age)?|absolute|relative) )?{_GROWTH}"
    r"(?: (?:of|in|for)(?= (?!\d|last|this)))?(?: the| our)?(?=\s|$)",
    re.IGNORECASE,
)
_GREW = re.compile(r"\b(?:grow|grew|grown|growing|fastest|most|top|which|who)\b", re.IGNORECASE)
_TREND = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r"how (?:did|does|do|has|have|is|are|was|were) (?:the |our )?(?P<figure>.+?) (?:been )?"
        r"(?:develop(?:ed|ing|s)?|evolv(?:e|ed|es|ing)|trend(?:ed|ing)?|progress(?:ed|ing)?)\b"
        r"(?P<tail>.*)",
        r"(?:is|are|was|were) (?:the |our )?(?P<figure>.+?) (?:(?:going|trending|moving|heading"
        r"|headed) (?:up|down)(?:wards?)?|rising|falling|growing|shrinking|declining|increasing"
        r"|decreasing|improving|getting (?:better|worse))(?: or (?:not|up|down|rising|falling"
        r"|growing|shrinking|declining|increasing|decreasing|getting (?:better|worse)))?\b"
        r"(?P<tail>.*)",
        r"(?P<ly>daily|weekly|monthly|quarterly|yearly|annual)? ?(?:trends?|development|evolution)"
        r" (?:of|in|for) (?:the |our )?(?P<figure>.+)(?P<tail>)",
        r"(?P<figure>.+?) (?:trends?|development|evolution)"
        r"(?P<tail>(?: (?:in|for|over|by|since|per) .*)?)",
        r"(?P<figure>.+?) over time\b(?P<tail>.*)",
        r"how (?:are|were) we doing (?:on|with|in terms of|for|regarding) (?:the |our )?"
        r"(?P<figure>.+)(?P<tail>)",
    )
)
_NOUNS = frozenset({"growth", "change", "development", "increase", "trend", "evolution"})
_OVER_TIME = re.compile(r"\bover (?:the )?(?:time|(?:last |past )?years)\b", re.IGNORECASE)
_GRAIN_SAID = re.compile(
    r"\b(?:by|per|each|every) (?:day|week|month|quarter|year|hour|weekday)\b"
    r"|\b(?:daily|weekly|monthly|quarterly|yearly|annually|annual|hourly)\b",
    re.IGNORECASE,
)
_WEEKS, _MONTHS = 45, 190  # days
_SHOWN = 10
_MOST = 100
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a figure that is asked for; `figure` is empty where none was named.

    `tail` is its period and what narrows it, `grain` None where none was named. `limit` are the
    first periods wanted, `descending` by the highest; `changes` wants each period beside the one
    before, `develops` where it all goes.
    """

    figure: str
    tail: str
    grain: Grain | None
    limit: int | None = None
    descending: bool = True
    changes: bool = False
    develops: bool = False

    def words(self, grain: Grain | None = None) -> str:
        """Say it plainly, as a figure by period."""
        wanted = grain or self.grain
        by = f" by {wanted.value}" if wanted is not None else ""
        return f"{self.figure}{by} {self.tail}".strip()


def words_of_courses(question: str) -> frozenset[str]:
    """Return the nouns of a question that ask for a course, such as growth, in the singular."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", question.lower())}
    return frozenset(words & _NOUNS)


def course_of(question: str) -> Course | None:
    """Return the course that a question asks for; None for every other question."""
    text = " ".join(question.split()).rstrip(" ?!.") if len(question) <= LONGEST else ""
    if not text:
        return None
    opening = _OPENING.match(text)
    bare = text[opening.end() :] if opening is not None else text
    return _extreme(text, bare) or _change(bare) or _trend(text, bare)


def unusual_grain(question: str) -> Grain | None:
    """Return the grain of `unusual days in 2025`, where no figure is named; None for others."""
    text = " ".join(question.split()).rstrip(" ?!.") if len(question) <= LONGEST else ""
    opening = _OPENING.match(text)
    found = _UNUSUAL.fullmatch(text[opening.end() :] if opening is not None else text)
    named = figure_named(found["rest"]) if found is not None else None
    return _grain(found["grain"]) if found is not None and named and not named[0] else None


def _extreme(text: str, bare: str) -> Course | None:
    """Read `best month ever by revenue`, `which weekday is the slowest`."""
    found = _EXTREME.fullmatch(bare) or _WHICH_IS.fullmatch(text)
    had = _WHICH_HAS.fullmatch(text) if found is None else None
    if had is not None:
        grain = _grain(had["grain"])
        # Dates are read by the rules for superlatives; parts of a day and of a week are not.
        if grain not in RECURRING:
            return None
        return Course(*parted(had["rest"].strip()), grain, 1, descending=had["high"] is not None)
    if found is None:
        return None
    said = found.groupdict()
    number = said.get("n") or said.get("m") or ""
    limit = int(number) if number.isdigit() else _NUMBERS.get(number.lower(), 1)
    if not number and found["grain"].lower().split()[0].endswith("s"):
        limit = 0
    figure = figure_named(_EVER.sub("", found["rest"]))
    if figure is None or limit > _MOST:
        return None
    grain = _grain(found["grain"])
    few = limit or (None if grain in RECURRING else _SHOWN)
    return Course(*figure, grain, few, descending=said["high"] is not None)


def figure_named(rest: str) -> tuple[str, str] | None:
    """Return the figure and its period: `in 2025 by revenue` is the revenue in 2025."""
    rest = rest.strip(" ,")
    at = 0
    while (found := _BY_WHAT.match(rest, at)) is not None:
        if not _WHEN.match(found["figure"]):
            figure, tail = parted(found["figure"])
            return figure, f"{rest[: found.end('before')].strip()} {tail}".strip()
        at = found.start("figure")
    is_period = not rest or _PERIOD_ONLY.match(rest) is not None
    return ("", rest) if is_period else None


def _change(bare: str) -> Course | None:
    """Read `revenue growth month over month`, `growth of orders by week`."""
    growth = _OF_GROWTH.search(bare)
    if growth is None or _GREW.search(bare):
        return None
    rest = f"{bare[: growth.start()]} {bare[growth.end() :]}"
    for pattern in _GROWN:
        found = pattern.fullmatch(rest)
        if found is None:
            continue
        said = found.groupdict()
        short, ly = said.get("short"), said.get("ly")
        name = _SHORT[short[0].lower()] if short else _LY[ly.lower()] if ly else said["grain"]
        figure = " ".join(f"{found['a']} {found['b']}".split())
        figure = re.sub(r"^(?:(?:of|in|for|the|our)\s+)+", "", figure, flags=re.IGNORECASE)
        return Course(*parted(figure), Grain(name.lower()), changes=True) if figure else None
    return None


def _trend(text: str, bare: str) -> Course | None:
    """Read `how did revenue develop in 2025`, `trend of orders`."""
    plain = re.sub(r"^\W*(?:please|so|and|ok)\s+", "", text, flags=re.IGNORECASE)
    for words in (plain, bare):
        for pattern in _TREND:
            found = pattern.fullmatch(words)
            if found is not None:
                return _developing(found)
    return None


def _developing(found: re.Match[str]) -> Course | None:
    figure = _OVER_TIME.sub("", f"{found['figure']} {found['tail'] or ''}")
    figure = " ".join(figure.split())
    ly = found.groupdict().get("ly") or ""
    if not figure or re.match(r"(?:which|what|who|how|why)\b", figure, re.IGNORECASE):
        return None
    said = _GRAIN_SAID.search(figure) is not None
    grain = Grain(_LY[ly.lower()]) if ly and not said else None
    return Course(*parted(figure), grain, develops=True)


def _grain(words: str) -> Grain:
    first = words.lower()
    if "week" in first and "day" in first:
        return Grain.WEEKDAY
    if first.startswith(("time", "hour")):
        return Grain.HOUR
    return Grain(first.removesuffix("s"))


def fitting(sketch: Sketch) -> Grain:
    """Return the grain that makes a series of a readable length of the period asked for."""
    dated = [each for each in sketch.conditions if isinstance(each, Dated)]
    for period in [each.period for each in dated if each.relation == "in" and each.until is None]:
        if period.start is not None and period.end is not None:
            days = (period.end - period.start).days
            return Grain.DAY if days <= _WEEKS else Grain.WEEK if days <= _MONTHS else Grain.MONTH
    return Grain.MONTH


def is_of_one_period(sketch: Sketch, course: Course) -> bool:
    """Say whether the growth of one period is asked for, which is beside the one before."""
    dated = [each for each in sketch.conditions if isinstance(each, Dated)]
    return course.changes and any(
        each.relation == "in" and each.until is None and each.period.grain is course.grain
        for each in dated
    )


def shaped(sketch: Sketch, course: Course) -> Sketch | None:
    """Return the plain sketch of a figure by period as the course asks for it."""
    figures = [item for item in sketch.items if isinstance(item, Measure | Field)]
    if sketch.subject is not None and not sketch.items:
        figures = [Field(sketch.subject)]
    if len(figures) != 1 or sketch.order or sketch.unexplained:
        return None
    if not any(isinstance(group, Bucket) for group in sketch.groups):
        return None
    sketch.changes, sketch.develops = course.changes, course.develops
    if course.changes or course.develops:
        return sketch
    [figure] = figures
    counted = isinstance(figure, Field) and figure.mention is sketch.subject
    term = Measure(Aggregate.COUNT, figure.mention) if counted else figure
    sketch.items[:] = [term]
    sketch.order = [OrderKey(term, course.descending, extreme=True)]
    sketch.limit = course.limit
    if not course.descending and course.grain is not None:
        sketch.settled = (*sketch.settled, f"{course.grain.value}s without any rows are left out")
    if course.grain is Grain.WEEK and not course.descending:
        sketch.conditions = [_of_whole_weeks(each, sketch) for each in sketch.conditions]
    return sketch


def _of_whole_weeks(condition: Condition, sketch: Sketch) -> Condition:
    """Leave out the days of weeks that lie in the period by a part: they would be the lowest."""
    period = condition.period if isinstance(condition, Dated) else None
    if not isinstance(condition, Dated) or period is None or condition.relation != "in":
        return condition
    if period.start is None or period.end is None or condition.until is not None:
        return condition
    first = shift(Grain.WEEK, floor(Grain.WEEK, period.start - timedelta(days=1)), 1)
    last = floor(Grain.WEEK, period.end)
    if (first, last) == (period.start, period.end) or first >= last:
        return condition
    sketch.settled = (*sketch.settled, "weeks that lie in the period by a part are left out")
    return replace(condition, period=replace(period, start=first, end=last))
