import asyncio
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.database import Transaction, only
from adapters.storage.forgetting import RUNS_DAYS, THREADS_DAYS, forget_old
from adapters.storage.migrating import migrate, steps_for
from adapters.storage.opening import State, open_state
from core.domain.errors import NotPossible, SettingsInvalid, StateUnusable
from core.domain.events import TurnFailed
from core.domain.ids import RunId, ThreadId, TurnId
from core.domain.paused import Fate
from tests.conformance.audit_log import READ, every
from tests.conformance.paused_runs import COSTLY, NOW, QUESTION, paused_run
from tests.conformance.thread_store import exchange

ENDED = TurnFailed(turn_id=TurnId("t"), reason="no", error_id="e")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "state.sqlite"


def file_or_folder(path: Path) -> bool:
    return path.exists() or path.parent.exists()


def write_notes(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("These are somebody's notes, and not at all a database. " * 50)


def make_folder(path: Path) -> None:
    path.mkdir(parents=True)


def remove_folder(path: Path) -> None:
    path.rmdir()


@pytest.mark.parametrize(
    "url", ["mysql://root@localhost/x", "sqlite:state", "redis://", "", "postgresql+asyncpg://x/y"]
)
async def test_refuses_what_cannot_keep_the_state_and_says_what_can(url: str, clock: InMemoryClock):
    with pytest.raises(SettingsInvalid, match="sqlite:///FILE or postgresql://"):
        async with open_state(url, clock):
            pass


async def test_opens_nothing_until_it_is_needed(file: Path, clock: InMemoryClock):
    async with open_state(f"sqlite:///{file}", clock):
        made = file_or_folder(file)

    assert not made


async def test_a_file_is_for_its_owner_alone(file: Path, clock: InMemoryClock):
    async with open_state(f"sqlite:///{file}", clock) as state:
        await state.ready()
        modes = {
            stat.S_IMODE(path.stat().st_mode) for path in (file.parent, *file.parent.iterdir())
        }

    assert modes == {0o700, 0o600}


async def test_says_what_to_do_about_a_file_that_is_no_database(file: Path, clock: InMemoryClock):
    write_notes(file)

    async with open_state(f"sqlite:///{file}", clock) as state:
        with pytest.raises(StateUnusable, match=r"state\.sqlite cannot be used.*state_url"):
            await state.ready()


async def test_works_again_once_the_file_can_be_used(file: Path, clock: InMemoryClock):
    make_folder(file)
    async with open_state(f"sqlite:///{file}", clock) as state:
        with pytest.raises(StateUnusable):
            await state.ready()
        remove_folder(file)
        await state.ready()


@pytest.mark.service
async def test_says_what_to_do_about_a_server_without_telling_its_password(clock: InMemoryClock):
    url = "postgresql://somebody:secret%21@127.0.0.1:1/resona"

    async with open_state(url, clock) as state:
        with pytest.raises(StateUnusable) as caught:
            await state.ready()

    assert "resona on 127.0.0.1" in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_newer_database_is_refused(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as newer:
        await newer.database.run(
            only("INSERT INTO migrations (number, name) VALUES (:number, 'later')", number=9_000)
        )

    async with open_state(url, clock) as older:
        with pytest.raises(StateUnusable, match=r"version 9000.*Start the newer program"):
            await older.ready()


async def test_several_processes_may_start_at_the_same_moment(url: str):
    script = (
        "import asyncio, sys\n"
        "from adapters.inmemory.clock import SystemClock\n"
        "from adapters.storage.opening import open_state\n"
        "async def main():\n"
        "    async with open_state(sys.argv[1], SystemClock()) as state:\n"
        "        await state.ready()\n"
        "asyncio.run(main())\n"
    )
    starting = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, url, stderr=asyncio.subprocess.PIPE
        )
        for _ in range(4)
    ]

    said = [(await each.communicate())[1] for each in starting]

    assert [(each.returncode, words) for each, words in zip(starting, said, strict=True)] == [
        (0, b"")
    ] * 4


async def test_later_steps_keep_what_is_there(file: Path, clock: InMemoryClock):
    first, *later = steps_for("sqlite")
    file.parent.mkdir()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO migrations VALUES (?, ?)", (first.number, first.name))
        for statement in first.statements:
            connection.execute(statement)
        connection.execute("INSERT INTO processes (process, seen_at) VALUES ('old', '2026-01-01')")
        connection.commit()

    async with open_state(f"sqlite:///{file}", clock) as state:
        applied = await state.database.run(only("SELECT number FROM migrations ORDER BY number"))
        kept = await state.database.run(only("SELECT process FROM processes"))

    assert later
    assert [row[0] for row in applied] == [first.number, *(step.number for step in later)]
    assert [row[0] for row in kept] == ["old"]


def test_every_engine_has_the_same_steps():
    sqlite, postgres = steps_for("sqlite"), steps_for("postgres")

    assert [(each.number, each.name) for each in sqlite] == [
        (each.number, each.name) for each in postgres
    ]
    numbers = [each.number for each in sqlite]
    assert numbers == sorted(set(numbers))


async def test_migrating_again_changes_nothing(state: State):
    engine = "sqlite" if "Sqlite" in type(state.database).__name__ else "postgres"

    await state.database.run(lambda transaction: migrate(transaction, engine))


async def test_a_job_that_fails_is_undone_and_leaves_the_others_alone(state: State):
    def broken(transaction: Transaction) -> None:
        transaction.execute("INSERT INTO processes (process, seen_at) VALUES ('broken', 'x')")
        raise LookupError("not there")

    async with asyncio.TaskGroup() as tasks:
        good = [tasks.create_task(state.audit.record(READ)) for _ in range(5)]
        bad = asyncio.ensure_future(state.database.run(broken))
        good += [tasks.create_task(state.audit.record(READ)) for _ in range(5)]
        with pytest.raises(LookupError):
            await bad

    assert len(good) == len(await every(state.audit)) == 10
    assert not await state.database.run(only("SELECT * FROM processes"))


async def test_a_statement_that_fails_is_the_operators_to_mend(state: State):
    with pytest.raises(StateUnusable, match="no_such_table"):
        await state.database.run(only("SELECT * FROM no_such_table"))


async def test_one_who_does_not_wait_any_more_disturbs_nobody(state: State):
    leaving = asyncio.ensure_future(state.database.run(only("SELECT 1")))
    await asyncio.sleep(0)
    leaving.cancel()

    assert [tuple(row) for row in await state.database.run(only("SELECT 2"))] == [(2,)]
    with pytest.raises(asyncio.CancelledError):
        await leaving


@pytest.mark.parametrize(
    "statement", ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit WHERE id > 0"]
)
async def test_nothing_changes_the_audit_log(state: State, statement: str):
    await state.audit.record(READ)

    with pytest.raises(StateUnusable, match="only grows"):
        await state.database.run(only(statement))

    assert await every(state.audit) == (READ,)


async def test_a_year_later_old_things_are_forgotten_but_not_the_audit_log(
    state: State, clock: InMemoryClock
):
    await state.audit.record(READ)
    await state.run_log.append(RunId("a"), ENDED)
    await state.threads.append(ThreadId("here"), exchange("one"))
    await state.paused.keep(paused_run(QUESTION))
    clock.advance(365 * 86_400)

    await state.database.run(lambda transaction: forget_old(transaction, now=clock.now()))

    with pytest.raises(NotPossible):
        await anext(aiter(state.run_log.follow(RunId("a"))))
    assert (await state.threads.load(ThreadId("here"))).exchanges == ()
    assert await state.paused.fate(QUESTION.id) is Fate.UNKNOWN
    assert await every(state.audit) == (READ,)


async def test_what_is_not_old_yet_stays(state: State, clock: InMemoryClock):
    await state.run_log.append(RunId("a"), ENDED)
    await state.threads.append(ThreadId("here"), exchange("one"))
    await state.paused.keep(paused_run(QUESTION))
    clock.advance(min(RUNS_DAYS, THREADS_DAYS) * 86_400 - 60)

    await state.database.run(lambda transaction: forget_old(transaction, now=clock.now()))

    assert [each async for each in state.run_log.follow(RunId("a"))] == [(1, ENDED)]
    assert len((await state.threads.load(ThreadId("here"))).exchanges) == 1
    assert await state.paused.fate(QUESTION.id) is Fate.EXPIRED


async def test_what_expired_questions_held_is_let_go_of(state: State):
    await state.paused.keep(paused_run(COSTLY, expires_at=NOW))
    await state.paused.keep(paused_run(QUESTION))

    await state.paused.expired()

    rows = await state.database.run(only("SELECT decision FROM paused_runs WHERE body <> ''"))
    assert [row[0] for row in rows] == [QUESTION.id]
