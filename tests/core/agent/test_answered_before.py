from __future__ import annotations

import pytest

from core.agent.answered_before import answer_to
from core.domain.decisions import Answered

UNITS = Answered(question="By what?", options=("revenue", "units", "orders"), answer="units")
OWN_WORDS = Answered(question="By what?", options=("revenue", "units"), answer="by margin")


@pytest.mark.parametrize(
    ("question", "options", "answer"),
    [
        # the same question, and the same in other words
        ("By what?", ("revenue", "units", "orders"), "units"),
        ("Ranked how?", ("Units sold", "Total revenue"), "Units sold"),
        # what was chosen is not offered, or with nothing of what it was chosen from
        ("By what?", ("revenue", "orders"), None),
        ("Which column?", ("units", "list price"), None),
        # two options may be what was chosen
        ("Which?", ("units sold", "units returned", "revenue"), None),
        ("", (), None),
    ],
)
def test_an_answer_counts_for_the_same_question_in_any_words(
    question: str, options: tuple[str, ...], answer: str | None
):
    assert answer_to(question, options, [UNITS]) == answer


def test_words_of_ones_own_answer_only_the_very_same_question():
    assert answer_to("by what", ("units", "revenue"), [OWN_WORDS]) == "by margin"
    assert answer_to("By which?", ("units", "revenue"), [OWN_WORDS]) is None


def test_the_newest_answer_counts():
    later = UNITS.model_copy(update={"answer": "revenue"})

    assert answer_to("By what?", ("revenue", "units"), [later, UNITS]) == "revenue"
