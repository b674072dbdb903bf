from pathlib import Path

import pytest

from bot.permits import Directory
from core.domain.answer import Answer
from core.domain.audit import Deed
from core.domain.chat import AssistantMessage
from core.domain.events import Event, TurnFailed, TurnFinished
from core.domain.ids import ActorId
from core.domain.people import Place, Role
from tests.kit.turn_stage import INTENT, Setting, calling, message, opened, small_shop

SALES = Place(platform="slack", channel="C01")
QUERY = calling("run_query", sql="SELECT * FROM orders")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_shop(tmp_path_factory.mktemp("rights") / "shop.sqlite")


def rights(**of_shop: list[str]) -> Setting:
    return Setting(
        connections={"shop": {"rights": of_shop}, "open": {}},
        directory=Directory(
            roles={ActorId("chief"): Role.ADMIN},
            groups={"finance": frozenset({ActorId("fay")})},
        ),
    )


def answer_of(end: Event) -> Answer:
    assert isinstance(end, TurnFinished)
    return end.answer


@pytest.mark.parametrize("person", ["ann", "fay", "chief"])
async def test_who_is_named_may_ask(shop: Path, person: str):
    setting = rights(people=["ann", "@finance", "@admin"])
    async with opened(shop, INTENT, "Two.", setting=setting) as bench:
        end = await bench.end(message("how many?", person=person))

    assert answer_of(end).text == "Two."


async def test_who_is_not_named_is_told_so_and_nothing_is_read(shop: Path):
    setting = rights(people=["ann", "@finance"])
    async with opened(shop, INTENT, "Two.", setting=setting) as bench:
        end = await bench.end(message("how many?", person="bob"))
        [entry] = await bench.audited()

    answer = answer_of(end)
    assert answer.refused
    assert answer.text == (
        "I may not read shop for you: you are not among the people who may use it. Ask whoever "
        "looks after it. Here you may ask: open."
    )
    assert bench.model.requests == []
    assert (entry.deed, entry.actor, entry.connection) == (Deed.TURNED_AWAY, "bob", "shop")


@pytest.mark.parametrize(
    ("place", "may"),
    [(SALES, True), (Place(platform="slack", channel="C02"), False), (Place(), False)],
)
async def test_a_connection_may_be_for_some_places(shop: Path, place: Place, *, may: bool):
    async with opened(shop, INTENT, "Two.", setting=rights(places=["slack:C01"])) as bench:
        end = await bench.end(message("how many?", place=place))

    assert answer_of(end).refused is not may


async def test_another_connection_may_still_be_asked(shop: Path):
    async with opened(shop, INTENT, "Two.", setting=rights(people=["ann"])) as bench:
        end = await bench.end(message("how many?", person="bob", connection="open"))

    assert answer_of(end).text == "Two."


async def test_one_hears_of_a_shared_thread_what_one_may_ask_oneself(shop: Path):
    script = (INTENT, "The secret is 7.", INTENT, "I do not know.", INTENT, "It was 7.")
    async with opened(shop, *script, setting=rights(people=["ann"])) as bench:
        await bench.end(message("what is the secret?", person="ann"))
        await bench.end(message("and what was it?", person="bob", connection="open"))
        heard_by_bob = bench.model.requests[-1].messages
        await bench.end(message("what was it again?", person="ann"))
        heard_by_ann = bench.model.requests[-1].messages

    assert not [each for each in heard_by_bob if "secret is 7" in each.text]
    assert [each for each in heard_by_ann if "secret is 7" in each.text]
    assert [type(each) for each in heard_by_ann].count(AssistantMessage) == 2


async def test_what_is_hidden_or_masked_reaches_neither_model_nor_reader(shop: Path):
    setting = rights(mask=["orders.email"], hide=["orders.amount"])
    async with opened(shop, INTENT, QUERY, "Two orders.", setting=setting) as bench:
        turn = await bench.turns.start(message("show me the orders"))
        events = await bench.events(turn)
        requests = bench.model.requests

    table = answer_of(events[-1]).result
    assert table is not None
    assert table.table is not None
    assert table.table.rows == ((1, "***"), (2, "***"))
    assert "secret" not in repr(requests)
    assert "amount" not in repr([request.messages for request in requests])
    assert "@secret" not in repr(events)


async def test_a_rule_that_protects_nothing_closes_the_connection(shop: Path):
    async with opened(shop, setting=rights(mask=["orders.e_mail"])) as bench:
        end = await bench.end(message("how many?"))

    assert isinstance(end, TurnFailed)
    assert "'orders.e_mail'" in end.reason
