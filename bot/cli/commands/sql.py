"""Check whether a statement may run, without running it.

`resona sql check --dialect postgres "SELECT …"` judges one statement; with `--jsonl` lines with
`dialect` and `sql` are read from standard input, and one verdict a line is written. With a
connection its tables are known too, and a statement that may run gets its estimate.

Exit codes for one statement: 0 it may run, 4 it is refused. With `--jsonl`: 0.
"""

import sys
from argparse import ArgumentParser, Namespace
from functools import cache, partial
from typing import cast

import orjson

from bot.cli.choosing import choose
from bot.cli.console import CONSOLE
from bot.cli.exits import ANSWERED, REFUSED
from bot.cli.opening import look_at
from bot.connections import OpenConnection
from core.domain.catalog import Catalog
from core.domain.chat import Json
from core.domain.errors import QueryRejected, SettingsInvalid, ToolError
from core.domain.query import CostEstimate, Dialect
from core.reviewer.correction import names_meant, shortened, tables_named
from core.sql.guard import Guard
from core.sql.verdict import Verdict

_ALSO = {
    "postgresql": Dialect.POSTGRES,
    "mariadb": Dialect.MYSQL,
    "mssql": Dialect.TSQL,
    "sqlserver": Dialect.TSQL,
}


def add_arguments(parser: ArgumentParser) -> None:
    commands = parser.add_subparsers(required=True, metavar="check")
    check = commands.add_parser("check", help="say whether a statement may run, and why not")
    check.add_argument("statement", nargs="?", help="one SQL statement")
    known = ", ".join(Dialect)
    check.add_argument("--dialect", help=f"whose SQL it is: {known}")
    check.add_argument("--connection", metavar="NAME|URL", help="judge it against this catalog")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.add_argument("--jsonl", action="store_true", help="read and write one object a line")


def run(args: Namespace) -> int:
    if bool(args.statement) is args.jsonl:
        raise SettingsInvalid("Give one statement, or --jsonl and lines on standard input.")
    return _check_lines(args) if args.jsonl else _check_one(args)


def _check_one(args: Namespace) -> int:
    if args.connection:
        verdict, estimate = look_at(choose(args.connection), partial(_judged_there, args.statement))
    else:
        verdict, estimate = _guard(_dialect(args.dialect)).judge(args.statement), None
    _tell(verdict, estimate, as_json=args.json)
    return ANSWERED if verdict.allowed else REFUSED


def _check_lines(args: Namespace) -> int:
    guard = look_at(choose(args.connection), _guard_for) if args.connection else None
    for line in sys.stdin.buffer:
        if line.strip():
            CONSOLE.say(orjson.dumps(_judged_line(line, guard, args.dialect)).decode())
    return ANSWERED


async def _judged_there(
    statement: str, found: OpenConnection
) -> tuple[Verdict, CostEstimate | None]:
    verdict = (await _guard_for(found)).judge(statement)
    if verdict.query is None:
        return verdict, None
    try:
        return verdict, await found.warehouse.estimate(verdict.query)
    except QueryRejected as rejected:
        return _rejected(rejected, statement, found.catalog), None
    except ToolError:
        return verdict, CostEstimate()


def _rejected(rejected: QueryRejected, statement: str, catalog: Catalog) -> Verdict:
    """Say what the database says, and which names are near the ones that it does not know."""
    tables = tables_named(statement, catalog)
    said = shortened(rejected.advice).rstrip(".") + "."
    reasons = (said, *names_meant(rejected.advice, tables, catalog))
    return Verdict(rule="database", reason=" ".join(reasons))


def verdict_record(verdict: Verdict) -> dict[str, Json]:
    return {
        "allowed": verdict.allowed,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "rendered": verdict.sql,
    }


def _tell(verdict: Verdict, estimate: CostEstimate | None, *, as_json: bool) -> None:
    if as_json:
        record = verdict_record(verdict) | {
            "estimate": estimate.model_dump(mode="json") if estimate else None
        }
        CONSOLE.say(orjson.dumps(record).decode())
    elif verdict.allowed:
        CONSOLE.say(f"Allowed. What would run:\n  {verdict.sql}")
        if estimate is not None:
            CONSOLE.say(f"Estimate: {_in_words(estimate)}")
    else:
        CONSOLE.say(f"Refused ({verdict.rule}): {verdict.reason}")


def _judged_line(line: bytes, guard: Guard | None, dialect: str | None) -> dict[str, Json]:
    record = _object(line)
    sql, named = record.get("sql"), record.get("dialect") or dialect
    if not isinstance(sql, str):
        verdict = Verdict(rule="input", reason="The line must be an object with dialect and sql.")
    else:
        verdict = _judged(sql, guard, str(named or ""))
    return {"id": record.get("id"), **verdict_record(verdict)}


def _object(line: bytes) -> dict[str, Json]:
    try:
        found: object = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return cast("dict[str, Json]", found) if isinstance(found, dict) else {}


def _judged(sql: str, guard: Guard | None, dialect: str) -> Verdict:
    try:
        return (guard or _guard(_dialect(dialect))).judge(sql)
    except SettingsInvalid as error:
        return Verdict(rule="dialect", reason=str(error))


@cache
def _guard(dialect: Dialect) -> Guard:
    return Guard.without_catalog(dialect)


def _dialect(name: str | None) -> Dialect:
    """Find a dialect by its name or one that it is also known by.

    Raises:
        SettingsInvalid: there is none of that name.
    """
    known = {str(each): each for each in Dialect} | _ALSO
    found = known.get((name or "").lower())
    if found is None:
        raise SettingsInvalid(
            f"There is no dialect {name!r}. Known: {', '.join(Dialect)}."
            if name
            else f"Say whose SQL it is, with --dialect: {', '.join(Dialect)}."
        )
    return found


async def _guard_for(found: OpenConnection) -> Guard:
    return Guard(catalog=found.catalog)


def _in_words(estimate: CostEstimate) -> str:
    figures = {
        name: value for name, value in estimate.model_dump().items() if isinstance(value, float)
    }
    known = ", ".join(f"{name} {value:,.0f}" for name, value in figures.items())
    return f"{known or 'the database does not say'} ({estimate.confidence})"
