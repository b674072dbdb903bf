"""Add, list, test or remove a connection to a database.

A connection that is added is tested first. Its address is kept under the state directory; one that
holds a password is not, but the name of the environment variable that holds it.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from time import perf_counter

import orjson

from adapters.storage.secrets import new_key
from bot import saved_connections
from bot.cli.choosing import Chosen, choose, known_names
from bot.cli.console import CONSOLE
from bot.cli.opening import look_at
from bot.connections import OpenConnection
from bot.logins import about_login
from bot.saved_connections import SavedConnection
from bot.settings import Settings, read_settings
from core.domain.errors import ConnectionUnusable


def add_arguments(parser: ArgumentParser) -> None:
    commands = parser.add_subparsers(required=True, metavar="add|list|test|remove|new-key")
    add = commands.add_parser("add", help="test a connection and keep it under a name")
    add.add_argument("name", help="letters, digits, - and _")
    where = add.add_mutually_exclusive_group(required=True)
    where.add_argument("url", nargs="?", help="a URL without password, or a database file's path")
    where.add_argument("--url-env", metavar="VARIABLE", help="the variable that holds the URL")
    add.add_argument("--description", default="", help="what is in it, for those who ask")
    add.add_argument("--schema", action="append", default=[], help="may be given several times")
    add.add_argument("--table", action="append", default=[], help="may be given several times")
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


def run(args: Namespace) -> int:
    return args.do(args)


def _add(args: Namespace) -> int:
    settings = read_settings()
    connection = SavedConnection(
        url=_whole(args.url) if args.url else "",
        url_env=args.url_env or "",
        description=args.description,
        schemas=tuple(args.schema),
        tables=tuple(args.table),
    )
    before = saved_connections.load(settings.state_dir).get(args.name)
    saved_connections.add(settings.state_dir, args.name, connection)
    if args.no_test:
        CONSOLE.say(f"{args.name} is kept and was not tested.")
        return 0
    try:
        _tested(choose(args.name))
    except ConnectionUnusable:
        _put_back(settings, args.name, before)
        raise
    CONSOLE.say(f'It is kept. Ask it: resona ask --connection {args.name} "…"')
    return 0


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
    _tested(choose(args.connection))
    return 0


def _remove(args: Namespace) -> int:
    saved_connections.remove(read_settings().state_dir, args.name)
    CONSOLE.say(f"{args.name} is forgotten. Nothing was changed in the database.")
    return 0


def _new_key(args: Namespace) -> int:
    del args
    CONSOLE.say(new_key())
    return 0


def _tested(chosen: Chosen) -> None:
    started = perf_counter()
    found, login = look_at(chosen, _with_login)
    tables = found.catalog.tables
    columns = sum(len(table.columns) for table in tables)
    CONSOLE.say(
        f"{found.connection.name} answers ({found.connection.dialect}, "
        f"{perf_counter() - started:.1f} s): {len(tables)} tables with {columns} columns."
    )
    names = ", ".join(table.qualified_name for table in tables[:12])
    CONSOLE.say(f"  {names}{', …' if len(tables) > 12 else ''}")
    for line in login:
        CONSOLE.say(line)


async def _with_login(found: OpenConnection) -> tuple[OpenConnection, tuple[str, ...]]:
    return found, await about_login(found)


def _put_back(settings: Settings, name: str, before: SavedConnection | None) -> None:
    if before is None:
        saved_connections.remove(settings.state_dir, name)
    else:
        saved_connections.add(settings.state_dir, name, before)


def _records(settings: Settings) -> list[dict[str, str]]:
    saved = saved_connections.load(settings.state_dir)
    names = dict.fromkeys((*known_names(settings), *sorted(saved)))
    return [_record(settings, saved, name) for name in names]


def _record(settings: Settings, saved: dict[str, SavedConnection], name: str) -> dict[str, str]:
    if name in settings.connections:
        configured = settings.connections[name]
        # An address in the settings may hold a password, so that it is not shown.
        found = ("settings", "(in the settings)", configured.description)
    elif name in saved:
        each = saved[name]
        missing = "" if each.address else " (not set)"
        found = ("added", each.place + missing, each.description)
    else:
        found = ("built in", "(made at its first use)", "The demo database")
    return dict(zip(("source", "place", "description"), found, strict=True)) | {"name": name}


def _whole(address: str) -> str:
    """Return a path from the root, so that it means the same from every directory."""
    return address if "://" in address else str(Path(address).expanduser().resolve())
