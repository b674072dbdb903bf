"""Ask questions with known answers and report how many came out right.

The file holds questions with `id`, `question` and what is right: `gold` (one SQL statement or a
list, any one of them right), `expect` (a figure or rows), `says` (words of the answer) or
`expect_status`; as JSON lines, YAML or CSV. Without a file, the questions on the demo data are
asked. docs/evaluation.md tells more.

Exit codes: 0 done, 1 below a threshold of --fail-under, 2 bad usage or entries that could not be
asked, 5 failed, 130 interrupted: what was done until then is reported.
"""

import asyncio
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from bot.bootstrap import DEMO, open_app
from bot.cli.choosing import choose
from bot.cli.console import CONSOLE
from bot.cli.exits import BELOW, STOPPED, USAGE
from bot.demo.questions import EVALUATION
from bot.evaluation.databases import Databases, in_folder, of_connections
from bot.evaluation.evaluate import evaluate
from bot.evaluation.junit import write_junit
from bot.evaluation.outcome import Outcome
from bot.evaluation.questions import GoldQuestion, Problem, chosen, load_questions
from bot.evaluation.report import (
    by_category,
    by_difficulty,
    detail_line,
    details,
    figure_lines,
    figures,
    group_lines,
)
from bot.evaluation.runs import Change, compared, keep, place_of, read_run
from bot.evaluation.thresholds import missed, read_thresholds
from bot.settings import LimitSettings, Settings
from core.domain.chat import Json


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, help="questions: .jsonl, .yaml or .csv")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--db-dir", type=Path, metavar="DIR", help="holds <db>.sqlite for each db")
    where.add_argument("--connection", metavar="NAME|URL", help="one database for all questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--details", action="store_true", help="one line a question as well")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML as well")
    parser.add_argument(
        "--baseline", type=Path, metavar="FILE", help="compare with this report, not the last run"
    )
    parser.add_argument(
        "--fail-under", metavar="FIGURE=SHARE,…", default="", help="such as accuracy=0.8"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N questions")
    parser.add_argument(
        "--at-once",
        type=_positive,
        metavar="N",
        default=4,
        help="questions at a time, 4 if not given",
    )
    parser.add_argument(
        "--only", action="append", metavar="ID", default=[], help="only this one; may come again"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """All that there is to say about a run."""

    outcomes: Sequence[Outcome]
    problems: Sequence[Problem]
    change: Change | None

    def as_json(self, *, with_details: bool) -> dict[str, Json]:
        found = figures(self.outcomes)
        found["by_difficulty"] = by_difficulty(self.outcomes)
        found["by_category"] = by_category(self.outcomes)
        found["problems"] = [f"{each.where}: {each.reason}" for each in self.problems]
        found["compared"] = self.change.as_json() if self.change else None
        if with_details:
            found["details"] = details(self.outcomes)
        return found

    def lines(self, *, with_details: bool) -> list[str]:
        return [
            *map(detail_line, self.outcomes if with_details else ()),
            *figure_lines(figures(self.outcomes)),
            *group_lines("difficulty", by_difficulty(self.outcomes)),
            *(group_lines("category", by_category(self.outcomes)) if with_details else ()),
            *(self.change.lines() if self.change else ()),
        ]


def run(args: Namespace) -> int:
    floors = read_thresholds(args.fail_under)
    file = args.file or EVALUATION
    questions = chosen(load_questions(file), only=args.only, limit=args.limit)
    before = read_run(args.baseline) if args.baseline else None
    databases = _databases(args, questions.good)
    found, is_done = _asked(databases, args.at_once)
    outcomes, late = _parted(found)
    problems = (*questions.problems, *databases.problems, *late)

    last = place_of(file, state_dir=databases.settings.state_dir, database=databases.name)
    is_whole = is_done and not args.only and args.limit is None
    if before is None and last.is_file():
        before = read_run(last)
    report = _Report(
        outcomes=outcomes,
        problems=problems,
        change=compared(before, outcomes, whole=is_whole) if before is not None else None,
    )
    if is_whole and outcomes:
        keep(last, report.as_json(with_details=True))
    if args.junit:
        write_junit(args.junit, outcomes, problems, figures(outcomes), name=file.stem)
    _say(report, args)
    if not is_done:
        CONSOLE.complain(f"Interrupted: {len(found)} of {len(databases.questions)} were asked.")
        return STOPPED
    return _exit_code(report, missed(floors, figures(outcomes)))


def _databases(args: Namespace, questions: Sequence[GoldQuestion]) -> Databases:
    """Find the database of each question."""
    is_demo = args.file is None and args.db_dir is None and args.connection is None
    where = choose(DEMO if is_demo else args.connection)
    settings = _unlimited(where.settings)
    if args.db_dir is not None:
        return in_folder(settings, questions, args.db_dir)
    return of_connections(settings, where.connection, questions)


def _asked(databases: Databases, at_once: int) -> tuple[list[Outcome | Problem], bool]:
    """Return what became of the questions in their order, and whether all were asked."""
    found = dict[int, Outcome | Problem]()

    def take(place: int, outcome: Outcome | Problem) -> None:
        found[place] = outcome
        _tell(len(found), len(databases.questions))

    is_done = True
    if databases.questions:
        try:
            asyncio.run(_evaluated(databases, take, at_once))
        except KeyboardInterrupt:
            is_done = False
    return [found[place] for place in sorted(found)], is_done


async def _evaluated(
    databases: Databases, take: Callable[[int, Outcome | Problem], None], at_once: int
) -> None:
    async with open_app(databases.settings) as app:
        await evaluate(
            app,
            databases.questions,
            connection_of=databases.connection_of,
            take=take,
            at_once=at_once,
        )


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError("a whole number from 1 on")
    return int(text)


def _parted(found: Sequence[Outcome | Problem]) -> tuple[list[Outcome], list[Problem]]:
    return (
        [each for each in found if isinstance(each, Outcome)],
        [each for each in found if isinstance(each, Problem)],
    )


def _say(report: _Report, args: Namespace) -> None:
    if args.json:
        CONSOLE.say(orjson.dumps(report.as_json(with_details=args.details)).decode())
    elif report.outcomes:
        for line in report.lines(with_details=args.details):
            CONSOLE.say(line)
    for problem in report.problems:
        CONSOLE.complain(f"{problem.where}: {problem.reason}")


def _exit_code(report: _Report, missed_floors: Sequence[str]) -> int:
    for sentence in missed_floors:
        CONSOLE.complain(sentence)
    if missed_floors:
        return BELOW
    return USAGE if report.problems else 0


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{done} of {total}" + ("\r\x1b[K" if done == total else ""))
        sys.stderr.flush()


def _unlimited(settings: Settings) -> Settings:
    """Nobody has to wait for their turn in an evaluation."""
    limits = LimitSettings(questions_per_minute=1e9, burst=1_000_000)
    return settings.model_copy(update={"limits": limits})
