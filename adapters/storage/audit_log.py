"""The audit log, in the state database; its table refuses every change but one more row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from adapters.storage.database import Database, Record, Value, moment, only
from core.domain.audit import AuditEntry, AuditSearch, Deed
from core.domain.ids import ActorId, ConnectionName, QueryHash, RunId, ThreadId, WorkspaceId
from core.domain.people import Place
from core.domain.query import CostEstimate

_RECORD = """
    INSERT INTO audit (
      at, deed, actor, actor_name, workspace, platform, channel, thread, run, connection, question,
      sql_text, query_hash, row_count, seconds, estimate, decided_by, note
    ) VALUES (
      :at, :deed, :actor, :actor_name, :workspace, :platform, :channel, :thread, :run, :connection,
      :question, :sql_text, :query_hash, :row_count, :seconds, :estimate, :decided_by, :note
    )
"""
_ENTRIES = """
    SELECT at, deed, actor, actor_name, workspace, platform, channel, thread, run, connection,
      question, sql_text, query_hash, row_count, seconds, estimate, decided_by, note
    FROM audit WHERE {conditions} ORDER BY id DESC LIMIT :at_most
"""


@dataclass(frozen=True, slots=True)
class StoredAuditLog:
    """Every entry is a row with a column for each part, for other programs to read too."""

    database: Database

    async def record(self, entry: AuditEntry) -> None:
        await self.database.run(only(_RECORD, **_as_row(entry)))

    async def entries(self, search: AuditSearch, *, at_most: int) -> tuple[AuditEntry, ...]:
        wanted = tuple(_wanted(search))
        conditions = " AND ".join(("id IS NOT NULL", *(condition for condition, _, _ in wanted)))
        values = {name: value for _, name, value in wanted}
        job = only(_ENTRIES.replace("{conditions}", conditions), at_most=max(at_most, 0), **values)
        rows = await self.database.run(job)
        return tuple(_as_entry(row) for row in rows)


def _wanted(search: AuditSearch) -> Iterator[tuple[str, str, str]]:
    """Yield each condition with the name and the value that it needs."""
    if search.workspace is not None:
        yield "workspace = :workspace", "workspace", search.workspace
    if search.actor is not None:
        yield "actor = :actor", "actor", search.actor
    if search.connection is not None:
        yield "connection = :connection", "connection", search.connection
    if search.deed is not None:
        yield "deed = :deed", "deed", search.deed.value
    if search.since is not None:
        yield "at >= :since", "since", moment(search.since)
    if search.until is not None:
        yield "at < :until", "until", moment(search.until)


def _as_row(entry: AuditEntry) -> dict[str, Value]:
    return {
        "at": moment(entry.at),
        "deed": entry.deed.value,
        "actor": entry.actor,
        "actor_name": _storable(entry.actor_name),
        "workspace": entry.workspace,
        "platform": entry.place.platform,
        "channel": entry.place.channel,
        "thread": entry.thread,
        "run": entry.run,
        "connection": entry.connection,
        "question": _storable(entry.question),
        "sql_text": _storable(entry.sql),
        "query_hash": entry.query_hash,
        "row_count": entry.rows,
        "seconds": entry.seconds,
        "estimate": entry.estimate.model_dump_json() if entry.estimate else None,
        "decided_by": entry.decided_by,
        "note": _storable(entry.note),
    }


def _storable(text: str) -> str:
    """Return the text without what no database takes: halves of characters, and the zero byte."""
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _as_entry(row: Record) -> AuditEntry:
    at, deed, actor, actor_name, workspace, platform, channel, thread, run, connection, *rest = row
    question, sql, query_hash, rows, seconds, estimate, decided_by, note = rest
    return AuditEntry(
        at=datetime.fromisoformat(at),
        deed=Deed(deed),
        actor=ActorId(actor),
        actor_name=actor_name,
        workspace=WorkspaceId(workspace),
        place=Place(platform=platform, channel=channel),
        thread=ThreadId(thread),
        run=RunId(run),
        connection=ConnectionName(connection),
        question=question,
        sql=sql,
        query_hash=QueryHash(query_hash) if query_hash else None,
        rows=rows,
        seconds=seconds,
        estimate=CostEstimate.model_validate_json(estimate) if estimate else None,
        decided_by=ActorId(decided_by) if decided_by else None,
        note=note,
    )
