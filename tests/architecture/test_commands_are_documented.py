import re
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from bot.cli.main import command_names

ROWS = [
    line
    for line in Path("docs/command_line.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]


def options(parser: ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (each for each in action.option_strings if each.startswith("--"))
        if isinstance(action.choices, dict):
            for below in cast("dict[str, ArgumentParser]", action.choices).values():
                yield from options(below)


def options_of(name: str) -> set[str]:
    parser = ArgumentParser(prog=name)
    import_module(f"bot.cli.commands.{name}").add_arguments(parser)
    return set(options(parser)) - {"--help"}


@pytest.mark.parametrize("name", command_names())
def test_every_option_has_its_word(name: str):
    rows = " ".join(row for row in ROWS if re.match(rf"\| `{name}\b", row))
    said = set(re.findall(r"--[a-z-]+", rows))

    assert said == options_of(name)


def test_every_command_stands_in_the_readme():
    readme = Path("README.md").read_text(encoding="utf-8")

    assert not [name for name in command_names() if f"`resona {name}" not in readme]
