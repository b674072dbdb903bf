"""What every DataDictionary does. Subclass it next to the implementation; add nothing to pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.definitions import Definition, Metric, Place, Synonym, Term
from core.domain.ids import ConnectionName, WorkspaceId
from core.ports.data_dictionary import DataDictionary

SHOP, OTHER = ConnectionName("shop"), ConnectionName("other")
ANYBODY = WorkspaceId("w")
HERE = Place("test")
ORDER_VALUE = Metric(
    name="order value",
    place=HERE,
    table="orders",
    expression="AVG(amount)",
    conditions=("status <> 'open'", "amount > 0"),
    also=("AOV", "basket"),
    meaning="What an order brings.",
    date="ordered_at",
    grain="order",
    unit="EUR",
    ranks=("customers",),
)
GOOD_CUSTOMER = Term(
    name="good customer", place=HERE, table="orders", condition="amount > 100", also=("vip",)
)
SLOGAN = Term(name="flywheel", place=HERE, meaning="What the company believes in.")
TURNOVER = Synonym(name="turnover", place=HERE, table="orders", column="amount")
PURCHASE = Synonym(name="purchase", place=HERE, table="orders")

Say = Callable[[ConnectionName, Sequence[Definition]], None]


class DataDictionaryContract:
    """The subclass gives an empty `dictionary`, and `say`, which replaces what it says."""

    async def test_says_nothing_of_what_nobody_defined(self, dictionary: DataDictionary):
        stated = await dictionary.stated(ANYBODY, SHOP)

        assert not stated.definitions
        assert stated.problems == ()
        assert not stated.outdated

    async def test_gives_every_kind_as_it_was_said(self, dictionary: DataDictionary, say: Say):
        say(SHOP, [TURNOVER, SLOGAN, ORDER_VALUE, GOOD_CUSTOMER, PURCHASE])
        stated = await dictionary.stated(ANYBODY, SHOP)

        assert [_without_place(each) for each in stated.definitions] == [
            _without_place(each)
            for each in (ORDER_VALUE, SLOGAN, GOOD_CUSTOMER, PURCHASE, TURNOVER)
        ]
        assert stated.problems == ()

    async def test_keeps_connections_apart(self, dictionary: DataDictionary, say: Say):
        say(SHOP, [TURNOVER])
        stated = await dictionary.stated(ANYBODY, OTHER)

        assert not stated.definitions

    async def test_gives_the_same_object_until_something_changes(
        self, dictionary: DataDictionary, say: Say
    ):
        say(SHOP, [TURNOVER])
        first = await dictionary.stated(ANYBODY, SHOP)
        again = await dictionary.stated(ANYBODY, SHOP)
        say(SHOP, [TURNOVER, SLOGAN])
        changed = await dictionary.stated(ANYBODY, SHOP)

        assert again.definitions is first.definitions
        assert changed.definitions is not first.definitions
        assert [each.name for each in changed.definitions] == ["flywheel", "turnover"]

    async def test_the_first_of_two_of_one_name_stays_and_the_other_is_told(
        self, dictionary: DataDictionary, say: Say
    ):
        say(SHOP, [TURNOVER, GOOD_CUSTOMER, Term(name="VIP", place=HERE, meaning="Else.")])
        stated = await dictionary.stated(ANYBODY, SHOP)

        names = {each.name for each in stated.definitions}
        assert len(stated.problems) == 1
        assert "'vip' is defined twice" in stated.problems[0].text
        assert "turnover" in names
        assert len(names & {"good customer", "VIP"}) == 1


def _without_place(definition: Definition) -> object:
    fields = {name: getattr(definition, name) for name in type(definition).__slots__}
    return type(definition), {name: value for name, value in fields.items() if name != "place"}
