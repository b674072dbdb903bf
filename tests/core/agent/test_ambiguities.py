import pytest

from core.agent.ambiguities import found_in
from core.agent.intent import Ambiguity, Intent
from core.agent.readings import read, to_ask
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.events import TurnPaused
from core.domain.table import ColumnKind
from core.toolkit.family import Family
from tests.core.agent.stage import Stage, calls, finished, query


def measure(name: str, *, masked: bool = False) -> CatalogColumn:
    return CatalogColumn(name=name, type="NUMERIC", kind=ColumnKind.MEASURE, masked=masked)


def text(name: str, *values: str) -> CatalogColumn:
    return CatalogColumn(name=name, type="TEXT", kind=ColumnKind.DIMENSION, values=values)


STORES = CatalogTable(name="stores", columns=(text("city", "Paris", "Lyon"), measure("floor_area")))
CUSTOMERS = CatalogTable(
    name="customers",
    columns=(text("home_city", "Paris", "Rome"), text("won_through", "partner", "search")),
)
PRODUCTS = CatalogTable(name="products", columns=(measure("list_price"), measure("unit_cost")))
LINES = CatalogTable(
    name="order_lines",
    columns=(measure("unit_price"), measure("product_no"), measure("secret_price", masked=True)),
    foreign_keys=(ForeignKey(columns=("product_no",), to_table="products", to_columns=("no",)),),
)
RETURNS = CatalogTable(name="return_requests", columns=(text("channel", "partner", "web"),))
SHIPPED = CatalogTable(name="return_shipments", columns=(text("carrier", "post"),))
TABLES = (STORES, CUSTOMERS, PRODUCTS, LINES, RETURNS, SHIPPED)


def options(question: str) -> list[tuple[str, ...]]:
    return [each.options for each in found_in(question, TABLES)]


@pytest.mark.parametrize(
    ("question", "meanings"),
    [
        # two measures
        ("what is the average price", ("list price", "unit price")),
        ("what is the average list price", None),
        ("average price of the products", None),
        ("average cost", None),
        # two tables
        ("how many returns were there in 2025", ("return requests", "return shipments")),
        ("how many return shipments were there", None),
        # one value in two columns
        ("how much did we sell in Paris", ("city", "home city")),
        ("how much did the stores in Paris sell", None),
        ("customers by home city Paris", None),
        ("how much did we sell in Rome", None),
        ("how many came through a partner", ("won through", "channel")),
        # none at all
        ("how many customers are there", None),
        ("", None),
    ],
)
def test_what_the_schema_gives_two_meanings_is_found(
    question: str, meanings: tuple[str, ...] | None
):
    assert options(question) == ([meanings] if meanings else [])


def test_columns_of_one_name_are_told_apart_by_their_table():
    twice = (
        CatalogTable(name="plans", columns=(measure("list_price"),)),
        CatalogTable(name="parts", columns=(measure("list_price"),)),
    )

    [found] = found_in("average price", twice)

    assert found.options == ("list price of plans", "list price of parts")


def unsure(*ambiguities: Ambiguity, confidence: float = 0.5) -> Intent:
    return Intent(primary=Family.ANALYZE, confidence=confidence, ambiguities=ambiguities)


async def test_what_the_schema_leaves_open_is_asked_where_the_model_is_not_sure(stage: Stage):
    ctx = stage.context("what is the average price")

    asked = to_ask(read(unsure(), ctx, TABLES), sure=0.85)

    assert asked is not None
    assert asked.options == ("list price", "unit price")
    assert to_ask(read(unsure(confidence=0.9), ctx, TABLES), sure=0.85) is None


@pytest.mark.parametrize("memory", ["By price we mean the list price.", "Prices: use list price."])
async def test_what_a_definition_says_is_not_asked(stage: Stage, memory: str):
    stage.memory = memory

    reading = read(unsure(), stage.context("what is the average price"), TABLES)

    assert reading.open == ()
    assert reading.settled == ("What does 'price' mean here? list price",)


async def test_a_name_that_holds_another_is_the_one_that_was_said(stage: Stage):
    stage.memory = "Partner always means won through."
    either = Ambiguity(question="Which?", options=("through", "won through"))

    reading = read(unsure(either), stage.context("best"), ())

    assert reading.settled == ("Which? won through",)


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (
            ("orders.amount", "orders.total_usd", "customers.name"),
            ("orders.amount", "customers.name"),
        ),
        (("net_revenue", "gross_revenue"), None),
        (("orders.amount", "orders.total_usd"), None),
        (("revenue", "orders.total_usd", "units"), ("revenue", "units")),
    ],
)
async def test_a_model_may_offer_only_names_that_exist(
    stage: Stage, options: tuple[str, ...], left: tuple[str, ...] | None
):
    written = unsure(Ambiguity(question="Best by what?", options=options))

    asked = to_ask(read(written, stage.context("best"), ()), sure=0.85)

    assert (asked.options if asked else None) == left


async def test_a_reading_that_is_not_asked_is_the_models_to_state(stage: Stage):
    intent = '{"primary_intent": "analyze", "confidence": 0.95, "complexity": "simple"}'
    stage.script(
        calls(query("SELECT COUNT(*) AS n FROM customers")),
        "3 customers.\nAssumption: all of them.",
        intent=intent,
    )

    events = await stage.ask("how many customers")

    assert not isinstance(events[-1], TurnPaused)
    assert finished(events).assumptions == ("all of them.",)
