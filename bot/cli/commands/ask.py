"""Ask one question and print the answer.

Exit codes: 0 answered, 2 bad usage, 3 needs a clarification or an approval, 4 refused, 5 failed.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import orjson

from adapters.terminal.answer import Paper, render
from adapters.terminal.surface import TerminalSurface
from bot.asking import PLACE, Addressed, Asked, ask, status_of
from bot.bootstrap import App, open_app
from bot.cli.answer_object import answer_object, exit_code_of, failed_object
from bot.cli.choosing import Chosen, choose
from bot.cli.console import CONSOLE
from bot.cli.deciding import AtTerminal, going_on
from bot.cli.exits import FAILED, USAGE
from bot.cli.saving import Saved, save
from bot.turn_gate import Declined
from core.domain.errors import ConnectionUnusable, SettingsInvalid
from core.domain.ids import ThreadId, fresh_id

_HOW_TO_DECIDE = {
    "clarification": "Nothing was read. Ask again with the meaning in the question.",
    "approval": "Nothing was read. Ask again with --yes to let it run.",
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("question", nargs="+", help="what you would like to know, in plain words")
    parser.add_argument(
        "--connection", metavar="NAME|URL", help="which database: a name, a URL or a file's path"
    )
    parser.add_argument("--model", metavar="NAME", default="", help="which model is to answer")
    parser.add_argument(
        "--thread", metavar="NAME", help="go on with what was asked before under this name"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where charts and files go")
    parser.add_argument("--yes", action="store_true", help="approve an expensive query beforehand")


def run(args: Namespace) -> int:
    try:
        return asyncio.run(_ask(args, choose(args.connection)))
    except (ConnectionUnusable, SettingsInvalid) as error:
        _say_failed(args, str(error))
        return FAILED if isinstance(error, ConnectionUnusable) else USAGE


async def _ask(args: Namespace, chosen: Chosen) -> int:
    interactive = CONSOLE.is_interactive and not args.json
    thread = ThreadId(f"terminal:{args.thread or fresh_id()}")
    question = " ".join(args.question)
    async with open_app(chosen.settings) as app:
        while True:
            try:
                asked = await _asked(args, app, chosen, question=question, thread=thread)
            except Declined as error:
                _say_failed(args, str(error))
                return USAGE
            saved = await _saved(args, app, asked)
            if args.json:
                _say_object(app, chosen, asked, saved)
            else:
                _say_text(asked, saved)
            question = going_on(asked.view, CONSOLE) if interactive else ""
            if not question:
                return exit_code_of(asked.view)


async def _asked(
    args: Namespace, app: App, chosen: Chosen, *, question: str, thread: ThreadId
) -> Asked:
    paper = Paper(width=CONSOLE.width, styled=True)
    return await ask(
        app,
        question,
        surface=TerminalSurface(
            live=sys.stderr if sys.stderr.isatty() else None, out=None, paper=paper
        ),
        decide=AtTerminal(
            console=CONSOLE,
            interactive=CONSOLE.is_interactive and not args.json,
            yes=args.yes,
        ),
        to=Addressed(connection=chosen.connection, model=args.model, thread=thread),
    )


async def _saved(args: Namespace, app: App, asked: Asked) -> Saved:
    if asked.view.answer is None:
        return Saved()
    folder = args.out or app.settings.state_dir / "answers" / asked.run
    return await save(asked.view.answer, app.outside.files, folder)


def _say_failed(args: Namespace, sentence: str) -> None:
    if args.json:
        found = failed_object(sentence, connection=args.connection or "")
        CONSOLE.say(orjson.dumps(found).decode())
    else:
        CONSOLE.complain(sentence)


def _say_object(app: App, chosen: Chosen, asked: Asked, saved: Saved) -> None:
    connection = chosen.connection or app.outside.connections.default_in(PLACE)
    found = answer_object(asked, saved, connection=connection, model=app.model.name)
    CONSOLE.say(orjson.dumps(found).decode())


def _say_text(asked: Asked, saved: Saved) -> None:
    paper = Paper(width=CONSOLE.width, styled=CONSOLE.is_styled)
    if asked.view.decision is None or not CONSOLE.is_interactive:
        CONSOLE.say(render(asked.view, paper))
    if asked.view.decision is not None:
        CONSOLE.say(_HOW_TO_DECIDE[status_of(asked.view)])
    for path in saved.charts:
        CONSOLE.say(f"Chart: {path}")
    for path in saved.files:
        CONSOLE.say(f"File: {path}")
