from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypedDict

import pytest
from slack_sdk.oauth.installation_store import Installation

from adapters.inmemory.clock import SystemClock
from adapters.slack.installing import Installations
from adapters.storage.installations import StoredInstallations
from adapters.storage.opening import open_state
from adapters.storage.secrets import SecretBox

SCOPES = "chat:write,users:read"


class Where(TypedDict):
    enterprise_id: str | None
    team_id: str | None


TEAM = Where(enterprise_id=None, team_id="T1")
IN_ORG = Where(enterprise_id="E1", team_id="T2")
ORG = Where(enterprise_id="E1", team_id=None)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Installations]:
    clock = SystemClock()
    async with open_state(f"sqlite:///{tmp_path}/state.sqlite", clock) as state:
        box = SecretBox((), tmp_path / "secret.key")
        yield Installations(StoredInstallations(state.database, box, clock))


def installation(
    token: str, where: Where, *, user: str = "U1", for_all: bool = False
) -> Installation:
    return Installation(
        **where,
        user_id=user,
        bot_token=token,
        bot_id="B1",
        bot_user_id="UBOT",
        bot_scopes=SCOPES,
        bot_refresh_token=f"xoxe-of-{token}",
        bot_token_expires_in=43_200,
        is_enterprise_install=for_all,
        custom_values={"note": "kept"},
    )


async def test_gives_back_all_that_was_kept(store: Installations):
    kept = installation("xoxb-1", TEAM)
    await store.async_save(kept)

    found = await store.async_find_installation(**TEAM)
    bot = await store.async_find_bot(**TEAM)

    assert found is not None
    assert bot is not None
    assert found.to_dict() == kept.to_dict()
    assert list(bot.bot_scopes) == SCOPES.split(",")


async def test_a_workspace_its_organisation_and_a_person_are_not_the_same(store: Installations):
    await store.async_save(installation("xoxb-team", IN_ORG))
    await store.async_save(installation("xoxb-org", ORG, user="U9", for_all=True))

    team = await store.async_find_bot(**IN_ORG)
    whole = await store.async_find_bot(**IN_ORG, is_enterprise_install=True)
    somebody = await store.async_find_installation(**IN_ORG, user_id="U7")
    stranger = await store.async_find_bot(**TEAM)

    assert team is not None
    assert whole is not None
    assert (team.bot_token, whole.bot_token) == ("xoxb-team", "xoxb-org")
    assert somebody is stranger is None


async def test_a_new_token_takes_the_place_of_the_old_one(store: Installations):
    await store.async_save(installation("xoxb-1", TEAM))
    bot = await store.async_find_bot(**TEAM)
    assert bot is not None
    bot.bot_token, bot.bot_refresh_token = "xoxb-2", "xoxe-2"

    await store.async_save_bot(bot)

    found = await store.async_find_installation(**TEAM)
    assert found is not None
    assert (found.bot_token, found.bot_refresh_token) == ("xoxb-2", "xoxe-2")
    assert (found.user_id, found.custom_values) == ("U1", {"note": "kept"})


async def test_a_token_of_nobody_is_not_kept(store: Installations):
    await store.async_save_bot(installation("xoxb-1", TEAM).to_bot())

    assert await store.async_find_bot(**TEAM) is None


async def test_what_is_deleted_is_gone_and_nothing_else(store: Installations):
    for where in (TEAM, IN_ORG):
        await store.async_save(installation("xoxb-1", where))
    await store.async_save(installation("xoxb-1", ORG, for_all=True))

    await store.async_delete_installation(**TEAM, user_id="U1")
    still = await store.async_find_bot(**TEAM)
    await store.async_delete_all(**TEAM)
    await store.async_delete_all(**ORG)

    assert still is not None
    assert await store.async_find_bot(**TEAM) is None
    assert await store.async_find_bot(**IN_ORG) is not None
    assert await store.async_find_bot(**IN_ORG, is_enterprise_install=True) is None
