"""Make the demo database and say what can be asked of it.

It is a SQLite file with three years of a made-up office supplier; docs/demo_data.md tells what is
in it.
"""

import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path

from bot.bootstrap import demo_path
from bot.cli.console import CONSOLE
from bot.cli.exits import FAILED, USAGE
from bot.demo.make import is_current, make_demo, may_be_written
from bot.demo.questions import QUESTIONS
from bot.settings import read_settings


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", type=Path, help="where to write it")
    parser.add_argument("--force", action="store_true", help="write it anew, whatever is there")


def run(args: Namespace) -> int:
    path = args.path or demo_path(read_settings())
    try:
        if not (args.force or may_be_written(path)):
            CONSOLE.complain(
                f"{path} is there already and is not the demo database. Give another path, or "
                "--force to have the demo database in its place."
            )
            return USAGE
        if args.force or not is_current(path):
            make_demo(path)
    except OSError as error:
        CONSOLE.complain(f"{path} cannot be written: {error.strerror}. Give another path.")
        return FAILED
    CONSOLE.say(f"The demo database is at {path}. Ask it, for example:")
    where = f"--connection {shlex.quote(str(path))} " if args.path else ""
    for question in QUESTIONS:
        CONSOLE.say(f'  resona ask {where}"{question}"')
    return 0
