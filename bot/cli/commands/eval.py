"""Ask questions with known answers and report how many came out right.

The file holds questions with `id`, `question`, `gold` (one SQL statement or a list, any one of
them right) and, if needed, `db`, `evidence`, `order_matters`, `category`: as JSON lines, YAML or
CSV. Each is asked as a reader would ask it; a question back counts as not answered.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import orjson

from bot.bootstrap import open_app
from bot.cli.choosing import Chosen, choose
from bot.cli.console import CONSOLE
from bot.evaluation.evaluate import Outcome, evaluate
from bot.evaluation.questions import GoldQuestion, load_questions
from bot.evaluation.report import detail_line, details, figure_lines, figures
from bot.settings import ConnectionSettings, LimitSettings, Settings
from core.domain.errors import SettingsInvalid
from core.domain.ids import ConnectionName

_SUFFIXES = ("sqlite", "sqlite3", "db", "duckdb")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="questions: .jsonl, .yaml or .csv")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--db-dir", type=Path, metavar="DIR", help="holds <db>.sqlite for each db")
    where.add_argument("--connection", metavar="NAME|URL", help="one database for all questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--details", action="store_true", help="one line a question as well")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N questions")


def run(args: Namespace) -> int:
    questions = load_questions(args.file)[: args.limit]
    chosen = choose(args.connection)
    settings = chosen.settings
    if args.db_dir is not None:
        settings = _with_databases(settings, questions, args.db_dir)
    outcomes = asyncio.run(
        _evaluated(args, Chosen(_unlimited(settings), chosen.connection), questions)
    )
    if args.json:
        found = figures(outcomes) | ({"details": details(outcomes)} if args.details else {})
        CONSOLE.say(orjson.dumps(found).decode())
        return 0
    for line in [
        *map(detail_line, outcomes if args.details else ()),
        *figure_lines(figures(outcomes)),
    ]:
        CONSOLE.say(line)
    return 0


async def _evaluated(
    args: Namespace, chosen: Chosen, questions: Sequence[GoldQuestion]
) -> list[Outcome]:
    def connection_of(question: GoldQuestion) -> ConnectionName | None:
        return ConnectionName(question.db) if args.db_dir is not None else chosen.connection

    async with open_app(chosen.settings) as app:
        return await evaluate(
            app,
            questions,
            connection_of=connection_of,
            tell=lambda done: _tell(done, len(questions)),
        )


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{done} of {total}" + ("\r\x1b[K" if done == total else ""))
        sys.stderr.flush()


def _with_databases(
    settings: Settings, questions: Sequence[GoldQuestion], folder: Path
) -> Settings:
    """Make a connection of each database file that a question names.

    Raises:
        SettingsInvalid: there is no file for one of them.
    """
    names = sorted({question.db for question in questions})
    files = {name: _file(folder, name) for name in names}
    missing = [name or "(none given)" for name, path in files.items() if path is None]
    if missing:
        raise SettingsInvalid(
            f"{folder} holds no database file for: {', '.join(missing)}. "
            f"Expected names such as {folder / 'NAME.sqlite'}."
        )
    known = {
        name: ConnectionSettings.model_validate({"url": str(path)}) for name, path in files.items()
    }
    return settings.model_copy(update={"connections": {**settings.connections, **known}})


def _file(folder: Path, name: str) -> Path | None:
    # A name comes out of a file; it must not lead out of the folder.
    if not name or name != Path(name).name:
        return None
    places = (folder / f"{name}.{suffix}" for suffix in _SUFFIXES)
    nested = (folder / name / f"{name}.{suffix}" for suffix in _SUFFIXES)
    return next((path for path in (*places, *nested) if path.is_file()), None)


def _unlimited(settings: Settings) -> Settings:
    """Nobody has to wait for their turn in an evaluation."""
    limits = LimitSettings(questions_per_minute=1e9, burst=1_000_000)
    return settings.model_copy(update={"limits": limits})
