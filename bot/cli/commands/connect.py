"""Add, list, test or remove a connection to a database.

A connection that is added is tested first. It is kept in the state; its password, which is asked
for and never given on the command line, is kept there encrypted.
"""

import asyncio
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from getpass import getpass
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TypeVar
from urllib.parse import urlsplit

import orjson

from adapters.inmemory.clock import SystemClock
from adapters.storage.installations import StoredInstallations
from adapters.storage.opening import open_state
from adapters.storage.secrets import new_key
from bot.bootstrap import App, open_app, saved_connections, secret_box, state_url
from bot.cli.choosing import choose, opened_saved
from bot.cli.console import CONSOLE
from bot.cli.noting import note_change
from bot.cli.opening import look_at
from bot.connections import DEMO, OpenConnection
from bot.logins import about_login
from bot.saved_connections import Saved, SavedConnection, SavedConnections, check
from bot.settings import Settings, read_settings
from core.domain.audit import Deed
from core.domain.column_rules import Rule
from core.domain.errors import ConnectionUnusable, OperatorNeeded, SettingsInvalid
from core.domain.ids import ConnectionName
from core.toolkit.wording import counted

Made = TypeVar("Made")


def add_arguments(parser: ArgumentParser) -> None:
    commands = parser.add_subparsers(
        required=True, metavar="add|list|test|remove|new-key|change-keys"
    )
    add = commands.add_parser("add", help="test a connection and keep it under a name")
    add.add_argument("name", help="letters, digits, - and _")
    where = add.add_mutually_exclusive_group(required=True)
    where.add_argument("url", nargs="?", help="a URL without password, or a database file's path")
    where.add_argument("--url-env", metavar="VARIABLE", help="the variable that holds the URL")
    add.add_argument(
        "--secret-stdin", action="store_true", help="read the password from standard input"
    )
    add.add_argument("--description", default="", help="what is in it, for those who ask")
    add.add_argument("--schema", action="append", default=[], help="may be given several times")
    add.add_argument("--table", action="append", default=[], help="may be given several times")
    add.add_argument(
        "--hide", action="append", default=[], metavar="TABLE.COLUMN", help="is not there at all"
    )
    add.add_argument(
        "--mask", action="append", default=[], metavar="TABLE.COLUMN", help="shows as stars"
    )
    add.add_argument(
        "--ask-above-rows", type=_count, metavar="N", help="a query that reads more has to wait"
    )
    add.add_argument(
        "--replace",
        action="store_true",
        help="change the one of this name; what is not given stays",
    )
    add.add_argument("--no-test", action="store_true", help="keep it without opening it")
    add.set_defaults(do=_add)
    listed = commands.add_parser("list", help="show every connection by its name")
    listed.add_argument("--json", action="store_true", help="one JSON list of records")
    listed.set_defaults(do=_list)
    test = commands.add_parser("test", help="open a connection and say what is in it")
    test.add_argument("connection", metavar="NAME|URL")
    test.set_defaults(do=_test)
    remove = commands.add_parser("remove", help="forget a connection that was added")
    remove.add_argument("name")
    remove.set_defaults(do=_remove)
    fresh = commands.add_parser("new-key", help="print a fresh key for the setting secret_keys")
    fresh.set_defaults(do=_new_key)
    change = commands.add_parser(
        "change-keys", help="encrypt every password and token with the first key"
    )
    change.set_defaults(do=_change_keys)


def run(args: Namespace) -> int:
    return args.do(args)


def _add(args: Namespace) -> int:
    settings = read_settings()
    known = _with_saved(settings, lambda saved: saved.all()).get(ConnectionName(args.name))
    if known is not None and not args.replace:
        raise SettingsInvalid(
            f"There is a connection {args.name!r} already ({known.connection.place}). Choose "
            "another name, or put this one in its place with --replace."
        )
    connection = _asked_for(args, known.connection if known is not None else None)
    check(args.name, connection)
    if args.name in settings.connections:
        raise SettingsInvalid(
            f"{args.name} stands in the settings, which win over what is added. Choose another "
            "name, or change it there."
        )
    secret = _secret(args, connection)
    if not secret and known is not None and known.connection.url == connection.url:
        secret = known.secret
    if not args.no_test:
        _say_tested(*_tried(settings, args.name, connection, secret))
    _with_saved(
        settings, lambda saved: saved.add(args.name, connection, secret, replace=args.replace)
    )
    note_change(
        settings,
        Deed.CONNECTED,
        args.name,
        said=f"connect add {args.name}",
        note=connection.place,
    )
    if args.no_test:
        CONSOLE.say(f"{args.name} is kept and was not tested.")
    else:
        CONSOLE.say(f'It is kept. Ask it: resona ask --connection {args.name} "…"')
    return 0


def _asked_for(args: Namespace, known: SavedConnection | None) -> SavedConnection:
    """Return what is kept: what was given, over what stays of the one that it takes the place of.

    Raises:
        SettingsInvalid: a rule names no column.
    """
    given = {
        "description": args.description,
        "schemas": tuple(args.schema),
        "tables": tuple(args.table),
        "ask_above_rows": args.ask_above_rows,
    }
    fresh = SavedConnection(url=_whole(args.url) if args.url else "", url_env=args.url_env or "")
    old = known or fresh
    rights = replace(
        old.rights,
        hide=tuple(args.hide) or old.rights.hide,
        mask=tuple(args.mask) or old.rights.mask,
    )
    for rule in (*rights.hide, *rights.mask):
        _check_rule(rule)
    address = {"url": fresh.url, "url_env": fresh.url_env, "rights": rights}
    return old.model_copy(update=address | {name: value for name, value in given.items() if value})


def _check_rule(rule: str) -> None:
    try:
        Rule.of(rule)
    except ConnectionUnusable as error:
        raise SettingsInvalid(str(error)) from error


def _count(text: str) -> float:
    with suppress(ValueError):
        rows = float(text)
        if 0 < rows < inf:
            return rows
    raise ArgumentTypeError("a number of rows above 0 is needed")


def _list(args: Namespace) -> int:
    records = _records(read_settings())
    if args.json:
        CONSOLE.say(orjson.dumps(records, option=orjson.OPT_INDENT_2).decode())
        return 0
    width = max(len(record["name"]) for record in records)
    for record in records:
        note = f"  {record['description']}" if record["description"] else ""
        CONSOLE.say(f"{record['name']:<{width}}  {record['source']:<8}  {record['place']}{note}")
    return 0


def _test(args: Namespace) -> int:
    started = perf_counter()
    found, login = look_at(choose(args.connection), _with_login)
    _say_tested(found, login, perf_counter() - started)
    return 0


def _remove(args: Namespace) -> int:
    settings = read_settings()
    _with_saved(settings, lambda saved: saved.remove(args.name))
    note_change(settings, Deed.DISCONNECTED, args.name, said=f"connect remove {args.name}")
    CONSOLE.say(f"{args.name} is forgotten. Nothing was changed in the database.")
    return 0


def _new_key(args: Namespace) -> int:
    del args
    CONSOLE.say(new_key())
    return 0


def _change_keys(args: Namespace) -> int:
    del args
    passwords, tokens = asyncio.run(_resealed(read_settings()))
    CONSOLE.say(
        f"{passwords} passwords and the tokens of {tokens} Slack workspaces are encrypted with the "
        "first key now."
    )
    return 0


async def _resealed(settings: Settings) -> tuple[int, int]:
    clock = SystemClock()
    async with open_state(state_url(settings), clock) as state:
        installations = StoredInstallations(state.database, secret_box(settings), clock)
        passwords = await saved_connections(settings, state, clock).store.reseal()
        return passwords, await installations.reseal()


def _secret(args: Namespace, connection: SavedConnection) -> str:
    """Return the password, from wherever nobody sees it; empty where there is none."""
    if args.secret_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    parts = urlsplit(connection.url)
    if not parts.username or not CONSOLE.is_interactive:
        return ""
    return getpass(f"Password of {parts.username} at {parts.hostname} (empty for none): ")


def _tried(
    settings: Settings, name: str, connection: SavedConnection, secret: str
) -> tuple[OpenConnection, tuple[str, ...], float]:
    """Open a connection that is not kept yet.

    Raises:
        ConnectionUnusable: it does not answer, or has nothing to read.
    """

    async def tried() -> tuple[OpenConnection, tuple[str, ...], float] | OperatorNeeded:
        started = perf_counter()
        # Raised in here it would come out in a group, for there may be tasks beside it.
        async with open_app(settings) as app:
            try:
                return *await _tested(app, name, connection, secret), perf_counter() - started
            except OperatorNeeded as error:
                return error

    found = asyncio.run(tried())
    if isinstance(found, OperatorNeeded):
        raise found
    return found


async def _tested(
    app: App, name: str, connection: SavedConnection, secret: str
) -> tuple[OpenConnection, tuple[str, ...]]:
    connections = app.outside.connections
    async with connections.tried(ConnectionName(name), connection.settings(secret)) as found:
        return await _with_login(found)


def _say_tested(found: OpenConnection, login: tuple[str, ...], seconds: float) -> None:
    tables = found.catalog.tables
    columns = sum(len(table.columns) for table in tables)
    CONSOLE.say(
        f"{found.connection.name} answers ({found.connection.dialect}, "
        f"{seconds:.1f} s): {counted(len(tables), 'table')} "
        f"with {counted(columns, 'column')}."
    )
    names = ", ".join(table.qualified_name for table in tables[:12])
    CONSOLE.say(f"  {names}{', …' if len(tables) > 12 else ''}")
    for line in login:
        CONSOLE.say(line)


async def _with_login(found: OpenConnection) -> tuple[OpenConnection, tuple[str, ...]]:
    return found, await about_login(found)


def _with_saved(settings: Settings, use: Callable[[SavedConnections], Awaitable[Made]]) -> Made:
    async def used() -> Made:
        async with opened_saved(settings) as saved:
            return await use(saved)

    return asyncio.run(used())


def _records(settings: Settings) -> list[dict[str, str]]:
    saved = _with_saved(settings, lambda saved: saved.all())
    records = [("built in", "(made at its first use)", "The demo database", DEMO)]
    for name, each in sorted(settings.connections.items()):
        # An address in the settings may hold a password, so that it is not shown.
        records.append(("settings", "(in the settings)", each.description, ConnectionName(name)))
    for name, kept in saved.items():
        if name not in settings.connections:
            place = kept.connection.place + _what_is_wrong(kept)
            records.append(("added", place, kept.connection.description, name))
    return [
        dict(zip(("source", "place", "description", "name"), each, strict=True)) for each in records
    ]


def _what_is_wrong(saved: Saved) -> str:
    try:
        saved.settings()
    except ConnectionUnusable:
        return " (its password cannot be read)" if saved.problem else " (not set)"
    return ""


def _whole(address: str) -> str:
    """Return a path from the root, so that it means the same from every directory."""
    return address if "://" in address else str(Path(address).expanduser().resolve())
