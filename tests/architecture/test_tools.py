"""What holds for every tool, without a list of them."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from core import tools
from core.toolkit.catalogue import declared_in, discover
from core.toolkit.family import Family
from core.toolkit.listing import as_markdown
from core.toolkit.tool import AnyTool

ROOT = Path(__file__).parents[2]
MODULES = [
    info.name
    for info in pkgutil.walk_packages(tools.__path__, prefix="core.tools.")
    if not info.ispkg
]


@pytest.fixture(params=MODULES)
def module(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def tool(module: str) -> AnyTool:
    [only] = declared_in(importlib.import_module(module))
    return only


def test_file_folder_and_tool_bear_the_same_names(module: str, tool: AnyTool):
    assert module == f"core.tools.{tool.family}.{tool.name}"


def test_every_column_is_explained(tool: AnyTool):
    missing = [column.name for column in tool.result.columns if f"{column.name}:" not in tool.doc]

    assert not missing


def test_no_column_is_explained_that_the_result_does_not_have(tool: AnyTool):
    have = {column.name for column in tool.result.columns}
    explained = set(re.findall(r"^    (\w+): ", returns_of(tool), flags=re.MULTILINE))

    assert not have or explained == have


def test_artifact_uses_columns_that_the_result_has(tool: AnyTool):
    have = {column.name for column in tool.result.columns}

    assert not tool.artifact or tool.artifact.columns <= have


def test_every_argument_is_described(tool: AnyTool):
    properties = tool.args.model_json_schema()["properties"]

    assert not [name for name, schema in properties.items() if "description" not in schema]


def test_the_contract_says_what_comes_back(tool: AnyTool):
    first_line, _, rest = tool.doc.partition("\n")

    assert first_line.endswith((".", "?"))
    assert "Use it" in rest
    assert "Returns " in rest or "Raises:" in rest


def test_tells_of_no_tool_that_there_is_not(tool: AnyTool):
    known = set(discover(tools).names)
    arguments = set(tool.args.model_fields)
    columns = {column.name for column in tool.result.columns}

    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", tool.doc))

    assert named <= known | arguments | columns


def test_names_are_given_once():
    names = [
        each.name for module in MODULES for each in declared_in(importlib.import_module(module))
    ]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("family", Family)
def test_every_family_has_its_prompt(family: Family):
    prompt = ROOT / "prompts" / "families" / f"{family}.md"

    assert prompt.read_text(encoding="utf-8").strip()


def test_the_page_of_tools_is_fresh():
    page = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")

    assert page == as_markdown(discover(tools)), "make it anew: resona tools --markdown"


def returns_of(tool: AnyTool) -> str:
    _, _, after = tool.doc.partition("Returns ")
    return after.partition("Raises:")[0]
