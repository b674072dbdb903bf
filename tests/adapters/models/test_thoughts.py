import pytest

from adapters.models.thoughts import WithoutThoughts, after_thoughts

TEXTS = [
    ("<think>Let me see: 3 < 4.</think>\n\nThere are 4.", "There are 4."),
    ("<think>one</think>Two.<think>three</think> Four.", "Two. Four."),
    ("<THINK>one</Think> Two.", "Two."),
    ("<thinking>one</thinking>\nTwo.", "Two."),
    ("Before.<think>never closed", "Before."),
    ("<think>never closed, not even </thin", ""),
    ("3 < 4 and <b>bold</b> and <thin", "3 < 4 and <b>bold</b> and <thin"),
    ("  indented", "  indented"),
    ("", ""),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1_000])
@pytest.mark.parametrize(("text", "left"), TEXTS)
def test_reasoning_is_taken_out_wherever_the_text_is_cut(text: str, left: str, size: int):
    thoughts = WithoutThoughts()

    pieces = [thoughts.take(text[at : at + size]) for at in range(0, len(text), size)]

    assert "".join(pieces) + thoughts.rest() == left


def test_text_without_tags_is_never_kept_back():
    thoughts = WithoutThoughts()

    assert [thoughts.take(piece) for piece in ("a ", "b", " > c")] == ["a ", "b", " > c"]


def test_what_only_ends_is_reasoning_up_to_there():
    assert after_thoughts("I think 3.</think>\n\nThere are 4.") == "There are 4."
    assert after_thoughts("There are 4.") == "There are 4."
