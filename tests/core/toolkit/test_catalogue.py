from core import tools
from core.toolkit.catalogue import discover
from core.toolkit.family import Family

CATALOGUE = discover(tools)


def test_finds_every_tool_by_its_name_in_order():
    assert list(CATALOGUE.names) == sorted(CATALOGUE.names)
    assert {"run_query", "get_schema", "check_quality"} <= set(CATALOGUE.names)

    for name in CATALOGUE.names:
        found = CATALOGUE.get(name)
        assert found is not None
        assert found.name == name


def test_knows_no_tool_that_there_is_not():
    assert CATALOGUE.get("drop_everything") is None


def test_offers_the_families_asked_for_and_what_is_always_on():
    offered = CATALOGUE.for_families([Family.QUALITY])

    names = {tool.name for tool in offered}
    assert {"check_quality", "run_query", "get_schema"} <= names
    assert {tool.family for tool in offered if not tool.always_on} == {Family.QUALITY}
    assert names == {
        tool.name for tool in CATALOGUE if tool.always_on or tool.family is Family.QUALITY
    }
