import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.loose_json import read_object


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  \n", {}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Here it is: {"a": {"b": [1, 2]}} as asked.', {"a": {"b": [1, 2]}}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': True, 'b': None}", {"a": True, "b": None}),
        ('{"a": "x', {"a": "x"}),
        ('{"a": {"b": [1, 2', {"a": {"b": [1, 2]}}),
        ('{"a": "brace } in \\" text"', {"a": 'brace } in " text'}),
        ('"{\\"a\\": 1}"', {"a": 1}),
    ],
)
def test_reads_what_was_meant(text: str, meant: dict[str, object]):
    assert read_object(text) == meant


@pytest.mark.parametrize("text", ["no object", "[1]", "12", "{a: b}", "null", "{" * 50_000])
def test_says_when_there_is_no_object(text: str):
    assert read_object(text) is None


@given(st.text(max_size=200))
def test_never_breaks(text: str):
    found = read_object(text)

    assert found is None or isinstance(found, dict)
