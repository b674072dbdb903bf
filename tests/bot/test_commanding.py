from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.bootstrap import App, open_app
from bot.commanding import Commands, Given, known_commands
from bot.saved_connections import SavedConnection
from bot.settings import Settings
from core.domain.audit import AuditSearch, Deed
from core.domain.conversation import InboundMessage
from core.domain.events import TurnFailed
from core.domain.ids import ActorId, ConnectionName, MessageId, ThreadId, TurnId, WorkspaceId
from core.domain.people import Actor, Place
from core.domain.replies import Confirm, FormWanted, Listed, Reply, Said
from core.domain.rights import Rights
from core.domain.usage import TurnUsage
from tests.kit.turn_stage import small_shop

ACME = WorkspaceId("slack:T1")
HERE = Place(platform="slack", channel="C1", workspace="T1", shared=True)
CHIEF = Actor(id=ActorId("slack:T1:U1"), workspace=ACME, name="Ann")
BEN = Actor(id=ActorId("slack:T1:U2"), workspace=ACME, name="Ben")


@dataclass(frozen=True, slots=True)
class Desk:
    app: App
    commands: Commands

    async def give(self, text: str, actor: Actor = CHIEF, place: Place = HERE) -> Reply:
        return await self.commands.run(Given(text=text, actor=actor, place=place))

    async def says(self, text: str, actor: Actor = CHIEF, place: Place = HERE) -> str:
        reply = await self.give(text, actor, place)
        assert isinstance(reply, Said)
        return reply.text

    async def add(self, name: str, rights: Rights | None = None, by: str = CHIEF.id) -> None:
        path = self.app.settings.state_dir / "shop.sqlite"
        connection = SavedConnection(
            url=str(path), rights=rights or Rights(), added_by=by, description="What we sell"
        )
        await self.app.saved.add(name, connection)

    async def asked_here(self) -> str:
        return await self.app.turns.connection_here(ACME, HERE, None)


@asynccontextmanager
async def desk(
    folder: Path, *, url: str = "https://r.example", more: Mapping[str, object] | None = None
) -> AsyncGenerator[Desk]:
    if not (folder / "shop.sqlite").exists():
        small_shop(folder / "shop.sqlite")
    people = {"people": {"admins": ["slack:T1:U1"]}}
    settings = Settings.model_validate({"state_dir": folder, **people, **(more or {})})
    async with open_app(settings) as app:
        yield Desk(app, Commands(turns=app.turns, saved=app.saved, public_url=url))


def items(reply: Reply) -> dict[str, str]:
    assert isinstance(reply, Listed)
    return {item.title: item.detail for group in reply.groups for item in group.items}


async def test_help_lists_what_a_person_may_do(tmp_path: Path):
    async with desk(tmp_path) as room:
        for_chief = items(await room.give(""))
        for_ben = items(await room.give("HELP", BEN))

    assert set(for_chief) == {
        "connect [NAME]",
        "connections",
        "default NAME",
        "disconnect NAME",
        "help",
        "usage [7 | 30]",
        "use NAME",
    }
    assert set(for_ben) == {"connections", "help", "usage [7 | 30]", "use NAME"}
    assert all(for_chief.values())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("conect", "Did you mean 'connect'?"),
        ("conections", "Did you mean 'connections'?"),
        ("how many orders?", "To ask a question, mention me"),
        ("x" * 500, "There is no command"),
        ("schedule daily", "not there yet"),
        ("define revenue", "not there yet"),
    ],
)
async def test_what_is_no_command_is_told_the_nearest(tmp_path: Path, given: str, told: str):
    async with desk(tmp_path) as room:
        said = await room.says(given)

    assert told in said
    assert len(said) < 300


@pytest.mark.parametrize("command", [n for n, each in known_commands().items() if each.ADMINS_ONLY])
async def test_what_admins_may_do_others_hear_who_they_are(tmp_path: Path, command: str):
    async with desk(tmp_path) as room:
        await room.add("sales")
        said = await room.says(f"{command} sales yes", BEN)

        assert said == "Only admins may do that here. Ask one of them: slack:T1:U1."
        assert set(await room.app.saved.all()) == {"sales"}
        assert await room.asked_here() == "sales"


async def test_where_there_is_no_admin_it_is_said_how_to_become_one(tmp_path: Path):
    async with desk(tmp_path, more={"people": {}}) as room:
        said = await room.says("connect", BEN)

    assert "people.admins" in said
    assert "'slack:T1:U2'" in said


async def test_connections_are_listed_with_what_is_used(tmp_path: Path):
    async with desk(tmp_path) as room:
        await room.add("sales")
        await room.add("books")
        await room.add("hr", Rights(people=("slack:T1:U2",)))
        await room.give("use sales")
        await room.give("default books")
        for_chief = await room.give("connections")
        for_ben = await room.give("connections", BEN)

    shown = items(for_chief)
    assert shown["sales"] == "What we sell; used here; added by slack:T1:U1"
    assert shown["books"] == "What we sell; the default; added by slack:T1:U1"
    assert "not among the people" in shown["hr"]
    assert "only be asked in a direct message" not in str(items(for_ben).get("hr"))
    assert set(items(for_ben)) == {"demo", "sales", "books"}


async def test_use_binds_the_channel_and_nothing_else(tmp_path: Path):
    async with desk(tmp_path) as room:
        await room.add("sales")
        await room.add("books")
        said = await room.says("use BOOKS", BEN)
        other = await room.app.turns.connection_here(ACME, replace(HERE, channel="C2"), None)
        [entry] = await room.app.outside.audit.entries(AuditSearch(deed=Deed.CHOSEN), at_most=9)

        assert "go to books" in said
        assert (await room.asked_here(), other) == ("books", "demo")
        assert (entry.actor, entry.connection) == (BEN.id, "books")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("use", "Name the connection: use NAME. There are: demo, sales."),
        ("use slaes", "The nearest: sales"),
        ("use hr", "There is no connection 'hr'"),
    ],
)
async def test_use_takes_what_one_may_use_oneself(tmp_path: Path, given: str, told: str):
    async with desk(tmp_path) as room:
        await room.add("sales")
        await room.add("hr", Rights(people=("slack:T1:U2",)))
        said = await room.says(given)

        assert told in said
        assert await room.asked_here() == "demo"


async def test_where_the_settings_decide_a_command_does_not(tmp_path: Path):
    shop = {"shop": {"url": str(tmp_path / "shop.sqlite")}}
    more = {"connections": shop, "channels": {"C1": {"connection": "shop"}}}
    async with desk(tmp_path, more=more) as room:
        await room.add("sales")
        said = await room.says("use sales")
        in_settings = await room.says("disconnect shop")

        assert "channels.C1" in said
        assert "stands in the settings" in in_settings
        assert await room.asked_here() == "shop"


async def test_where_there_is_no_channel_nothing_is_remembered(tmp_path: Path):
    async with desk(tmp_path) as room:
        assert "no channel" in await room.says("use demo", place=Place(platform="page"))


async def test_disconnecting_is_confirmed_and_forgets_everything(tmp_path: Path):
    async with desk(tmp_path) as room:
        await room.add("sales")
        await room.add("books")
        await room.give("use sales")
        asked = await room.give("disconnect sales")
        assert isinstance(asked, Confirm)
        assert "One place that uses it" in asked.text
        assert set(await room.app.saved.all()) == {"sales", "books"}

        done = await room.says(asked.command)
        again = await room.says(asked.command)
        deeds = await room.app.outside.audit.entries(AuditSearch(deed=Deed.DISCONNECTED), at_most=9)

        assert "is disconnected" in done
        assert "no connection 'sales'" in again
        assert set(await room.app.saved.all()) == {"books"}
        assert await room.asked_here() == "books"
        assert [each.connection for each in deeds] == ["sales"]


async def test_where_a_connection_is_gone_nothing_else_is_asked_in_its_stead(tmp_path: Path):
    shop = {"connections": {"shop": {"url": str(tmp_path / "shop.sqlite")}}}
    async with desk(tmp_path, more={**shop, "default_connection": "demo"}) as room:
        await room.give("use shop")
    async with desk(tmp_path) as room:
        turn = await room.app.turns.start(
            InboundMessage(
                id=MessageId("m"),
                thread=ThreadId("t"),
                actor=BEN,
                text="how many orders?",
                sent_at=room.app.outside.clock.now(),
                place=HERE,
            )
        )
        events = [event async for _, event in room.app.outside.run_log.follow(turn.run)]

    assert isinstance(events[-1], TurnFailed)
    assert "no connection 'shop'" in events[-1].reason
    assert "use NAME" in events[-1].reason


async def test_what_another_workspace_connected_is_not_there(tmp_path: Path):
    async with desk(tmp_path) as room:
        await room.add("theirs", Rights(places=("slack:T2", "terminal")), by="slack:T2:U9")
        said = await room.says("disconnect theirs yes")
        listed = items(await room.give("connections"))

        assert "no connection 'theirs'" in said
        assert set(await room.app.saved.all()) == {"theirs"}
    assert "theirs" not in listed


async def test_what_was_added_at_the_terminal_is_removed_there(tmp_path: Path):
    async with desk(tmp_path) as room:
        await room.add("books", by="")
        said = await room.says("disconnect books yes")

        assert "resona connect remove books" in said
        assert set(await room.app.saved.all()) == {"books"}


async def test_connect_asks_for_the_form_where_a_password_can_be_typed(tmp_path: Path):
    async with desk(tmp_path) as room:
        reply = await room.give("connect sales")
    async with desk(tmp_path, url="") as room:
        said = await room.says("connect sales")

    assert isinstance(reply, FormWanted)
    assert (reply.draft.name, reply.draft.channel) == ("sales", "C1")
    assert "page.public_url" in said
    assert "resona connect add" in said


async def test_what_is_connected_already_is_replaced_when_that_is_said(tmp_path: Path):
    async with desk(tmp_path) as room:
        address = "postgresql://reader@db.example:5433/sales%20x?sslmode=require"
        alone = Rights(places=("slack:C7", "terminal"), approvers=("@admin",))
        kept = SavedConnection(
            url=address, description="Orders", rights=alone, schemas=("eu",), added_by=CHIEF.id
        )
        await room.app.saved.add("sales", kept)
        asked = await room.give("connect sales")
        assert isinstance(asked, Confirm)
        form = await room.give(asked.command)

    assert "There is a connection sales already" in asked.text
    assert isinstance(form, FormWanted)
    assert form.draft.url == address
    assert form.draft == replace(
        form.draft,
        name="sales",
        description="Orders",
        schemas="eu",
        channel="C7",
        only_there=True,
        replaces=True,
    )


@pytest.mark.parametrize("added_by", ["terminal", "slack:T9:U1"])
async def test_what_was_connected_elsewhere_is_not_replaced_here(tmp_path: Path, added_by: str):
    async with desk(tmp_path) as room:
        kept = SavedConnection(url="postgresql://reader@db.example/sales", added_by=added_by)
        await room.app.saved.add("sales", kept)

        assert "Choose another name" in await room.says("connect sales")
        assert "Choose another name" in await room.says("connect sales anew")


async def test_usage_is_for_admins_the_workspaces_and_for_others_their_own(tmp_path: Path):
    async with desk(tmp_path) as room:
        now = room.app.outside.clock.now()
        for at, actor in enumerate((CHIEF, BEN, BEN)):
            await room.app.outside.usage.record(
                TurnUsage(
                    at=now,
                    turn=TurnId(str(at)),
                    actor=actor.id,
                    actor_name=actor.name,
                    workspace=ACME,
                    place=HERE,
                    connection=ConnectionName("shop"),
                    tokens=1_000,
                    usd=0.5,
                )
            )
        for_chief = await room.give("usage 30")
        for_ben = await room.give("usage", BEN)
        other_days = await room.says("usage 12")

    assert isinstance(for_chief, Listed)
    assert "last 30 days. In all: 3 questions, 3,000 tokens, $1.50" in for_chief.text
    assert items(for_chief)["Ben"] == "2 questions, 2,000 tokens, $1.00"
    assert isinstance(for_ben, Listed)
    assert "You: 2 questions" in for_ben.text
    assert set(items(for_ben)) == {"slack:C1"}
    assert "usage 7, or usage 30" in other_days
