import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.connections import KeptConnection, StoredConnections
from adapters.storage.database import only
from adapters.storage.opening import State, open_state
from adapters.storage.secrets import SecretBox, new_key
from core.domain.errors import SecretUnreadable
from core.domain.ids import ActorId, ConnectionName

SHOP, BOOKS = ConnectionName("shop"), ConnectionName("books")
HUSH = "s3cr3t-of-the-shop"
ANN = ActorId("ann")


def kept(name: ConnectionName = SHOP, body: str = "{}", hush: str = HUSH) -> KeptConnection:
    return KeptConnection(name=name, body=body, secret=hush)


@pytest.fixture
def box(tmp_path: Path) -> SecretBox:
    return SecretBox((new_key(),), tmp_path / "no.key")


@pytest.fixture
def store(state: State, clock: InMemoryClock, box: SecretBox) -> StoredConnections:
    return StoredConnections(state.database, box, clock)


@pytest.fixture
async def elsewhere(
    url: str, clock: InMemoryClock, box: SecretBox
) -> AsyncIterator[StoredConnections]:
    async with open_state(url, clock) as state:
        yield StoredConnections(state.database, box, clock)


async def test_gives_back_what_was_kept_and_forgets_what_was_forgotten(store: StoredConnections):
    assert await store.keep(kept(), replace=False)
    assert await store.keep(kept(BOOKS, "{}", ""), replace=False)

    assert (await store.all())[1] == (kept(BOOKS, "{}", ""), kept())
    assert await store.forget(BOOKS)
    assert not await store.forget(BOOKS)
    assert (await store.all())[1] == (kept(),)


async def test_a_name_is_taken_once_unless_it_is_to_be_replaced(store: StoredConnections):
    await store.keep(kept(), replace=False)

    assert not await store.keep(kept(body="[]", hush="x"), replace=False)
    assert (await store.all())[1] == (kept(),)
    assert await store.keep(kept(body="[]", hush="y"), replace=True)
    assert (await store.all())[1] == (kept(body="[]", hush="y"),)


async def test_of_many_who_want_a_name_at_once_one_gets_it(
    store: StoredConnections, elsewhere: StoredConnections
):
    await store.all()
    await elsewhere.all()
    async with asyncio.TaskGroup() as tasks:
        wants = [
            tasks.create_task(each.keep(kept(hush=str(at)), replace=False))
            for at in range(6)
            for each in (store, elsewhere)
        ]

    assert sum(each.result() for each in wants) == 1


async def test_no_secret_is_in_the_tables(store: StoredConnections, state: State):
    await store.keep(kept(), replace=False)
    rows = await state.database.run(only("SELECT name, body, secret, kept_at FROM connections"))

    assert HUSH not in repr([tuple(row) for row in rows])
    assert HUSH not in repr(await store.all())


async def test_another_process_sees_that_something_changed(
    store: StoredConnections, elsewhere: StoredConnections
):
    before = (await elsewhere.glance(())).version
    await store.keep(kept(), replace=False)
    kept_at = (await elsewhere.glance(())).version
    await store.keep(kept(), replace=False)
    in_vain = (await elsewhere.glance(())).version
    await store.forget(SHOP)
    after = (await elsewhere.glance(())).version

    assert before < kept_at == in_vain < after
    assert await elsewhere.all() == (after, ())


async def test_the_most_special_choice_counts(store: StoredConnections):
    await store.choose("channel", SHOP, ANN)
    await store.choose("workspace", BOOKS, ANN)

    assert (await store.glance(("thread", "channel", "workspace"))).chosen == SHOP
    assert (await store.glance(("other", "workspace"))).chosen == BOOKS
    assert (await store.glance(("other",))).chosen is None

    await store.choose("channel", BOOKS, ANN)
    assert (await store.glance(("channel",))).chosen == BOOKS
    assert await store.spots_of(BOOKS) == ("channel", "workspace")


async def test_what_is_forgotten_is_chosen_nowhere(store: StoredConnections):
    await store.keep(kept(), replace=False)
    await store.choose("channel", SHOP, ANN)
    await store.forget(SHOP)

    assert (await store.glance(("channel",))).chosen is None


async def test_with_another_key_a_connection_is_there_and_says_why_it_is_of_no_use(
    store: StoredConnections, state: State, clock: InMemoryClock, tmp_path: Path
):
    await store.keep(kept(), replace=False)
    await store.keep(kept(BOOKS, "{}", ""), replace=False)
    other = StoredConnections(
        state.database, SecretBox((new_key(),), tmp_path / "other.key"), clock
    )

    books, shop = (await other.all())[1]

    assert (books.problem, shop.secret) == ("", "")
    assert "give the secret again" in shop.problem
    with pytest.raises(SecretUnreadable):
        await other.reseal()


async def test_after_the_keys_were_changed_the_old_one_may_go(
    store: StoredConnections, state: State, clock: InMemoryClock, tmp_path: Path, box: SecretBox
):
    await store.keep(kept(), replace=False)
    await store.keep(kept(BOOKS, "{}", ""), replace=False)
    fresh = new_key()
    both = SecretBox((fresh, *box.keys), tmp_path / "no.key")

    assert await StoredConnections(state.database, both, clock).reseal() == 1

    alone = SecretBox((fresh,), tmp_path / "no.key")
    assert (await StoredConnections(state.database, alone, clock).all())[1][1] == kept()


async def test_what_is_missing_is_kept_and_what_is_there_stays(store: StoredConnections):
    await store.keep(kept(), replace=False)
    await store.keep_missing([kept(body="[]", hush=""), kept(BOOKS, "[]", "")])

    assert (await store.all())[1] == (kept(BOOKS, "[]", ""), kept())
