import asyncio
from pathlib import Path
from typing import Any

import pytest

from adapters.inmemory.chat_model import Held
from adapters.storage.database import only
from adapters.storage.installations import StoredInstallations
from core.domain.audit import AuditSearch
from core.domain.ids import ThreadId, WorkspaceId
from tests.kit.slack_browser import Browser, installable
from tests.kit.slack_stage import INTENT, calling, slack_stage
from tests.kit.slack_things import Message
from tests.kit.slack_world import TEAM

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
FOUND = (INTENT, TOTAL, "The total is 3.5.")
_ROWS = "SELECT * FROM TABLE WHERE 1 = :one"


def thumb_of(message: Message) -> dict[str, Any]:
    [feedback] = [e for b in message.blocks for e in b.get("elements", []) if "feedback" in str(e)]
    return {"action_id": feedback["action_id"], "value": feedback["positive_button"]["value"]}


@pytest.mark.parametrize("kind", ["app_uninstalled", "tokens_revoked"])
async def test_who_takes_the_app_out_leaves_nothing_behind(tmp_path: Path, kind: str):
    async with installable(tmp_path, *FOUND, INTENT, "Two.") as here:
        gone = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        left = here.slack.install.add("T3", "Gamma")
        await Browser(here).installs()
        asked = await here.slack.asks("U1", "what is the total?", world=gone)
        await here.until_shown("The total is 3.5.", world=gone)
        await here.slack.asks("U1", "how many?", world=left)
        await here.until_shown("Two.", world=left)
        await here.settled()
        gone.tokens.clear()
        told = {"type": kind, "tokens": {"oauth": [], "bot": ["UBOT"]}}
        await here.slack.event(told, world=gone)
        await here.settled()
        outside = here.turns.outside
        threads = [
            await outside.threads.load(ThreadId(f"slack:{team}:C1:{asked['ts']}"))
            for team in ("T2", "T3")
        ]
        tenants = await here.service.installations.rows.tenants()
        audited = await here.service.state.audit.entries(
            AuditSearch(workspace=WorkspaceId("slack:T2")), at_most=10
        )
        status = await here.slack.event(
            here.slack.says("U1", "again?", channel="D1", world=gone), world=gone
        )
        await here.settled()

    assert [len(each.exchanges) for each in threads] == [0, 1]
    assert tenants == ("slack:T3",)
    assert [entry.question for entry in audited] == ["what is the total?"]
    assert status == 200
    assert len(gone.seen()) == 1


async def test_what_people_thought_leaves_with_their_workspace(tmp_path: Path):
    async with installable(tmp_path, *FOUND, INTENT, "The total is known.") as here:
        worlds = [here.slack.install.add("T2", "Beta")]
        await Browser(here).installs()
        worlds.append(here.slack.install.add("T3", "Gamma"))
        await Browser(here).installs()
        for world in worlds:
            await here.slack.asks("U1", "what is the total?", world=world)
            answer = await here.until_shown("The total is", world=world)
            await here.settled()
            await here.slack.press("U1", thumb_of(answer), answer, world=world)
        await here.settled()
        worlds[0].tokens.clear()
        await here.slack.event({"type": "app_uninstalled"}, world=worlds[0])
        await here.settled()
        thought = (Path(here.service.state_dir) / "feedback.jsonl").read_text()

    assert "slack:T2:" not in thought
    assert "slack:T3:" in thought


async def test_an_organisation_takes_the_app_out_of_one_workspace(tmp_path: Path):
    async with installable(tmp_path, *FOUND, INTENT, "Two.") as here:
        left = here.slack.install.add("T2", "Beta", enterprise="E1")
        stays = here.slack.install.add("T3", "Gamma", enterprise="E1")
        stays.members = {"C3", "D3"}
        await Browser(here).installs()
        asked = await here.slack.asks("U1", "what is the total?", world=left)
        await here.until_shown("The total is 3.5.", world=left)
        other = await here.slack.asks("U1", "how many?", channel="C3", world=stays)
        await here.until_shown("Two.", world=stays)
        await here.settled()
        told = {"type": "team_access_revoked", "team_ids": ["T2", "T9ELSE"]}
        await here.slack.event(told, world=stays)
        await here.settled()
        threads = here.turns.outside.threads
        kept = [
            await threads.load(ThreadId(f"slack:T2:C1:{asked['ts']}")),
            await threads.load(ThreadId(f"slack:T3:C3:{other['ts']}")),
        ]
        rows = here.service.installations.rows
        tenants, workspaces = await rows.tenants(), await rows.workspaces("slack:E1")

    assert [len(each.exchanges) for each in kept] == [0, 1]
    assert tenants == ("slack:E1",)
    assert workspaces == ("slack:T3",)


async def test_an_organisation_cannot_take_the_app_out_of_anothers_workspace(tmp_path: Path):
    async with installable(tmp_path, *FOUND) as here:
        theirs = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        org = here.slack.install.add("T3", "Gamma", enterprise="E1")
        await Browser(here).installs()
        asked = await here.slack.asks("U1", "what is the total?", world=theirs)
        await here.until_shown("The total is 3.5.", world=theirs)
        await here.settled()
        told = {"type": "team_access_revoked", "team_ids": ["T2"]}
        await here.slack.event(told, world=org)
        await here.settled()
        thread = ThreadId(f"slack:T2:C1:{asked['ts']}")
        kept = await here.turns.outside.threads.load(thread)

    assert len(kept.exchanges) == 1


async def test_late_news_of_an_uninstall_do_not_undo_a_new_install(tmp_path: Path):
    async with installable(tmp_path, *FOUND) as here:
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        await here.slack.event({"type": "app_uninstalled"}, world=world)
        await here.settled()
        await here.slack.asks("U1", "what is the total?", world=world)
        await here.until_shown("The total is 3.5.", world=world)
        await here.settled()


async def test_tokens_of_people_that_are_taken_back_are_none_of_the_bots(tmp_path: Path):
    async with installable(tmp_path, *FOUND) as here:
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        told = {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}
        await here.slack.event(told, world=world)
        await here.settled()
        tenants = await here.service.installations.rows.tenants()

    assert tenants == ("slack:T2",)


async def test_a_single_workspace_that_takes_the_app_out_is_purged_as_well(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, mode="http") as here:
        asked = await here.slack.asks("U1", "what is the total?")
        await here.until_shown("The total is 3.5.")
        await here.settled()
        here.world.revoked = True
        await here.slack.event({"type": "app_uninstalled"})
        await here.settled()
        thread = await here.turns.outside.threads.load(ThreadId(f"slack:{TEAM}:C1:{asked['ts']}"))
        status = await here.slack.event({"type": "team_join"})

    assert not thread.exchanges
    assert status == 200


async def test_what_runs_for_a_workspace_ends_when_it_leaves(tmp_path: Path):
    script = (INTENT, TOTAL, Held("Never.", until=asyncio.Event()))
    async with installable(tmp_path, *script) as here:
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        asked = await here.slack.asks("U1", "what is the total?", world=world)
        await here.model.until_asked(3)
        world.tokens.clear()
        await here.slack.event({"type": "app_uninstalled"}, world=world)
        await here.settled()
        thread = await here.turns.outside.threads.load(ThreadId(f"slack:T2:C1:{asked['ts']}"))
        left = [
            len(await here.service.state.database.run(only(_ROWS.replace("TABLE", table), one=1)))
            for table in ("runs", "run_events", "answers_due", "turn_usage", "exchanges")
        ]

    assert not thread.exchanges
    assert left == [0] * 5


async def test_who_leaves_when_the_keys_are_gone_leaves_nothing_behind_either(tmp_path: Path):
    async with installable(tmp_path) as here:
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        rows = here.service.installations.rows
        assert isinstance(rows, StoredInstallations)
        await rows.database.run(only("UPDATE installations SET sealed = :other", other="x"))
        event = here.slack.says("U1", "how many?", channel="D1", world=world)
        status = await here.slack.event(event, world=world)
        await here.slack.event({"type": "app_uninstalled"}, world=world)
        await here.settled()
        tenants = await rows.tenants()

    assert status == 200
    assert not here.model.requests
    assert tenants == ()
