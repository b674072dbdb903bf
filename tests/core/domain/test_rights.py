from dataclasses import replace

import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ActorId, WorkspaceId
from core.domain.people import Actor, Place, Role
from core.domain.query import Dialect
from core.domain.rights import Rights, narrowed
from core.domain.table import ColumnKind

ANN = Actor(id=ActorId("ann"), workspace=WorkspaceId("acme"), name="Ann")
PAGE = Place(platform="page")
SALES = Place(platform="slack", channel="C01")


def column(name: str, kind: ColumnKind = ColumnKind.DIMENSION) -> CatalogColumn:
    return CatalogColumn(name=name, type="text", kind=kind, values=("a", "b"), comment="As typed.")


CUSTOMERS = CatalogTable(
    name="customers",
    columns=(column("id"), column("Email"), column("country")),
    primary_key=("id",),
)
ORDERS = CatalogTable(
    name="orders",
    columns=(column("id"), column("customer_id"), column("email")),
    foreign_keys=(ForeignKey(columns=("customer_id",), to_table="customers", to_columns=("id",)),),
)
SALARIES = CatalogTable(name="salaries", schema="hr", columns=(column("person"), column("pay")))
CATALOG = Catalog(dialect=Dialect.POSTGRES, tables=(CUSTOMERS, ORDERS, SALARIES))


def shapes(catalog: Catalog) -> dict[str, list[str]]:
    return {
        each.qualified_name: [
            f"{column.name} masked" if column.masked else column.name for column in each.columns
        ]
        for each in catalog.tables
    }


def test_without_names_everybody_may_ask_everywhere():
    assert Rights().refusal(ANN, PAGE) == ""


@pytest.mark.parametrize(
    ("actor", "may"),
    [
        (ANN, True),
        (replace(ANN, id=ActorId("bob")), False),
        (replace(ANN, id=ActorId("bob"), groups=("finance",)), True),
        (replace(ANN, id=ActorId("bob"), groups=("sales",)), False),
        (replace(ANN, id=ActorId("bob"), role=Role.ADMIN), True),
        (replace(ANN, id=ActorId("@finance")), False),
    ],
)
def test_people_are_named_by_id_group_or_role(actor: Actor, *, may: bool):
    rights = Rights(people=("ann", "@finance", "@admin"))

    assert (rights.refusal(actor, PAGE) == "") is may


@pytest.mark.parametrize(
    ("place", "may"),
    [
        (PAGE, True),
        (SALES, True),
        (Place(platform="slack", channel="C02"), False),
        (Place(platform="slack"), False),
        (Place(), False),
    ],
)
def test_places_are_platforms_or_channels(place: Place, *, may: bool):
    rights = Rights(places=("page", "slack:C01"))

    assert (rights.refusal(ANN, place) == "") is may


def test_person_and_place_must_both_fit():
    rights = Rights(people=("ann",), places=("page",))

    assert rights.refusal(ANN, PAGE) == ""
    assert "among the people" in rights.refusal(replace(ANN, id=ActorId("bob")), PAGE)
    assert "other places" in rights.refusal(ANN, SALES)


def test_only_named_approvers_approve():
    rights = Rights(approvers=("bob", "@data"))

    assert not rights.may_approve(ANN)
    assert rights.may_approve(replace(ANN, id=ActorId("bob")))
    assert rights.may_approve(replace(ANN, groups=("data",)))
    assert not Rights().may_approve(replace(ANN, role=Role.ADMIN))


def test_without_rules_the_catalog_stays_as_it_is():
    assert narrowed(CATALOG, Rights(people=("ann",))) is CATALOG


def test_hidden_columns_are_not_there_and_masked_ones_say_so():
    seen = narrowed(CATALOG, Rights(hide=("customers.country",), mask=("*.email",)))

    assert shapes(seen) == {
        "customers": ["id", "Email masked"],
        "orders": ["id", "customer_id", "email masked"],
        "hr.salaries": ["person", "pay"],
    }
    assert [each.restricted for each in seen.tables] == [True, True, False]
    assert seen.narrowed


def test_a_masked_column_tells_nothing_of_its_values():
    seen = narrowed(CATALOG, Rights(mask=("customers.email",)))
    email = seen.tables[0].columns[1]

    assert (email.values, email.type, email.kind) == ((), "masked", ColumnKind.TEXT)
    assert email.comment.startswith("As typed. Masked:")


@pytest.mark.parametrize("rule", ["salaries.*", "hr.salaries.*", "HR.*", "*.pay", "hr.sal*.p*"])
def test_rules_reach_tables_of_other_schemas(rule: str):
    seen = narrowed(CATALOG, Rights(hide=(rule,)))

    assert "pay" not in str(shapes(seen))


def test_a_table_without_any_column_left_is_gone_with_the_keys_to_it():
    seen = narrowed(CATALOG, Rights(hide=("customers.*",)))

    assert "customers" not in shapes(seen)
    assert seen.table("orders") == replace(ORDERS, foreign_keys=())


@pytest.mark.parametrize("rights", [Rights(hide=("customers.id",)), Rights(mask=("customers.id",))])
def test_keys_through_what_is_not_seen_are_gone(rights: Rights):
    seen = narrowed(CATALOG, rights)
    customers, orders = seen.table("customers"), seen.table("orders")

    assert customers is not None
    assert customers.primary_key == ()
    assert orders is not None
    assert orders.foreign_keys == ()


@pytest.mark.parametrize("rule", ["customers.emial", "customer.email", "sales.customers.email"])
def test_a_rule_that_protects_nothing_closes_the_connection(rule: str):
    with pytest.raises(ConnectionUnusable, match="fits no column"):
        narrowed(CATALOG, Rights(mask=(rule,)))


def test_a_rule_with_a_star_may_find_nothing():
    assert shapes(narrowed(CATALOG, Rights(mask=("*.phone",)))) == shapes(CATALOG)


def test_a_rule_for_a_whole_table_says_so():
    with pytest.raises(ConnectionUnusable, match=r"'customers\.\*'"):
        narrowed(CATALOG, Rights(hide=("customers",)))


@pytest.mark.parametrize(
    ("schemas", "tables", "left"),
    [
        ((), ("ORDERS",), ["orders"]),
        ((), ("hr.salaries", "orders"), ["orders", "hr.salaries"]),
        (("sales",), (), ["customers", "orders"]),
        (("HR",), ("salaries",), ["hr.salaries"]),
    ],
)
def test_schemas_and_tables_narrow_what_is_read(
    schemas: tuple[str, ...], tables: tuple[str, ...], left: list[str]
):
    seen = narrowed(CATALOG, Rights(), schemas=schemas, tables=tables)

    assert list(shapes(seen)) == left
    assert seen.narrowed


def test_what_may_be_seen_changes_the_version():
    versions = {
        narrowed(CATALOG, rights).version
        for rights in (Rights(), Rights(mask=("*.email",)), Rights(hide=("*.email",)))
    }

    assert len(versions) == 3


DIRECT = Place(platform="slack", channel="D01", workspace="T01")
CHANNEL = Place(platform="slack", channel="C01", workspace="T01", shared=True)


@pytest.mark.parametrize(
    ("people", "places", "here", "alone"),
    [
        ((), (), True, True),
        ((), ("slack:C01",), True, False),
        ((), ("slack:C02",), False, False),
        ((), ("slack:T01",), True, True),
        ((), ("slack:T02",), False, False),
        ((), ("page",), False, False),
        (("ann",), (), False, True),
        (("ann",), ("slack",), True, True),
        (("ann",), ("slack:C01",), True, True),
        (("ann",), ("slack:C02",), False, True),
        (("ann",), ("slack:T01",), True, True),
        (("ann",), ("page",), False, False),
        (("bob",), ("slack",), False, False),
    ],
)
def test_who_reads_along_counts_where_people_are_named(
    people: tuple[str, ...], places: tuple[str, ...], *, here: bool, alone: bool
):
    rights = Rights(people=people, places=places)

    assert (rights.refusal(ANN, CHANNEL) == "") is here
    assert (rights.refusal(ANN, DIRECT) == "") is alone
    assert rights.only_in_private(ANN, CHANNEL) is (alone and not here)
    assert not rights.only_in_private(ANN, DIRECT)


def test_named_people_ask_alone_only_on_the_platforms_of_the_places():
    rights = Rights(people=("ann",), places=("slack:C01",))

    assert rights.refusal(ANN, PAGE) == "it may only be used in other places than this one"
    assert rights.refusal(ANN, replace(CHANNEL, channel="C02")).endswith("in a direct message")
