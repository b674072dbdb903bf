"""What every AuditLog does. Subclass it next to the implementation; add nothing to pass."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.audit import AuditEntry, AuditSearch, Deed
from core.domain.ids import ActorId, ConnectionName, QueryHash, RunId, ThreadId, WorkspaceId
from core.domain.people import Place
from core.domain.query import CostEstimate
from core.ports.audit_log import AuditLog

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
READ = AuditEntry(
    at=NOW,
    deed=Deed.RAN,
    actor=ActorId("ann"),
    actor_name="Ann",
    workspace=WorkspaceId("acme"),
    place=Place(platform="slack", channel="C01"),
    thread=ThreadId("here"),
    run=RunId("r"),
    connection=ConnectionName("shop"),
    question="how many orders? 日本 '; --",
    sql="SELECT COUNT(*) FROM \"orders\" WHERE name = 'O''Neil'",
    query_hash=QueryHash("ab" * 32),
    rows=3_000_000_000,
    seconds=0.125,
    estimate=CostEstimate(rows=2e9, usd=0.5, confidence="estimate"),
    decided_by=ActorId("bob"),
    note="approved",
)


class AuditLogContract:
    """The subclass gives an empty `audit` fixture."""

    async def test_gives_back_the_whole_entry(self, audit: AuditLog):
        await audit.record(READ)

        assert await every(audit) == (READ,)

    async def test_keeps_what_is_not_known_as_not_known(self, audit: AuditLog):
        bare = AuditEntry(
            at=NOW,
            deed=Deed.TURNED_AWAY,
            actor=ActorId("ann"),
            actor_name="Ann",
            workspace=WorkspaceId("acme"),
            thread=ThreadId("here"),
            run=RunId("r"),
            connection=ConnectionName("hr"),
            question="",
        )
        await audit.record(bare)

        assert await every(audit) == (bare,)

    async def test_gives_the_newest_first_and_at_most_so_many(self, audit: AuditLog):
        for n in range(5):
            await audit.record(replace(READ, question=str(n)))

        found = await audit.entries(AuditSearch(), at_most=3)

        assert [each.question for each in found] == ["4", "3", "2"]
        assert await audit.entries(AuditSearch(), at_most=0) == ()

    async def test_keeps_all_that_come_at_once(self, audit: AuditLog):
        async with asyncio.TaskGroup() as tasks:
            for n in range(20):
                tasks.create_task(audit.record(replace(READ, question=str(n))))

        assert {each.question for each in await every(audit)} == {str(n) for n in range(20)}

    @pytest.mark.parametrize(
        "other",
        [
            replace(READ, actor=ActorId("bob")),
            replace(READ, workspace=WorkspaceId("other")),
            replace(READ, connection=ConnectionName("hr")),
            replace(READ, deed=Deed.FAILED),
            replace(READ, at=NOW - timedelta(microseconds=1)),
            replace(READ, at=NOW + timedelta(hours=1)),
        ],
        ids=["actor", "workspace", "connection", "deed", "before", "after"],
    )
    async def test_finds_what_is_looked_for(self, audit: AuditLog, other: AuditEntry):
        await audit.record(other)
        await audit.record(READ)
        search = AuditSearch(
            workspace=READ.workspace,
            actor=READ.actor,
            connection=READ.connection,
            deed=READ.deed,
            since=NOW,
            until=NOW + timedelta(hours=1),
        )

        assert await audit.entries(search, at_most=10) == (READ,)


async def every(audit: AuditLog) -> tuple[AuditEntry, ...]:
    return await audit.entries(AuditSearch(), at_most=100)
