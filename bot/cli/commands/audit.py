"""Show the audit log: who read what, when and where, and who allowed it.

The newest entries come first. Nothing changes an entry or takes one away.
"""

import asyncio
from argparse import ArgumentParser, Namespace
from datetime import UTC, date, datetime, time, timedelta

import orjson

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from bot.bootstrap import state_url
from bot.cli.arguments import a_day, number_from
from bot.cli.choosing import choose
from bot.cli.console import CONSOLE
from core.domain.audit import AuditEntry, AuditSearch, Deed
from core.domain.ids import ActorId, ConnectionName

_WORDS = {
    Deed.RAN: "ran",
    Deed.FAILED: "failed",
    Deed.STOPPED: "stopped",
    Deed.APPROVAL_ASKED: "asked for approval",
    Deed.APPROVED: "approved",
    Deed.CHEAPER_WANTED: "wanted cheaper",
    Deed.CANCELLED: "cancelled",
    Deed.EXPIRED: "not answered in time",
    Deed.TURNED_AWAY: "turned away",
    Deed.CONNECTED: "connected it",
    Deed.DISCONNECTED: "disconnected it",
    Deed.CHOSEN: "chose it",
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--person", metavar="ID", help="only what was done on this one's behalf")
    parser.add_argument("--connection", metavar="NAME", help="only of this connection")
    parser.add_argument("--deed", choices=[deed.value for deed in Deed], help="only of this kind")
    parser.add_argument("--since", type=a_day, metavar="DAY", help="from this day on")
    parser.add_argument("--until", type=a_day, metavar="DAY", help="up to this day")
    parser.add_argument(
        "--limit", type=number_from(1), default=50, metavar="N", help="at most N (50)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line, all of it")


def run(args: Namespace) -> int:
    entries = asyncio.run(_entries(args))
    if not entries and not args.json:
        CONSOLE.complain("Nothing of that kind has been written down.")
    for entry in entries:
        CONSOLE.say(_as_json(entry) if args.json else _as_line(entry))
    return 0


async def _entries(args: Namespace) -> tuple[AuditEntry, ...]:
    search = AuditSearch(
        actor=ActorId(args.person) if args.person else None,
        connection=ConnectionName(args.connection) if args.connection else None,
        deed=Deed(args.deed) if args.deed else None,
        since=_start_of(args.since) if args.since else None,
        until=_end_of(args.until) if args.until else None,
    )
    async with open_state(state_url(choose(None).settings), SystemClock()) as state:
        return await state.audit.entries(search, at_most=args.limit)


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _end_of(day: date) -> datetime | None:
    return None if day == date.max else _start_of(day + timedelta(days=1))


def _as_line(entry: AuditEntry) -> str:
    who = f"{entry.actor_name} ({entry.actor})"
    parts = [
        entry.at.strftime("%Y-%m-%d %H:%M:%S"),
        f"{who}, {_WORDS[entry.deed]}",
        f"{entry.connection} in {entry.place}" if str(entry.place) else entry.connection,
        *_figures(entry),
        " ".join((entry.sql or entry.note).split()),
    ]
    line = "  ".join(parts)
    if not CONSOLE.is_styled or len(line) <= CONSOLE.width:
        return line  # what is searched or kept is not cut
    return f"{line[: CONSOLE.width - 1]}…"


def _figures(entry: AuditEntry) -> list[str]:
    figures: list[str] = []
    if entry.rows is not None:
        figures.append("1 row" if entry.rows == 1 else f"{entry.rows:,} rows")
    if entry.seconds is not None:
        usual = entry.estimate.seconds if entry.estimate else None
        drift = f" (usually under {usual:.2f} s)" if usual is not None else ""
        figures.append(f"{entry.seconds:.2f} s{drift}")
    if entry.decided_by is not None:
        figures.append(f"decided by {entry.decided_by}")
    return figures


def _as_json(entry: AuditEntry) -> str:
    estimate = entry.estimate.model_dump(exclude_none=True) if entry.estimate else None
    return orjson.dumps(
        {
            "at": entry.at,
            "deed": entry.deed.value,
            "actor": entry.actor,
            "actor_name": entry.actor_name,
            "workspace": entry.workspace,
            "place": str(entry.place),
            "thread": entry.thread,
            "run_id": entry.run,
            "connection": entry.connection,
            "question": entry.question,
            "sql": entry.sql,
            "query_hash": entry.query_hash,
            "rows": entry.rows,
            "seconds": entry.seconds,
            "estimate": estimate,
            "decided_by": entry.decided_by,
            "note": entry.note,
        }
    ).decode()
