"""Puts the findings of a plan's tasks together into one answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adapters.models.offline.study.planning import Step, steps_of
from adapters.models.offline.talk.situation import Situation

_HEAD = "The question was taken apart"
_FENCED = re.compile(r"<data>\n(?P<findings>.*?)\n</data>", re.DOTALL)
_LINE = re.compile(r"^- (?P<title>.*?)(?P<missing> \(MISSING\)| \(NOT YET DONE\))?: (?P<text>.*)$")
_ASSUMPTION = re.compile(r"^\s+Assumption: (?P<text>.*)$")
_MOST_ASSUMPTIONS = 5


@dataclass(frozen=True, slots=True)
class _Finding:
    title: str
    text: str
    missing: bool


def composed(situation: Situation) -> str | None:
    """Return one answer from what the tasks found; None where there was no plan."""
    note = next((each for each in reversed(situation.notes) if _HEAD in each), None)
    fenced = _FENCED.search(note) if note is not None else None
    if fenced is None:
        return None
    findings, assumptions = _read(fenced["findings"])
    found = _in_order([each for each in findings if not each.missing], situation.question)
    if not found:
        return None
    first, *others = found
    lines = [first.text, *(f"- {each.text}" for each in others)]
    lines += [f"Not found out: {each.title}." for each in findings if each.missing]
    return "\n".join((*lines, *(f"Assumption: {each}" for each in assumptions)))


def _in_order(findings: list[_Finding], question: str) -> list[_Finding]:
    """Put first what builds on others; the rest stands as it was planned, not as it ended."""
    steps = steps_of(question)
    titles = [step.title for step in (*filter(_builds, steps), *steps)]
    order = {title: at for at, title in reversed(list(enumerate(titles)))}
    return sorted(findings, key=lambda each: order.get(each.title, len(titles)))


def _builds(step: Step) -> bool:
    return bool(step.needs)


def _read(text: str) -> tuple[list[_Finding], list[str]]:
    findings: list[_Finding] = []
    assumptions: dict[str, None] = {}
    for line in text.splitlines():
        head, said = _LINE.match(line), _ASSUMPTION.match(line)
        if said is not None:
            assumptions.setdefault(said["text"])
        elif head is not None:
            findings.append(_Finding(head["title"], head["text"], bool(head["missing"])))
        elif findings and line.strip():
            last = findings[-1]
            findings[-1] = _Finding(last.title, f"{last.text} {line.strip()}", last.missing)
    return findings, list(dict.fromkeys(_kept(assumptions)))[:_MOST_ASSUMPTIONS]


def _kept(assumptions: dict[str, None]) -> Iterator[str]:
    """Say once that all was read by rules."""
    read = [each for each in assumptions if each.startswith("Read by the offline analyst")]
    yield from read[:1]
    yield from (each for each in assumptions if each not in read)
