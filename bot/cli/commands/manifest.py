"""Print the manifest of a chat app, to be pasted where the platform makes apps."""

from argparse import ArgumentParser, Namespace

import orjson

from bot.cli.console import CONSOLE
from bot.slack_manifest import SCOPES, manifest

_PROMPTS = (
    "Which tables can I ask about?",
    "How many orders came in last month?",
    "Monthly revenue by region this year",
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("platform", choices=("slack",))
    parser.add_argument(
        "--url", metavar="https://…", help="have Slack send requests there, instead of Socket Mode"
    )
    parser.add_argument(
        "--several", action="store_true", help="for an app that several workspaces install"
    )
    parser.add_argument("--scopes", action="store_true", help="say why each scope is asked for")


def run(args: Namespace) -> int:
    if args.scopes:
        for scope, reason in sorted(SCOPES.items()):
            CONSOLE.say(f"{scope:<18} {reason}")
        return 0
    made = manifest(args.url, _PROMPTS, several=args.several)
    CONSOLE.say(orjson.dumps(made, option=orjson.OPT_INDENT_2).decode())
    return 0
