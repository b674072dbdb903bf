import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.answer_text import LiveText, parse

WRITTEN = """Revenue was 5,560.

- Spain leads

Assumption: all orders count
- **Assumption:** gross of tax
Suggestion: And by month?
* Suggestion: Only Spain?"""


def test_marked_lines_are_parted_from_the_text():
    answer = parse(WRITTEN)

    assert answer.text == "Revenue was 5,560.\n\n- Spain leads"
    assert answer.assumptions == ("all orders count", "gross of tax")
    assert answer.suggestions == ("And by month?", "Only Spain?")


@pytest.mark.parametrize(
    "text",
    [
        "The assumption: it rains.",
        "Assumptions:\n- one",
        "Suggestions are welcome: yes",
        "Assumption",
        "",
    ],
)
def test_a_line_that_only_looks_like_it_is_text(text: str):
    answer = parse(text)

    assert answer.text == text
    assert answer.assumptions == answer.suggestions == ()


def test_bounds_what_a_model_may_mark():
    answer = parse("\n".join(f"Suggestion: {n} {'x' * 1_000}" for n in range(50)))

    assert len(answer.suggestions) == 3
    assert all(len(each) <= 300 for each in answer.suggestions)


@given(st.text(alphabet="aA s:*-\nsumption", max_size=60), st.lists(st.integers(1, 7)))
def test_what_is_shown_live_is_the_text_without_its_marked_lines(text: str, cuts: list[int]):
    whole = f"{text}\nAssumption: x\nEnd {text}"
    live = LiveText()

    pieces = [live.add(piece) for piece in _cut(whole, cuts)]
    shown = "".join(pieces) + live.rest()

    assert parse(shown).text == parse(whole).text
    assert parse(shown).assumptions == ()
    assert live.text == whole


def _cut(text: str, cuts: list[int]) -> list[str]:
    pieces: list[str] = []
    for length in cuts:
        pieces.append(text[:length])
        text = text[length:]
    return [*pieces, text]
