import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.database import only
from adapters.storage.installations import StoredInstallations
from adapters.storage.once import StoredOnce
from adapters.storage.opening import State
from adapters.storage.secrets import SecretBox, new_key
from core.domain.errors import SecretUnreadable
from core.domain.ids import WorkspaceId


@pytest.fixture
def kept(state: State, clock: InMemoryClock, tmp_path: Path) -> StoredInstallations:
    return StoredInstallations(state.database, SecretBox((), tmp_path / "secret.key"), clock)


async def test_what_was_kept_last_is_found(kept: StoredInstallations):
    await kept.keep("slack:T1", "first")
    await kept.keep("slack:T2", "other")
    await kept.keep("slack:T1", "second")

    assert await kept.find("slack:T1") == "second"
    assert await kept.tenants() == ("slack:T1", "slack:T2")
    await kept.drop("slack:T1")
    assert await kept.find("slack:T1") is None
    assert await kept.find("slack:T2") == "other"


async def test_nothing_that_is_kept_can_be_read_in_the_tables(
    kept: StoredInstallations, state: State, tmp_path: Path
):
    await kept.keep("slack:T1", '{"bot_token": "xoxb-secret"}')

    rows = await state.database.run(only("SELECT * FROM installations WHERE tenant <> :no", no=""))
    assert "xoxb" not in str(rows)
    other = SecretBox((new_key(),), tmp_path / "other.key")
    with pytest.raises(SecretUnreadable):
        await StoredInstallations(state.database, other, kept.clock).find("slack:T1")


async def test_of_many_who_want_to_renew_one_may(kept: StoredInstallations, clock: InMemoryClock):
    await kept.keep("slack:T1", "old")

    claims = await asyncio.gather(*(kept.claim("slack:T1", seconds=60) for _ in range(8)))

    assert sorted(claims) == [False] * 7 + [True]
    assert not await kept.claim("slack:T9", seconds=60)
    await kept.keep("slack:T1", "new")
    assert await kept.claim("slack:T1", seconds=60)
    await clock.sleep(61)
    assert await kept.claim("slack:T1", seconds=60)


async def test_a_state_is_good_once_and_not_for_long(
    kept: StoredInstallations, clock: InMemoryClock
):
    state, late = await kept.issue(seconds=600), await kept.issue(seconds=600)

    taken = await asyncio.gather(*(kept.consume(state) for _ in range(4)))
    await clock.sleep(601)

    assert sorted(taken) == [False, False, False, True]
    assert not await kept.consume(late)
    assert not await kept.consume("made up")


async def test_the_workspaces_of_an_organisation_are_known(kept: StoredInstallations):
    for workspace in ("slack:T2", "slack:T1", "slack:T2"):
        await kept.seen("slack:E1", WorkspaceId(workspace))

    assert await kept.workspaces("slack:E1") == ("slack:T1", "slack:T2")
    assert await kept.workspaces("slack:E2") == ()
    assert await kept.tenants_of(WorkspaceId("slack:T1")) == ("slack:E1",)


async def test_what_is_done_once_is_done_by_one(state: State, clock: InMemoryClock):
    once, day = StoredOnce(state.database, clock), timedelta(days=1)

    first = await asyncio.gather(*(once.first("hello:C1", within=day) for _ in range(8)))
    other = await once.first("hello:C2", within=day)
    await clock.sleep(day.total_seconds() - 1)
    again = await once.first("hello:C1", within=day)
    await clock.sleep(2)
    later = await once.first("hello:C1", within=day)
    await once.undo("hello:C1")

    assert sorted(first) == [False] * 7 + [True]
    assert (other, again, later) == (True, False, True)
    assert await once.first("hello:C1", within=day)


async def test_keys_can_be_changed(state: State, clock: InMemoryClock, tmp_path: Path):
    old, new = new_key(), new_key()

    def kept_with(*keys: str) -> StoredInstallations:
        return StoredInstallations(state.database, SecretBox(keys, tmp_path / "none"), clock)

    for tenant in ("slack:T1", "slack:T2"):
        await kept_with(old).keep(tenant, f"of {tenant}")

    assert await kept_with(new, old).reseal() == 2
    assert await kept_with(new).find("slack:T2") == "of slack:T2"
    with pytest.raises(SecretUnreadable):
        await kept_with(old).find("slack:T1")
