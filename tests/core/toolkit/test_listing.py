import json

from core import tools
from core.domain.artifact import LineChart, Sheet, Stats
from core.toolkit.catalogue import discover
from core.toolkit.family import Family
from core.toolkit.listing import artifact_word, as_markdown, as_records

CATALOGUE = discover(tools)


def test_there_is_one_record_a_tool():
    records = as_records(CATALOGUE)

    assert sorted(str(record["name"]) for record in records) == sorted(CATALOGUE.names)
    assert json.loads(json.dumps(records)) == records


def test_a_record_says_what_the_tool_does():
    [record] = [each for each in as_records(CATALOGUE) if each["name"] == "run_query"]

    assert record == {
        "name": "run_query",
        "family": "analyze",
        "always_on": True,
        "artifact": "sheet",
        "description": "Run one SELECT and return its rows.",
    }


def test_records_keep_families_together_in_their_order():
    order = [str(record["family"]) for record in as_records(CATALOGUE)]

    assert list(dict.fromkeys(order)) == [each.value for each in Family if each.value in order]


def test_the_page_names_every_tool_and_each_of_its_arguments():
    page = as_markdown(CATALOGUE)

    for tool in CATALOGUE:
        assert f"### {tool.name}\n" in page
        for argument in tool.args.model_fields:
            assert f"| `{argument}` |" in page


def test_artifacts_are_named_in_words():
    assert artifact_word(None) == ""
    assert artifact_word(LineChart(x="a", y="b")) == "line chart"
    assert artifact_word(Sheet()) == "sheet"
    assert artifact_word(Stats()) == "stats"
