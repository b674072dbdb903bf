from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.attempts import StoredAttempts
from bot.bootstrap import open_app
from bot.settings import Settings
from core.domain.audit import AuditSearch, Deed
from core.domain.ids import ActorId, ConnectionName, WorkspaceId
from core.domain.people import Place
from core.ports.warehouse import Warehouse
from tests.kit.connect_stage import CHIEF, HUSH, WRITER, ConnectStage, a_library, connect_stage
from tests.kit.servers import a_name, mariadb_database, mariadb_port, run_in_mariadb
from tests.kit.slack_commands import sends_off, types
from tests.kit.slack_stage import calling
from tests.kit.slack_things import Failure, Message
from tests.kit.slack_world import TEAM, SlackWorld

pytestmark = pytest.mark.service
LIBRARY = ConnectionName("library")
COUNT = calling("run_query", sql="SELECT COUNT(*) AS books FROM books")


@pytest.fixture(scope="module")
def library() -> Iterator[str]:
    with a_library() as url:
        yield url


def bytes_in(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


async def kept(room: ConnectStage) -> set[str]:
    return set(await room.stage.app.saved.all())


async def test_connects_binds_and_answers_and_the_secret_is_seen_nowhere(
    tmp_path: Path, library: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    async with connect_stage(tmp_path, library, COUNT, "There are 2 books.") as room:
        done = await room.connect()
        await room.stage.slack.asks("U1", "how many books are there?")
        answer = await room.stage.until_shown("There are 2 books.")
        await room.stage.settled()
        entries = await room.stage.app.outside.audit.entries(AuditSearch(), at_most=50)
        said = json.dumps(room.stage.world.calls, ensure_ascii=False)
        shown = [each.versions for each in room.stage.world.messages]
        asked = repr(room.stage.model.requests)
        rows = await room.stage.app.state.database.run(
            lambda transaction: repr(transaction.execute("SELECT * FROM connections"))
        )
        refusals = room.stage.world.refusals

    assert "library is connected: 2 tables" in done.words
    assert "<#C1>" in done.words
    assert len(done.versions) >= 3
    assert "library" in answer.words
    assert {each.deed for each in entries} >= {Deed.CONNECTED, Deed.RAN}
    assert not refusals
    files = bytes_in(tmp_path)
    for form in (HUSH, quote(HUSH, safe=""), json.dumps(HUSH)[1:-1]):
        assert form not in said + repr(shown) + asked + repr(entries) + rows + caplog.text
        assert form.encode() not in files


async def test_a_careful_login_is_not_warned_of_and_a_careless_one_is(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        careful = await room.connect()
        careless = await room.connect(name="other", user=WRITER)

    assert "warning" not in careful.words
    assert "may change 1 table" in careless.words
    assert "CREATE ROLE" in careless.words
    assert "other is connected" in careless.words


async def test_what_is_wrong_stands_at_its_field(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        view = await room.form("connect two words")
        answer = await room.send_off(view, host="postgresql://db", port="x", name="demo")
        again = await room.send_off(view, only_there="yes", channel="")
        await room.stage.settled()

    assert answer["response_action"] == "errors"
    assert set(answer["errors"]) == {"host", "port", "name"}
    assert "'demo' already" in answer["errors"]["name"]
    assert set(again["errors"]) == {"channel"}
    assert not room.stage.world.seen(ephemeral=True)


async def test_the_form_opens_in_a_direct_message_too(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        await types(room.stage.slack, "U1", "connect", channel="D1")
        await room.stage.world.until(lambda world: bool(world.views))
        assert await room.send_off(room.stage.world.views[-1]) == {}
        link = await room.stage.until_shown("Type the password")
        await room.type(room.token(link))
        await room.stage.app.connecting.settled()
        assert await kept(room) == {"library"}

    assert link.channel == "D1"
    assert not room.stage.world.refusals


async def test_no_field_asks_for_a_secret(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        view = await room.form()

    blocks = {each["block_id"] for each in view["blocks"] if each["type"] == "input"}
    assert not [each for each in blocks if "pass" in each or "secret" in each]


async def test_a_trigger_that_ran_out_is_told(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        await types(room.stage.slack, "U1", "connect", expired=True)
        await room.stage.until_shown("no window in time", ephemeral=True)

    assert not room.stage.world.views


async def test_a_form_sent_off_twice_gives_one_link(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        view = await room.form()
        await asyncio.gather(*(room.send_off(view) for _ in range(2)))
        await room.stage.until_shown("Type the password", ephemeral=True)
        await room.stage.settled()

    assert len(room.stage.world.seen(ephemeral=True)) == 1


async def test_one_that_is_there_already_is_replaced_by_who_said_so(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        await room.connect(description="Old")
        taken = await room.send_off(await room.form())
        await types(room.stage.slack, "U1", "connect library")
        asked = await room.stage.until_shown("There is a connection library", ephemeral=True)
        before = len(room.stage.world.views)
        await room.stage.slack.press("U1", asked.buttons()[0], asked)
        await room.stage.world.until(lambda world: len(world.views) > before)
        view = room.stage.world.views[-1]
        as_it_was = await kept(room), (await room.stage.app.saved.all())[LIBRARY]
        done = await room.connect_by(view, description="New")
        now = (await room.stage.app.saved.all())[LIBRARY]

    assert "already" in taken["errors"]["name"]
    assert as_it_was[0] == {"library"}
    assert as_it_was[1].connection.description == "Old"
    assert now.connection.description == "New"
    assert "library is connected" in done.words


async def test_a_form_of_somebody_who_may_not_connect_gives_no_link(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        view = await room.form()
        await sends_off(room.stage.slack, "U2", view, room.fields)
        told = await room.stage.until_shown("Only admins", ephemeral=True)

    assert told.only_for == "U2"


async def test_where_the_bot_is_not_in_the_channel_the_link_comes_directly(
    tmp_path: Path, library: str
):
    async with connect_stage(tmp_path, library) as room:
        room.stage.world.members.discard("C1")
        view = await room.form()
        await room.send_off(view)
        link = await room.stage.until_shown("Type the password")

    assert link.channel == "D1"


async def test_a_link_works_once_for_whoever_has_it_and_looking_is_free(
    tmp_path: Path, library: str
):
    async with connect_stage(tmp_path, library) as room:
        token = await room.link()
        for _ in range(3):
            status, text = await room.look(token)
            assert status == 200
            assert "Password of library" in text
        assert sorted(await asyncio.gather(*(room.type(token) for _ in range(3)))) == [
            200,
            404,
            404,
        ]
        assert (await room.look(token))[0] == 404
        assert (await room.look(token[:-1] + "x"))[0] == 404
        await room.stage.app.connecting.settled()
        assert await kept(room) == {"library"}


async def test_a_link_lasts_ten_minutes_and_of_it_only_a_hash_is_kept(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        token = await room.link()
        clock = InMemoryClock(room.stage.app.outside.clock.now())
        later = StoredAttempts(room.stage.app.state.database, clock)
        await clock.sleep(timedelta(minutes=9).total_seconds())
        assert await later.peek(token)
        await clock.sleep(timedelta(minutes=1, seconds=1).total_seconds())
        assert await later.peek(token) is None
        assert await later.take(token) is None
        rows = await room.stage.app.state.database.run(
            lambda transaction: repr(transaction.execute("SELECT * FROM connect_attempts"))
        )

    assert "library" in rows
    assert token not in rows


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"host": "nowhere.invalid"}, "nowhere.invalid"),
        ({"port": "1"}, "127.0.0.1"),
        ({"database": "no_such_database"}, "no_such_database"),
    ],
)
async def test_what_fails_is_said_in_a_sentence_and_can_be_changed(
    tmp_path: Path, library: str, changes: dict[str, str], told: str
):
    async with connect_stage(tmp_path, library) as room:
        failed = await room.connect(**changes)
        assert told in failed.words
        assert "Traceback" not in failed.words
        assert await kept(room) == set()

        view = await changed(room, failed)
        name = next(b for b in view["blocks"] if b.get("block_id") == "name")
        assert name["element"]["initial_value"] == "library"
        assert await room.type(await room.link_of(view)) == 200
        await room.stage.app.connecting.settled()
        assert await kept(room) == {"library"}


async def test_a_wrong_password_is_told_and_the_right_one_works(tmp_path: Path):
    user = a_name()
    script = (
        "CREATE TABLE books (id int PRIMARY KEY, title text)",
        f"CREATE USER {user}@'%' IDENTIFIED BY 'r1ght'",
        f"GRANT SELECT ON books TO {user}@'%'",
    )
    with mariadb_database(*script) as url:
        async with connect_stage(tmp_path, url) as room:
            fields = {"engine": "mariadb", "user": user}
            await room.type(await room.link(**fields), "wr0ng")
            await room.stage.app.connecting.settled()
            failed = next(each for each in room.stage.world.seen() if each.channel == "D1")
            assert "password" in failed.words
            assert "wr0ng" not in failed.words
            assert await kept(room) == set()

            view = await changed(room, failed)
            await room.type(await room.link_of(view, **fields), "r1ght")
            await room.stage.app.connecting.settled()
            assert await kept(room) == {"library"}
        run_in_mariadb(mariadb_port(url), "", f"DROP USER {user}@'%'")


async def changed(room: ConnectStage, failed: Message) -> dict[str, Any]:
    """Press the button that opens the form again, and return the form."""
    [change] = failed.buttons()
    before = len(room.stage.world.views)
    await room.stage.slack.press("U1", change, failed)

    def is_there(world: SlackWorld) -> bool:
        return len(world.views) > before and world.views[-1].get("callback_id") == "connect"

    await room.stage.world.until(is_there)
    return room.stage.world.views[-1]


async def test_what_somebody_else_filled_in_is_not_shown(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        await room.type(await room.link(port="1"))
        await room.stage.app.connecting.settled()
        failed = next(each for each in room.stage.world.seen() if each.channel == "D1")
        await room.stage.slack.press("U2", failed.buttons()[0], failed)
        await room.stage.world.until(lambda world: "too long ago" in json.dumps(world.views))

    assert "library" not in json.dumps(room.stage.world.views[1:])


async def test_one_for_a_channel_is_asked_there_alone(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        await room.connect(only_there="yes")
        permits = room.stage.turns.permits
        ann = permits.directory.person(ActorId(CHIEF), WorkspaceId(f"slack:{TEAM}"))
        here = Place(platform="slack", channel="C1", workspace=TEAM, shared=True)
        elsewhere = Place(platform="slack", channel="C2", workspace=TEAM, shared=True)

        assert LIBRARY in permits.usable(ann, here)
        assert LIBRARY not in permits.usable(ann, elsewhere)


async def test_what_may_be_read_and_when_it_asks_is_filled_in_too(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        view = await room.form("connect library")
        wrong = await room.send_off(view, hide="title", ask_above="none")
        await room.connect(tables="books", mask="*.title", ask_above="1,000")
        found = await room.stage.app.outside.connections.get(LIBRARY)

    assert set(wrong["errors"]) == {"hide", "ask_above"}
    [books] = found.catalog.tables
    assert [column.name for column in books.columns if column.masked] == ["title"]
    assert found.connection.thresholds.rows == 1_000


async def test_another_process_can_ask_it_at_once(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        settings = Settings(state_dir=tmp_path)
        async with open_app(settings) as other:
            await other.outside.connections.refresh()
            assert LIBRARY not in other.outside.connections.known
            await room.connect()
            found = await other.outside.connections.get(LIBRARY)
            assert [each.name for each in found.catalog.tables] == ["books", "loans"]


async def test_the_password_may_come_in_at_another_process(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        token = await room.link()
        async with open_app(Settings(state_dir=tmp_path)) as other:
            assert await other.connecting.receive(token, HUSH)
            await other.connecting.settled()
        assert not await room.stage.app.connecting.receive(token, HUSH)
        assert (await room.stage.app.outside.connections.get(LIBRARY)).catalog.tables


async def test_who_is_stopped_in_the_middle_is_told(tmp_path: Path, library: str):
    async with connect_stage(tmp_path, library) as room:
        held = asyncio.Event()

        async def waits(*_: object) -> Warehouse:
            held.set()
            return await asyncio.Future[Warehouse]()

        room.stage.app.outside.connections.open_warehouse = waits
        await room.type(await room.link())
        await held.wait()
        await room.stage.app.connecting.close()
        await room.stage.until_shown("Please try again")
        assert await kept(room) == set()


async def test_where_slack_takes_no_direct_message_the_end_comes_to_the_channel(
    tmp_path: Path, library: str
):
    async with connect_stage(tmp_path, library) as room:
        token = await room.link()
        refused = (Failure(error="missing_scope"),) * 20
        room.stage.world.fail("conversations.open", *refused)
        await room.type(token)
        done = await room.stage.until_shown("is connected", ephemeral=True)

    assert done.only_for == "U1"
