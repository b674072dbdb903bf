"""The tools as a list for people: records for machines, a page for readers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.artifact import Declaration
from core.toolkit.catalogue import Catalogue
from core.toolkit.family import Family
from core.toolkit.tool import AnyTool

_HEAD = """\
# The tools

What the analyst can call. Made from the tools themselves by `resona tools --markdown`; do not edit.

A family groups the tools of one kind of question. The tools marked "always" are declared to the
model with every question; it is told of the others, a line each, where their family is wanted, and
runs them through `use_tool`. "Shows" is how the result appears; a dash is a step that the reader
sees in words.
"""


def as_records(catalogue: Catalogue) -> list[dict[str, object]]:
    """Return one record a tool, by family and name.

    Keys: name, family, always_on (bool), artifact ("" for none), description (the first line of
    its contract).
    """
    return [
        {
            "name": tool.name,
            "family": tool.family.value,
            "always_on": tool.always_on,
            "artifact": artifact_word(tool.artifact),
            "description": first_line(tool),
        }
        for tool in in_order(catalogue)
    ]


def as_markdown(catalogue: Catalogue) -> str:
    """Return the page docs/tools.md: a table a family, then what each tool promises."""
    return "\n".join((_HEAD, *_tables(catalogue), *_contracts(catalogue)))


def in_order(catalogue: Catalogue) -> list[AnyTool]:
    """Return the tools in the order of the families, by name within each."""
    order = {family: position for position, family in enumerate(Family)}
    return sorted(catalogue, key=lambda tool: (order[tool.family], tool.name))


def first_line(tool: AnyTool) -> str:
    return tool.doc.partition("\n")[0]


def artifact_word(artifact: Declaration | None) -> str:
    """Name a declaration in plain words: "line chart", "sheet"; empty for none."""
    if artifact is None:
        return ""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(artifact).__name__).lower()


def _tables(catalogue: Catalogue) -> Iterator[str]:
    for family in Family:
        tools = [tool for tool in in_order(catalogue) if tool.family is family]
        if tools:
            yield f"## {family.value}\n"
            yield "| tool | what it does | shows | offered |\n| --- | --- | --- | --- |"
            yield from map(_line, tools)
            yield ""


def _line(tool: AnyTool) -> str:
    shows = artifact_word(tool.artifact) or "-"
    offered = "always" if tool.always_on else "with its family"
    return f"| [{tool.name}](#{tool.name}) | {_cell(first_line(tool))} | {shows} | {offered} |"


def _contracts(catalogue: Catalogue) -> Iterator[str]:
    yield "## What each one promises\n"
    for tool in in_order(catalogue):
        yield f"### {tool.name}\n\n```text\n{tool.doc}\n```\n"
        if arguments := list(_arguments(tool)):
            yield "| argument | meaning |\n| --- | --- |\n" + "\n".join(arguments) + "\n"


def _arguments(tool: AnyTool) -> Iterator[str]:
    for name, schema in tool.args.model_json_schema().get("properties", {}).items():
        yield f"| `{name}` | {_cell(str(schema.get('description', '')))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
