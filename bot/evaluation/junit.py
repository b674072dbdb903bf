"""An evaluation as JUnit XML, which CI servers show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from bot.evaluation.outcome import Outcome
from bot.evaluation.questions import Problem
from core.domain.chat import Json

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(
    path: Path,
    outcomes: Sequence[Outcome],
    problems: Sequence[Problem],
    found: dict[str, Json],
    *,
    name: str,
) -> None:
    """Write a case a question: wrong ones are failures, entries that could not be asked errors."""
    failures = [each for each in outcomes if not each.right]
    suite = Element(
        "testsuite",
        name=_text(name),
        tests=str(len(outcomes) + len(problems)),
        failures=str(len(failures)),
        errors=str(len(problems)),
        time=f"{sum(each.seconds for each in outcomes):.3f}",
    )
    properties = SubElement(suite, "properties")
    for figure, value in found.items():
        SubElement(properties, "property", name=figure, value=str(value))
    for outcome in outcomes:
        _add_case(suite, outcome, name)
    for problem in problems:
        case = SubElement(suite, "testcase", classname=_text(name), name=_text(problem.where))
        SubElement(case, "error", type="question", message=_text(problem.reason))
    indent(suite)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def _add_case(suite: Element, outcome: Outcome, name: str) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname=_text(f"{name}.{outcome.category or outcome.db or 'questions'}"),
        name=_text(outcome.id),
        time=f"{outcome.seconds:.3f}",
    )
    if outcome.right:
        return
    as_wanted = outcome.status == outcome.expect_status
    message = (
        "The result is not the right one."
        if as_wanted
        else f"It should have ended as {outcome.expect_status}, and ended as {outcome.status}."
    )
    failure = SubElement(case, "failure", type="result" if as_wanted else "status", message=message)
    failure.text = _text("\n".join((outcome.question, *outcome.sql, outcome.reason)).strip())


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
