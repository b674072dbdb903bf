"""List the tools that the analyst can call."""

from argparse import ArgumentParser, Namespace

import orjson

import core.tools
from bot.cli.console import CONSOLE
from core.toolkit.catalogue import discover
from core.toolkit.listing import as_markdown, as_records


def add_arguments(parser: ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list of records")
    form.add_argument("--markdown", action="store_true", help="the page docs/tools.md")


def run(args: Namespace) -> int:
    catalogue = discover(core.tools)
    if args.markdown:
        CONSOLE.say(as_markdown(catalogue).rstrip("\n"))
        return 0
    records = as_records(catalogue)
    if args.json:
        CONSOLE.say(orjson.dumps(records, option=orjson.OPT_INDENT_2).decode())
        return 0
    for record in records:
        mark = "*" if record["always_on"] else " "
        CONSOLE.say(f"{record['family']:<14} {mark} {record['name']:<24} {record['description']}")
    CONSOLE.say(f"{len(records)} tools; * is offered with every question.")
    return 0
