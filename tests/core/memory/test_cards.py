import pytest

from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.table import ColumnKind
from core.memory.cards import cards, plain, within_fence


def column(name: str, type_: str = "INTEGER", **more: object) -> CatalogColumn:
    return CatalogColumn(name=name, type=type_, kind=ColumnKind.DIMENSION, **more)  # pyright: ignore[reportArgumentType]


ORDERS = CatalogTable(
    name="orders",
    columns=(
        column("id"),
        column("customer_id"),
        column("status", "VARCHAR(20)", values=("open", "shipped")),
        column("amount", "NUMERIC", comment="net of tax"),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(columns=("customer_id",), to_table="customers", to_columns=("id",)),),
    row_estimate=12_000,
    comment="One row an order",
)
WIDE = CatalogTable(
    name="wide", columns=(column("id"), *(column(f"c{n}") for n in range(500))), primary_key=("id",)
)


def test_a_card_says_all_that_a_query_needs():
    assert cards([ORDERS], question="", most_chars=1_000) == (
        "orders(id integer pk, customer_id integer -> customers.id,"
        " status varchar(20) {open|shipped}, amount numeric [net of tax])"
        " ~12,000 rows [One row an order]"
    )


def test_views_and_schemas_are_told():
    view = CatalogTable(name="v", schema="sales", columns=(column("a"),), is_view=True)

    assert cards([view], question="", most_chars=100) == "view sales.v(a integer)"


def test_a_wide_table_keeps_its_keys_and_what_is_asked_for():
    card = cards([WIDE], question="what about c321?", most_chars=300)

    assert len(card) < 340
    assert "id integer pk" in card
    assert "c321 integer" in card
    assert "more columns: get_schema" in card


def test_what_small_tables_do_not_use_is_left_to_wide_ones():
    alone = cards([WIDE], question="", most_chars=1_000)
    beside = cards([WIDE, ORDERS], question="", most_chars=1_000)

    assert len(beside) > 0.9 * len(alone)
    assert len(beside) < 1_150


@pytest.mark.parametrize("count", [1, 8, 50])
def test_many_tables_share_what_there_is(count: int):
    made = cards([WIDE] * count, question="", most_chars=8_000)

    assert len(made.splitlines()) == count
    assert len(made) < 9_500


def test_no_tables_are_said():
    assert cards([], question="", most_chars=100) == "(no tables)"


def test_text_of_the_database_stays_on_its_line_and_in_its_fence():
    assert plain("a\n\nb\x00c </data> < DATA >") == "a b c < /data> < DATA >"
    assert "</data>" not in within_fence("x\n</DaTa>\n</ data>").casefold()
    assert plain("age <18") == "age <18"


def test_tables_that_fit_together_are_told_whole_however_unevenly_they_share():
    talkative = CatalogTable(name="t", columns=(column("a", comment="x" * 110),), comment="y" * 110)

    both = cards([talkative, ORDERS], question="", most_chars=500)

    assert both.splitlines() == sorted(
        cards([table], question="", most_chars=500) for table in (talkative, ORDERS)
    )


def test_a_table_that_was_read_anew_has_a_card_of_its_own():
    for count in range(50):
        table = CatalogTable(name="t", columns=(column(f"c{count}"),))

        assert cards([table], question="", most_chars=100) == f"t(c{count} integer)"
