"""Finds the figures in a text that claim something about the data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_SPACES = "\u0020\u00a0\u2009\u202f"
_NUMBER = (
    rf"\d{{1,3}}(?:[{_SPACES}'\u2019]\d{{3}})+(?!\d)(?:[.,]\d+)?"  # 12 345,6
    r"|\d+(?:[.,]\d+)*"  # 12,345.6 and 12.345,6
)
_SCALES = {
    **dict.fromkeys(("k", "thousand", "thousands", "mil", "tsd"), 1e3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions", "millionen", "millones"), 1e6),
    **dict.fromkeys(("b", "bn", "billion", "billions", "mrd"), 1e9),
    **dict.fromkeys(("tn", "trillion", "trillions"), 1e12),
}
_FIGURE = re.compile(
    rf"(?<![\w.,/:#'])(?<!\w-)(?P<number>{_NUMBER})"
    rf"(?:[{_SPACES}]?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b)?"
    rf"(?:(?P<points>[{_SPACES}]?(?:pp|(?:percentage|percent|%)[{_SPACES}-]?points?)\b)"
    rf"|(?P<percent>[{_SPACES}]?(?:%|\u2030|(?:percent|per cent|prozent|por ciento)\b)))?"
    r"(?P<after>x\b|\u00d7)?(?![\w/:#]|-\d|[.,]\d)",
    re.IGNORECASE,
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# Numbers that name a day, a rank or a span that the reader chose: no claims about the data.
_NO_CLAIM = re.compile(
    rf"\b\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?(?:[T ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?"
    rf"|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\b\d{{1,2}}:\d{{2}}\b"
    rf"|(?<![\d.,])\b\d{{1,2}}(?:st|nd|rd|th)?\.?[ \t]+(?:of\s+)?(?:{_MONTHS})\b"
    rf"|\b(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s*%)"
    r"|\b(?:week|quarter|step|page|row|no\.?|number|version|level|group|cluster|bucket)\s+#?\d+\b"
    r"|\b(?:top|bottom|last|past|previous|first|next|within|rolling|trailing|every)\s+\d+\b(?!\s*%)"
    r"|\band\s+\d[\d,]*\s+(?:more|others?)\b(?!\s+than)"
    r"|^\s*\d{1,2}[.)]\s"
    r"|`[^`]*`|https?://\S+|\b\d+(?:st|nd|rd|th)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ABOUT = re.compile(
    r"(?:\babout|\baround|\broughly|\bnearly|\balmost|\bover|\bmore than|\bless than|\bunder"
    r"|\bapprox\w*\.?|\bsome|\bjust|\bclose to|\bat least|~|\u2248)\s*[$\u20ac\u00a3\u00a5]?\s*$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?:[{_SPACES}](?:and|to|or)[{_SPACES}]|[\u2013-])[$\u20ac\u00a3]?(?=\d)", re.IGNORECASE
)
_SHARE_OF = re.compile(
    r"[)*_]*\s+of\s(?!growth|increase|decline|decrease)\s*"
    r"(?:(?:all|the|total|its|their|our|your|overall|annual|whole|\w+'s|\w+\u2019s)\s+)*(\w*)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PLAIN = re.compile("\\d+(?:x|\u00d7)?", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_SMALL = 10


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text: the values that it may stand for, each with its tolerance.

    Where a point or a comma may be a decimal mark or not, both readings are there. `is_ratio` says
    that words compare two amounts: twice as much, a third of it; `share_of` is the word that a
    percentage is said to be of, `is_points` that it is the gap between two.
    """

    written: str
    readings: tuple[tuple[float, float], ...]
    is_percent: bool
    start: int
    end: int
    is_ratio: bool = False
    share_of: str | None = None
    is_points: bool = False

    @property
    def is_share(self) -> bool:
        return self.share_of is not None

    def covers(self, other: Figure) -> bool:
        return self.start <= other.start < self.end


@lru_cache(maxsize=64)
def claims(text: str) -> tuple[Figure, ...]:
    """Return the figures that say something about the data, in their order.

    Dates, years, ordinals, list numbers, names in backticks and small whole numbers are none.
    """
    if _DIGIT.search(text) is None:
        return ()
    blanked = _NO_CLAIM.sub(lambda found: " " * len(found[0]), text)
    return tuple(each for each in _figures(blanked, text) if not _claims_nothing(each))


def all_numbers(text: str) -> Iterator[float]:
    """Return every value that stands in a text, in each of its readings."""
    for figure in _figures(text, text):
        for value, _ in figure.readings:
            yield value


def _figures(text: str, original: str) -> Iterator[Figure]:
    for found in _FIGURE.finditer(text):
        unit = (
            found
            if found["scale"] or found["percent"] or found["points"]
            else _unit_of_range(text, found)
        )
        scales = {1.0, _scale(unit)} if unit is not found else {_scale(unit)}
        is_about = _ABOUT.search(text[max(found.start() - 25, 0) : found.start()]) is not None
        readings = tuple(
            (value * scale, tolerance * scale)
            for scale in sorted(scales)
            for value, tolerance in _readings(found["number"], about=is_about)
        )
        share = _SHARE_OF.match(text, found.end())
        is_percent = unit["percent"] is not None or unit["points"] is not None
        yield Figure(
            written=original[found.start() : found.end()].strip(),
            readings=readings,
            is_percent=is_percent,
            start=found.start(),
            end=found.end(),
            share_of=share[1] if share and is_percent else None,
            is_points=unit["points"] is not None,
        )


def _unit_of_range(text: str, found: re.Match[str]) -> re.Match[str]:
    """Return the end of a range, which may say the unit of both: between 2.8 and 5.6 million."""
    if _YEAR.fullmatch(found[0]):
        return found
    to = _RANGE.match(text, found.end())
    return (_FIGURE.match(text, to.end()) if to else None) or found


def _scale(found: re.Match[str]) -> float:
    return _SCALES[found["scale"].lower()] if found["scale"] else 1.0


def _readings(number: str, *, about: bool) -> Iterator[tuple[float, float]]:
    flat = re.sub(rf"[{_SPACES}'\u2019]", "", number)
    seen = set[str]()
    for decimal, thousands in ((".", ","), (",", ".")):
        whole, *rest = flat.split(decimal)
        if len(rest) > 1 or (rest and thousands in rest[0]) or not _is_grouped(whole, thousands):
            continue
        plain = whole.replace(thousands, "") + ("." + rest[0] if rest else "")
        if plain not in seen:
            seen.add(plain)
            yield float(plain), _tolerance(plain, about=about)


def _is_grouped(whole: str, mark: str) -> bool:
    first, *groups = whole.split(mark)
    return not groups or (len(first) <= 3 and all(len(group) == 3 for group in groups))


def _tolerance(plain: str, *, about: bool) -> float:
    """Return half a unit of the last digit that counts; a whole one where the text says about."""
    _, _, decimals = plain.partition(".")
    value = float(plain)
    unit = 10.0 ** -len(decimals)
    if not decimals:
        zeros = len(plain) - len(plain.rstrip("0"))
        if about:
            return max(10.0**zeros, 1.0)
        # 1,240,000 for 1,238,456 is fair rounding; 1,000 for 1,238 is not.
        rounded = min(0.5 * 10.0**zeros, 0.005 * value) if zeros > 1 else 0.0
        return max(0.5 * unit, rounded)
    return unit if about else 0.5 * unit


def _claims_nothing(figure: Figure) -> bool:
    if figure.is_percent:
        return False
    is_plain = _PLAIN.fullmatch(figure.written) is not None
    return is_plain and all(_is_small(value) or _is_year(value) for value, _ in figure.readings)


def _is_small(value: float) -> bool:
    return value == int(value) and value <= _SMALL


def _is_year(value: float) -> bool:
    return value == int(value) and 1900 <= value <= 2100
