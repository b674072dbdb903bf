"""Check every configured part and say what works, what is missing and what to do."""

import asyncio
from argparse import ArgumentParser, Namespace

import orjson

from bot.bootstrap import open_app
from bot.cli.choosing import choose
from bot.cli.console import CONSOLE
from bot.cli.exits import FAILED
from bot.health import Finding, check_all, check_settings

_MARKS = {"ok": "ok  ", "note": "note", "failed": "FAIL"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON list of records")


def run(args: Namespace) -> int:
    findings = asyncio.run(_findings())
    if args.json:
        records = [{"part": each.part, "state": each.state, "text": each.text} for each in findings]
        CONSOLE.say(orjson.dumps(records, option=orjson.OPT_INDENT_2).decode())
    else:
        for each in findings:
            CONSOLE.say(f"{_MARKS[each.state]}  {each.part}: {each.text}")
    return FAILED if any(each.state == "failed" for each in findings) else 0


async def _findings() -> list[Finding]:
    settings = choose(None).settings
    first = check_settings(settings)
    # Nothing can be opened where nothing can be kept.
    if any(each.part == "state" and each.state == "failed" for each in first):
        return first
    async with open_app(settings) as app:
        return [*first, *await check_all(app)]
