from dataclasses import replace
from pathlib import Path

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.attempts import StoredAttempts
from adapters.storage.connections import KeptConnection, StoredConnections
from adapters.storage.database import only
from adapters.storage.opening import State
from adapters.storage.secrets import SecretBox
from adapters.storage.usage_log import StoredUsageLog
from core.domain.answer import Answer, FileRef, Shown
from core.domain.conversation import Attachment, Exchange
from core.domain.events import TurnFinished, TurnStarted
from core.domain.ids import (
    ActorId,
    ArtifactId,
    ConnectionName,
    DecisionId,
    FileId,
    MessageId,
    RunId,
    ThreadId,
    TurnId,
    WorkspaceId,
)
from core.domain.people import Actor
from core.domain.usage import TurnUsage
from tests.conformance.audit_log import READ
from tests.conformance.paused_runs import QUESTION, paused_run

GONE, LEFT = WorkspaceId("slack:T1"), WorkspaceId("slack:T10")
# What nothing of a workspace is in, or what has to outlive it.
NOT_OF_A_WORKSPACE = {
    "migrations": "says how far the tables are",
    "processes": "says which processes live",
    "audit": "only grows, also when somebody leaves",
    "installations": "goes by its tenant, when the app is taken out",
    "connections_version": "counts changes",
    "install_states": "goes by itself, within minutes",
}
PURGED = {
    "exchanges",
    "runs",
    "run_events",
    "paused_runs",
    "answers_due",
    "chosen_connections",
    "connect_attempts",
    "connections",
    "done_once",
    "installation_workspaces",
    "turn_usage",
}


def file(digit: str) -> FileRef:
    return FileRef(id=FileId(digit * 32), name="a.csv", media_type="text/csv", size_bytes=1)


async def filled(state: State, workspace: WorkspaceId, digits: str) -> None:
    """Keep a bit of everything for a workspace; each digit makes one file."""
    thread, run = ThreadId(f"{workspace}:C1:1.0"), RunId(f"run-of-{workspace}")
    shown = Shown(id=ArtifactId("a"), title="A", files=(file(digits[0]),))
    answer = Answer(text='It says "id":"' + "f" * 32 + '","name": too.', shown=(shown,))
    asked_by = Actor(id=ActorId(f"{workspace}:U1"), workspace=workspace, name="Ann")
    await state.threads.append(thread, Exchange(question="q", asked_by=asked_by, answer=answer))
    await state.run_log.begin(run)
    started = TurnStarted(turn_id=TurnId("t"), run_id=run, thread_id=thread, question="q")
    later = replace_file(answer, digits[1])
    for event in (started, TurnFinished(turn_id=TurnId("t"), answer=later)):
        await state.run_log.append(run, event)
    paused = paused_run(QUESTION.model_copy(update={"id": DecisionId(f"of-{workspace}")}))
    turn = replace(paused.turn, thread=thread, actor=asked_by)
    await state.paused.keep(replace(paused, turn=turn))
    for statement in (
        "INSERT INTO done_once (deed, done_at) VALUES (:thread, :workspace)",
        "INSERT INTO installation_workspaces (tenant, workspace) VALUES (:thread, :workspace)",
    ):
        await state.database.run(only(statement, thread=thread, workspace=workspace))
    connection = f'{{"url":"db","added_by":"{asked_by.id}"}}'
    kept = KeptConnection(name=ConnectionName(workspace), body=connection)
    store = StoredConnections(
        state.database, SecretBox((), Path("unused.key")), InMemoryClock(READ.at)
    )
    assert await store.keep(kept, replace=False)
    chosen = (
        "INSERT INTO chosen_connections (spot, connection, chosen_by, chosen_at) "
        "VALUES (:spot, :none, :by, :none)"
    )
    await state.database.run(only(chosen, spot=f"thread {thread}", by=asked_by.id, none=""))
    used = TurnUsage(
        at=READ.at,
        turn=TurnId("t"),
        actor=asked_by.id,
        actor_name="Ann",
        workspace=workspace,
        connection=READ.connection,
    )
    await StoredUsageLog(state.database).record(used)
    attempt = f'{{"asked_by":{{"id":"{asked_by.id}","workspace":"{workspace}"}}}}'
    await StoredAttempts(state.database, InMemoryClock(READ.at)).keep(
        workspace, attempt, token=workspace, expires=READ.at
    )
    sent = (Attachment(id=file(digits[2]).id, name="b", media_type="text/csv", size_bytes=1),)
    message = MessageId(f"message of {workspace}")
    turn = replace(turn, run=run, attachments=sent)
    await state.due.take(message, turn, reply_to=f"{workspace}:x")
    await state.audit.record(replace(READ, workspace=workspace, thread=thread))


def replace_file(answer: Answer, digit: str) -> Answer:
    shown = Shown(id=ArtifactId("a"), title="A", files=(file(digit),))
    return answer.model_copy(update={"shown": (shown,)})


async def counted(state: State, table: str) -> int:
    rows = await state.database.run(only(_ALL.replace("TABLE", table), one=1))
    return len(rows)


async def test_a_workspace_that_leaves_takes_all_of_its_own_and_nothing_else(state: State):
    await filled(state, GONE, "12a")
    await filled(state, LEFT, "34b")
    before = {table: await counted(state, table) for table in PURGED}
    audited = await counted(state, "audit")

    files = await state.purge(GONE)

    assert files == {"1" * 32, "2" * 32, "a" * 32}
    for table in PURGED:
        assert (table, await counted(state, table)) == (table, before[table] // 2)
    assert await counted(state, "audit") == audited
    kept = await state.threads.load(ThreadId(f"{LEFT}:C1:1.0"))
    assert len(kept.exchanges) == 1
    assert await state.paused.look(DecisionId(f"of-{LEFT}")) is not None
    assert await state.paused.look(DecisionId(f"of-{GONE}")) is None


async def test_purging_twice_or_nothing_is_no_harm(state: State):
    assert await state.purge(WorkspaceId("slack:%")) == frozenset()
    await filled(state, GONE, "12a")
    assert await state.purge(WorkspaceId("slack:T_")) == frozenset()

    assert len(await state.purge(GONE)) == 3
    assert await state.purge(GONE) == frozenset()


async def test_of_every_table_it_is_decided_what_leaves_with_a_workspace(state: State):
    await state.ready()
    rows = await state.database.run(only(_TABLES[_engine(state)], one=1))

    assert {str(row[0]) for row in rows} == PURGED | set(NOT_OF_A_WORKSPACE)


_ALL = "SELECT * FROM TABLE WHERE 1 = :one"
_TABLES = {
    "sqlite": """
        SELECT name FROM sqlite_master
        WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND 1 = :one
    """,
    "postgres": "SELECT tablename FROM pg_tables WHERE schemaname = 'resona' AND 1 = :one",
}


def _engine(state: State) -> str:
    return "sqlite" if "state.sqlite" in state.place else "postgres"
