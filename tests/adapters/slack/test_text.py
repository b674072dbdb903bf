from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.blocks.table import native_table, text_table
from adapters.slack.inbound import readable
from adapters.slack.presses import read
from adapters.slack.text import in_sections, literal, mrkdwn
from adapters.slack.wire import fallback
from core.domain.answer import ShownColumn, ShownTable
from core.domain.table import ColumnKind, JsonCell
from tests.kit.slack_rules import block_errors


@given(st.text())
def test_no_text_makes_slack_act(text: str):
    for shown in (mrkdwn(text), literal(text)):
        assert "<" not in shown
        assert ">" not in shown


@given(st.text(max_size=9_000), st.integers(min_value=60, max_value=3_000))
def test_sections_fit_and_keep_the_words(text: str, most: int):
    pieces = in_sections(text, most)

    assert all(0 < len(piece) <= most for piece in pieces)
    assert "".join("".join(pieces).replace("```", "").split()) == "".join(
        text.replace("```", "").split()
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("**bold** and *it*", "*bold* and *it*"),
        ("# Heading", "*Heading*"),
        ("- one\n- two", "• one\n• two"),
        ("[site](https://x.example)", "site (https://x.example)"),
        ("a < b && c", "a &lt; b &amp;&amp; c"),
    ],
)
def test_markdown_becomes_what_slack_shows(said: str, shown: str):
    assert mrkdwn(said) == shown


def test_a_question_reads_as_its_author_saw_it():
    text = "<@UBOT> is a &lt; b in <#C1|sales> per <https://x.example|the wiki>, <@U2>?"

    assert readable(text, "UBOT") == "is a < b in #sales per the wiki, @U2?"


def table(rows: Sequence[tuple[JsonCell, ...]], columns: int) -> ShownTable:
    heads = tuple(ShownColumn(name=f"c{n}", kind=ColumnKind.MEASURE) for n in range(columns))
    return ShownTable(columns=heads, rows=tuple(rows), row_count=len(rows))


@given(
    st.integers(min_value=1, max_value=25).flatmap(
        lambda n: st.lists(
            st.tuples(
                *[
                    st.none()
                    | st.booleans()
                    | st.integers()
                    | st.floats(allow_nan=False, allow_infinity=False)
                    | st.text()
                ]
                * n
            ),
            max_size=6,
        ).map(lambda rows: table(rows, n))
    )
)
def test_every_result_is_a_table_that_slack_takes(result: ShownTable):
    native = native_table(result, "Result")

    assert native is None if not result.rows else native
    assert native is None or not block_errors([{**native}], files=set())
    assert "<" not in text_table(result)


def test_a_long_result_is_as_long_as_slack_takes():
    rows = [tuple("x" * 300 for _ in range(20)) for _ in range(500)]
    native = native_table(table(rows, 20), "Result")

    assert native is not None
    assert not block_errors([{**native}], files=set())


@pytest.mark.parametrize("value", ["", ":", "a/b:1", "a:x", "a:1234", "x" * 65, "ä b"])
def test_what_no_button_of_ours_carries_is_not_read(value: str):
    assert read("stop", value) is None


def test_a_numbered_button_is_read_by_its_name_and_position():
    press = read("option_3", "abc:3")

    assert press is not None
    assert (press.action, press.id, press.at) == ("option", "abc", 3)


def test_a_notification_says_the_words_without_their_marks():
    said = fallback("# Result\n**South** leads: `a_b` < 3")

    assert said == "Result South leads: a_b &lt; 3"
