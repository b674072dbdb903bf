"""The console script `resona`: finds the command and has it run.

A command is one file in bot/cli/commands: its name is the file's, the first line of its docstring
is its help. Nothing is imported for the help itself, so that it is there at once.
"""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol, cast

_COMMANDS = Path(__file__).parent / "commands"
_USAGE = 2


class RunCommand(Protocol):
    """What bot.cli.running offers, which is imported only when a command is really run."""

    def __call__(self, name: str, words: list[str], *, debug: bool) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for each in (sys.stdout, sys.stderr):
        if isinstance(each, TextIOWrapper):
            # An answer is worth more than a sign that this terminal cannot show.
            each.reconfigure(errors="replace")
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in {"-h", "--help", "help"}:
        sys.stdout.write(_help())
        return 0 if words else _USAGE
    debug = words[0] == "--debug"
    name, *rest = words[1:] if debug else words
    if name != "--version" and name not in command_names():
        sys.stderr.write(_unknown(name))
        return _USAGE
    running = import_module("bot.cli.running")
    return cast("RunCommand", running.run_command)(name, rest, debug=debug)


def command_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _COMMANDS.glob("[a-z]*.py")))


def _help() -> str:
    lines = [f"  {name:<9} {_first_line(name)}\n" for name in command_names()]
    return (
        "usage: resona COMMAND …\n\n"
        "Ask your data in plain words, and get a checked answer with chart and table.\n\n"
        "commands:\n"
        + "".join(lines)
        + "\n`resona COMMAND --help` says more about one of them, `resona --version` the version;\n"
        "`resona --debug COMMAND …` writes a log and shows where something went wrong.\n"
    )


def _first_line(name: str) -> str:
    with (_COMMANDS / f"{name}.py").open(encoding="utf-8") as source:
        return source.readline().strip().strip('"')


def _unknown(name: str) -> str:
    meant = get_close_matches(name, command_names(), n=1)
    guess = f" Did you mean {meant[0]!r}?" if meant else ""
    return f"There is no command {name!r}.{guess} `resona --help` lists them all.\n"


if __name__ == "__main__":
    sys.exit(main())
