import asyncio
import sys
from pathlib import Path

import pytest

from bot.cli.main import command_names, main

ROOT = Path(__file__).parents[3]


def test_help_lists_every_command_with_its_first_sentence(capsys: pytest.CaptureFixture[str]):
    assert main(["--help"]) == 0

    shown = capsys.readouterr().out
    assert {"ask", "connect", "demo", "doctor", "eval", "serve", "tools"} <= set(command_names())
    for name in command_names():
        [line] = [line for line in shown.splitlines() if line.startswith(f"  {name} ")]
        assert line.endswith(".")


def test_without_a_command_it_helps_and_says_that_something_was_wrong(
    capsys: pytest.CaptureFixture[str],
):
    assert main([]) == 2
    assert "usage: resona" in capsys.readouterr().out


def test_an_unknown_command_names_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]):
    assert main(["akc"]) == 2

    assert "Did you mean 'ask'?" in capsys.readouterr().err


def test_says_its_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("resona 0.")


async def test_the_help_imports_nothing_heavy():
    code = (
        "import sys; from bot.cli.main import main; main(['--help']);"
        "heavy = {'pydantic', 'sqlglot', 'numpy', 'pandas', 'aiohttp', 'structlog', 'asyncio'};"
        "sys.exit(len(heavy & set(sys.modules)))"
    )

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL
    )

    assert await process.wait() == 0


async def test_what_the_terminal_cannot_show_costs_no_answer():
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.cli.main", "--help"),
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii"},
        stdout=asyncio.subprocess.PIPE,
    )

    shown, _ = await process.communicate()

    assert shown.startswith(b"usage: resona COMMAND ?")
    assert process.returncode == 0


@pytest.mark.parametrize("name", command_names())
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])

    assert ended.value.code == 0
    assert f"usage: resona {name}" in capsys.readouterr().out


def test_a_wrong_option_is_bad_usage(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["tools", "--colour"])

    assert ended.value.code == 2
    assert "--colour" in capsys.readouterr().err


def test_a_wrong_setting_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_LOG_LEVEL", "LOUD")

    assert main(["connect", "list"]) == 2
    assert "log_level" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "how many?", "--connection", "postgresql://me:hush@[host/shop"],
        ["ask", "how many?", "--connection", "postgresql://me:hush@host:99999/shop"],
        ["connect", "test", "mysql://me:hush@[host/shop"],
        ["sql", "check", "SELECT 1", "--connection", "mysql://me:hush@host:port/shop"],
    ],
)
def test_an_address_that_cannot_be_read_is_a_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str]
):
    assert main(words) in {2, 5}

    said = "".join(capsys.readouterr())
    assert "cannot be read. A port is a number" in said
    assert "hush" not in said


@pytest.mark.parametrize("place", ["[host/state", "host:99999/state"])
def test_a_place_for_the_state_that_cannot_be_read_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: str
):
    monkeypatch.setenv("RESONA_STATE_URL", f"postgresql://me:hush@{place}")

    assert main(["connect", "list"]) == 2

    said = capsys.readouterr().err
    assert "state_url cannot be read. A port is a number" in said
    assert "hush" not in said


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_none_can_be_is_bad_usage(capsys: pytest.CaptureFixture[str], port: str):
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}"])

    assert ended.value.code == 2
    assert "is no whole number from 0 to 65535" in capsys.readouterr().err
