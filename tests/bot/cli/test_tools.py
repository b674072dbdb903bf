import json

import pytest

import core.tools
from bot.cli.main import main
from core.toolkit.catalogue import discover


def test_lists_every_tool_as_a_record(capsys: pytest.CaptureFixture[str]):
    assert main(["tools", "--json"]) == 0

    records = json.loads(capsys.readouterr().out)
    assert {record["name"] for record in records} == set(discover(core.tools).names)
    assert all(
        set(record) == {"name", "family", "always_on", "artifact", "description"}
        for record in records
    )


def test_lists_every_tool_for_a_reader(capsys: pytest.CaptureFixture[str]):
    assert main(["tools"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(discover(core.tools).names) + 1
    assert any(line.startswith("analyze        * run_query") for line in lines)
