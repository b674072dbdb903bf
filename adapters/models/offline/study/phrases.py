"""Shapes of questions that take more than one statement: how two figures go together, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapters.models.offline.reading.tails import parted, with_its_word

_OPENING = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|i want (?:you )?to"
    r"|i(?:'d| would) like (?:you )?to|let'?s|kindly|now)\s+)*"
    r"(?:(?:analy[sz]e|examine|investigate|study|look (?:at|into)|explore|check|review|show(?: me)?"
    r"|find(?: out)?|calculate|compute|assess|what(?: is|'s| was)|tell me(?: about)?"
    r"|give me(?: an?)? (?:analysis|overview) of)\s+)?"
    r"(?:(?:whether|if)\s+)?(?:there (?:is|was)\s+|is there\s+)?(?:the|an?|our|my)?\s*",
    re.IGNORECASE,
)
_ANALYSE = re.compile(
    r"^\W*(?:(?:please|can you|could you|i want you to|let'?s)\s+)*(?:analy[sz]e|examine|review"
    r"|investigate|study|look (?:at|into)|give me(?: an?)? (?:analysis|overview) of)\s+",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|our|my|an?|their|its|your)\s+", re.IGNORECASE)
_BOND = r"(?:correlation|relationship|relation|association|connection|link)"
_PAIRS = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"{_BOND} (?:between|of|among) (?P<a>.+?) (?:and|with|to) (?P<b>.+)",
        r"correlate (?P<a>.+?) (?:and|with|to|against) (?P<b>.+)",
        rf"(?P<a>.+?)(?:'s)? {_BOND} (?:with|to|and) (?P<b>.+)",
        r"(?:(?:how\s+)?(?:do|does|did|is|are|was|were)\s+)?(?P<a>.+?) (?:is |are )?"
        r"(?:strongly |closely )?(?:correlated?|correlates|correlating|related|linked|associated)"
        r" (?:with|to) (?P<b>.+)",
        r"(?:do|does|did) (?P<a>.+?) (?:depend on|influence|affect|drive|go (?:together )?with"
        r"|go up with|rise with|fall with) (?P<b>.+)",
        r"(?:do|does|did) (?P<a>.+?) and (?P<b>.+?) (?:go|move|rise) together(?P<tail> .+)?",
    )
)
_AND_CORRELATE = re.compile(
    r"(?P<verb>compare|analy[sz]e|show|look at|examine) (?P<all>.+?),? (?:and|then|and then)"
    r" correlate(?: (?:it|them|both|these|this|those|each))? (?:with|to|against) (?P<b>.+)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s*\b(?:by|per|across|over|for each|for every)\s+(?:the\s+)?"
    r"(?P<unit>[a-z_]+(?: [a-z_]+)?)\s*$",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"(?P<a>.+?) (?:vs\.?|versus|against) (?P<b>.+)", re.IGNORECASE)
_LEAVERS = re.compile(
    r"(?:do|does|did|are|is|were) (?P<who>[a-z]+) (?:who |that )?(?:with|have|had|having)"
    r" (?:more|many|fewer|less|a lot of|lots of) (?P<b>.+?) (?:more |less )?(?:likely |prone )?"
    r"(?:to )?(?:churn|leave|cancel)(?:ed|s)?(?: (?:more|less|sooner|faster))?"
    r"(?: often| likely)?(?P<tail> .+)?",
    re.IGNORECASE,
)
_DOWN = (
    r"fall|fell|fallen|drop|dropped|decline|declined|decrease|decreased|go down|went down|gone down"
    r"|shrink|shrank|sink|sank|lower|down|so low|worse"
)
_UP = (
    r"rise|rose|risen|increase|increased|grow|grew|grown|go up|went up|gone up|jump|jumped|spike"
    r"|spiked|higher|up|so high|better"
)
_WHY = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"why (?:did|has|have|is|are|was|were) (?P<fig>.+?) (?:(?P<down>{_DOWN})|(?P<up>{_UP})"
        r"|change|changed|different)\b(?P<tail>.*)",
        r"(?:what (?:caused|drove|explains?|is behind|was behind|were|are|is|was)|explain"
        r"|reasons? for|drivers? of|find)(?: the)?"
        r"(?: (?:reasons?|drivers?|causes?) (?:for|of|behind))?(?: the)? "
        r"(?:(?P<down>drop|fall|decline|decrease)|(?P<up>rise|increase|growth|jump|spike)|change)"
        r" (?:in|of) (?P<fig>.+)",
    )
)
_CHANGED = re.compile(
    r"(?:how )?(?:did|has) (?P<fig>.+?) (?:changed?|(?P<down>fall|fallen)|(?P<up>rise|risen))\b"
    r"(?P<tail>.*)",
    re.IGNORECASE,
)
_OVERALL = re.compile(r"overall (?P<fig>.+)", re.IGNORECASE)
_CHURN = re.compile(r"\b(?:churn(?:ed|ing|s)?|attrition)\b", re.IGNORECASE)
_CHURN_FIGURE = re.compile(
    r"(?:(?:how (?:many|much)|number of|count of|rate of|share of|percentage of|what)\s+)*"
    r"(?:(?:our|the|overall|of|are|is|was|have|has|did|do|we|lost|to|who|that|all)\s+)*"
    r"(?:customers?|clients?|subscribers?|subscriptions?|users?|members?|accounts?|people)?\s*"
    r"(?:(?:who|that|have|has|did|do)\s+)*(?:churn(?:ed|ing|s)?|attrition)"
    r"(?:\s+(?:rate|ratio|rates|customers?|clients?|subscribers?|subscriptions?|users?|members?"
    r"|accounts?|figures?|numbers?))?",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^(?P<what>.+?)\s+(?:volumes?|counts?|numbers?)$", re.IGNORECASE)
_BY_CHURN = re.compile(r"^(?P<fig>.+?) (?:by|of) churn\b\s*(?P<tail>.*)$", re.IGNORECASE)
LONGEST = 600


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures that may go together; `unit` is what they are compared over, if that was said.

    `tail` are the period and the filters that hold for both.
    """

    first: str
    second: str
    unit: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """A figure that changed; `falls` says whether down, None where the question leaves it open."""

    figure: str
    falls: bool | None
    tail: str = ""


@dataclass(frozen=True, slots=True)
class ByChurn:
    """A figure of those who left beside that of those who stayed."""

    figure: str
    tail: str


def plain(question: str) -> str:
    """Return a question without its end mark, on one line; empty where it is too long to be one."""
    return " ".join(question.split()).rstrip(" ?.!") if len(question) <= LONGEST else ""


def pair_of(question: str) -> Pair | None:
    """Return the two figures that a question relates to each other."""
    text = plain(question)
    text = text[_end(_OPENING, text) :]
    for pattern in _PAIRS:
        found = pattern.fullmatch(text)
        if found is not None:
            tail = (found.groupdict().get("tail") or "").strip()
            return _pair(found["a"], found["b"], tail)
    return _pair_with_churn(plain(question))


def _pair_with_churn(text: str) -> Pair | None:
    """Read `churn vs tickets`, and whether those who have more of something leave more often."""
    found = _LEAVERS.fullmatch(text)
    if found is not None:
        return _pair("churn", found["b"], (found["tail"] or "").strip())
    found = _VERSUS.fullmatch(text[_end(_OPENING, text) :])
    if found is None:
        return None
    pair = _pair(found["a"], found["b"], "")
    return pair if is_churn(pair.first) is not is_churn(pair.second) else None


def _pair(first: str, second: str, tail: str) -> Pair:
    second, unit = _without_unit(second)
    second, own = parted(second)
    if not unit:
        second, unit = _without_unit(second)
    tail, more = _without_unit(f"{own} {tail}".strip())
    return Pair(bare(first), bare(second), unit or more, with_its_word(tail))


def _without_unit(text: str) -> tuple[str, str]:
    found = _UNIT.search(text)
    if found is None:
        return text, ""
    return text[: found.start()].strip(), found["unit"]


def bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip(" ,"))


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found is not None else 0


def together_with(question: str) -> tuple[tuple[str, ...], str, str] | None:
    """Read `compare A and B and correlate with C`: the first figures, the last one, the tail."""
    found = _AND_CORRELATE.fullmatch(plain(question))
    if found is None:
        return None
    last, tail = parted(bare(found["b"]))
    firsts = tuple(bare(each) for each in re.split(r",| and | with | to | vs\.? ", found["all"]))
    return tuple(each for each in firsts if each), last, tail


def why_of(question: str) -> Why | None:
    """Return the figure whose change is to be explained."""
    text = plain(question)
    for pattern in _WHY:
        found = pattern.fullmatch(text)
        if found is not None:
            figure, own = parted(bare(found["fig"]))
            tail = " ".join(f"{own} {found.groupdict().get('tail') or ''}".split())
            falls = True if found["down"] else False if found["up"] else None
            return Why(bare(figure), falls, tail)
    return None


def change_asked(question: str) -> Why | None:
    """Read `did revenue fall in March 2025`: whether and by how much, and not why."""
    found = _CHANGED.fullmatch(plain(question))
    if found is None:
        return None
    figure, own = parted(bare(found["fig"]))
    falls = True if found["down"] else False if found["up"] else None
    return Why(bare(figure), falls, " ".join(f"{own} {found['tail']}".split()))


def overall_of(question: str) -> tuple[str, str] | None:
    """Read `overall revenue in 2025` as a figure and what narrows it."""
    found = _OVERALL.fullmatch(plain(question))
    return parted(found["fig"]) if found is not None else None


def parts_of_analysis(question: str) -> tuple[str, ...]:
    """Read `analyze X, Y and Z`: several figures to look at, each a question of its own."""
    text = plain(question)
    end = _end(_ANALYSE, text)
    if not end:
        return ()
    parts: list[str] = []
    for piece in re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", text[end:]):
        joins = parts and re.search(r"\b(?:by|per|between|from)\b", parts[-1])
        if joins and len(piece.split()) <= 2:
            parts[-1] += f" and {piece}"
        elif piece.strip():
            parts.append(bare(piece))
    return _with_tails(parts) if len(parts) > 1 else ()


def _with_tails(parts: list[str]) -> tuple[str, ...]:
    """Give the period at the end to every part that has none of its own."""
    _, tail = parted(parts[-1])
    return tuple(each if parted(each)[1] else f"{each} {tail}".strip() for each in parts)


def names_churn(text: str) -> bool:
    return _CHURN.search(text) is not None


def is_churn(figure: str) -> bool:
    """Say whether words are nothing but those who left, or their share."""
    return _CHURN_FIGURE.fullmatch(bare(figure)) is not None


def churn_of(question: str) -> str | None:
    """Return the period and filters of a question for who left; None for other questions."""
    text = plain(question)
    text = text[_end(_OPENING, text) :]
    figure, tail = parted(text)
    return tail if names_churn(figure) and is_churn(figure) else None


def by_churn_of(question: str) -> ByChurn | None:
    found = _BY_CHURN.match(plain(question))
    return ByChurn(bare(found["fig"]), found["tail"]) if found is not None else None


def counted(figure: str) -> str:
    """Return `support ticket volume` as `number of support tickets`."""
    found = _COUNTED.match(figure)
    return f"number of {found['what']}" if found is not None else figure
