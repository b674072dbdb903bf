"""The steps that a person lists to be taken one after the other: by words, never by letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_CUE = re.compile(
    r"\bstep[- ]by[- ]step\b|\bone (?:step |thing )?at a time\b"
    r"|\bone (?:after|by) (?:the other|another|one)\b",
    re.IGNORECASE,
)
_ASKING = (
    r"(?:add|analy[sz]e|answer|are|average|break|build|calculate|can|chart|check|compare|compute"
    r"|correlate|could|count|create|describe|determine|did|display|do|does|draw|drill|estimate"
    r"|examine|explain|export|fetch|filter|find|forecast|get|give|group|how|identify|is|list|look"
    r"|make|measure|name|plot|predict|pull|rank|report|run|see|segment|show|sort|split|sum"
    r"|summari[sz]e|take|tell|test|total|what|when|where|which|who|why|work out)\b"
)
_ASKS = re.compile(rf"(?:please |also |let(?:'s| us) )*{_ASKING}", re.IGNORECASE)
# What may be counted as well as done: "first name, last name", "the last report".
_THING = re.compile(
    r"(?:average|estimate|forecast|group|measure|name|rank|report|run|test|total)s?\b"
    r"(?! (?:all|an?|each|every|it|me|my|our|the|their|them|these|those|us)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:how (?:many|much)|what (?:is|are)|(?:calculate|compare|compute|count|find|get|give me|list"
    r"|plot|show(?: me)?|sum)\b)",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?P<before>^|[,;.:!?\n]|\s)\s*(?:(?:and|but) )?\b(?P<mark>first(?:ly| of all)?|second(?:ly)?"
    r"|third(?:ly)?|then|after (?:that|this)|afterwards|next|finally|lastly|last)\b"
    r"(?P<after>[,:]?)\s+(?=\S)",
    re.IGNORECASE,
)
_ENDS = frozenset({"after that", "after this", "afterwards", "finally", "lastly"})
_COUNTS = frozenset({"first", "second", "third", "next", "last"})
_LONGEST_NAME = 3  # words
_FIRST_OF = re.compile(
    r"\d|(?:quarter|half|week|month|year|day|hour|time|name|order|purchase|visit)s?\b",
    re.IGNORECASE,
)
_THENS = re.compile(r"[,;.] *(?:and )?then\b.*\b(?:then|finally|lastly)\b", re.IGNORECASE | re.S)
_STOPS = (".", "?", "!", ";")
_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?(?:(?P<step>step )\s*)?(?P<number>\d{1,2})[.):]\s+", re.I)
_TASKS = re.compile(r"\b(?:steps?|tasks?|questions?)\b", re.IGNORECASE)
_CONTEXT = re.compile(
    r"\b(?:for (?!me\b|us\b)|in (?!order\b|turn\b|that\b|this\b|the following\b|sequence\b)"
    r"|during |since |from |between )\S.*?"
    r"(?=[:;.!?\n]|$|,? (?:please|do|answer|give|show|tell|work|go|run|take|i|can|could)\b)",
    re.IGNORECASE,
)
_ROUND = " \t\n,;.:-"


def is_stepwise(question: str) -> bool:
    """Say whether a question asks to be led: it says so, or lists several steps."""
    return _CUE.search(question) is not None or bool(listed_steps(question))


def listed_steps(question: str) -> tuple[str, ...]:
    """Return the steps that a question lists, each as a question; none where it lists none.

    "1. … 2. …", "first … then … finally …" and "… and after that …" list steps where each asks for
    something; "footsteps", "the first quarter" and a numbered list of names do not.
    """
    return _numbered(question) or _in_words(question)


def _numbered(question: str) -> tuple[str, ...]:
    marks: list[re.Match[str]] = []
    for mark in _NUMBER.finditer(question):
        if int(mark["number"]) == len(marks) + 1:
            marks.append(mark)
    if len(marks) < 2:
        return ()
    before = question[: marks[0].start()]
    bounds = [*((one.end(), other.start()) for one, other in pairwise(marks))]
    bounds.append((marks[-1].end(), len(question)))
    *items, last = (question[start:end] for start, end in bounds)
    last, _, behind = last.strip().partition("\n\n")
    items = [_plain(each) for each in (*items, last)]
    tasks = _ASKS.match(items[0]) or _TASKS.search(before) or not _plain(before)
    if not (tasks or marks[0]["step"] or all(each.endswith("?") for each in items)):
        return ()
    return _with_context(items, (before, behind))


def _in_words(question: str) -> tuple[str, ...]:
    cue = _CUE.search(question)
    marks = _marks(question, has_cue=cue is not None)
    said = {" ".join(each["mark"].casefold().split()) for each in marks}
    counts = cue is not None or "first" in {each[:5] for each in said} or said & _ENDS
    if not marks or not (counts or len(marks) > 1):
        return ()
    begin = cue.end() if cue is not None and cue.end() <= marks[0].start() + 1 else 0
    parts = [question[begin : marks[0].end("before")]]
    parts += [question[one.end() : other.end("before")] for one, other in pairwise(marks)]
    parts.append(question[marks[-1].end() :])
    before = question[:begin]
    if marks[0]["mark"].casefold().startswith("first"):
        before, parts = f"{before} {parts[0]}", parts[1:]
    items = [each for each in _whole([_CUE.sub("", each) for each in parts]) if each]
    return _with_context(items, (before,)) if len(items) > 1 else ()


def _marks(question: str, *, has_cue: bool) -> list[re.Match[str]]:
    """Return the words that really begin a step: not the first quarter, and not next month."""
    found: list[re.Match[str]] = []
    for mark in _MARK.finditer(question):
        word, rest = mark["mark"].casefold(), question[mark.end() :]
        asks = _ASKS.match(rest) is not None
        if word in _COUNTS and not mark["after"] and _THING.match(rest):
            continue
        begins = (mark["before"] != "" and not mark["before"].isspace()) or mark.start() == 0
        if word.startswith("first"):
            names = rest.startswith("the ") or (_THENS.search(rest) and not _FIRST_OF.match(rest))
            real = (begins or has_cue) and (asks or mark["after"] != "" or bool(names))
        elif word.startswith(("second", "third", "next")) or word == "last":
            real = begins and (asks or mark["after"] != "")
        else:
            led = has_cue or any(each["mark"][:5].casefold() == "first" for each in found)
            real = asks or led or (begins and bool(found))
        if real:
            found.append(mark)
    return found


def _whole(parts: Sequence[str]) -> Iterator[str]:
    """Give a step that names only a thing the verb of its sentence: "then the customers"."""
    verb = ""
    for part in parts:
        item = _plain(part)
        said = _VERB.match(item)
        verb = said.group() if said else verb if not _ASKS.match(item) else ""
        named = len(item.split()) <= _LONGEST_NAME and not said
        yield f"{verb} {item}" if verb and named else item
        if part.rstrip().endswith(_STOPS):
            verb = ""


def _with_context(items: Sequence[str], around: Sequence[str]) -> tuple[str, ...]:
    """Add to each step what was said for all of them: "For 2025: 1. … 2. …"."""
    tail = " ".join(_contexts(around))
    return tuple(f"{_plain(each).rstrip('?')} {tail}" if tail else each for each in items if each)


def _contexts(around: Sequence[str]) -> Iterator[str]:
    for text in around:
        found = _CONTEXT.search(_CUE.sub("", text))
        if found is not None:
            context = _plain(found.group())
            yield context[:1].lower() + context[1:]


def _plain(text: str) -> str:
    flat = re.sub(r"^(?:and|then|please)\b\s*", "", " ".join(text.split()).strip(_ROUND))
    return re.sub(r"[ ,;]+and$", "", flat, flags=re.IGNORECASE).strip(_ROUND)
