import pytest

from core.domain.errors import BadArguments
from core.domain.query import Dialect
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from tests.kit.shop_catalog import shop_catalog


@pytest.mark.parametrize(
    ("text", "how", "name", "sql"),
    [
        ("", How.SUM, "rows", "COUNT(*)"),
        ("amount", How.SUM, "total_amount", 'SUM("amount")'),
        ("Amount", How.MAX, "highest_amount", 'MAX("amount")'),
        ("amount", How.MIN, "lowest_amount", 'MIN("amount")'),
        ("amount", How.AVERAGE, "average_amount", 'AVG(CAST("amount" AS DOUBLE PRECISION))'),
        ("status", How.COUNT, "count_status", 'COUNT("status")'),
        ("customer_id", How.DISTINCT, "distinct_customer_id", 'COUNT(DISTINCT "customer_id")'),
        ("amount * 2", How.SUM, "total amount * 2", 'SUM("amount" * 2)'),
        (
            "customers.Country Name",
            How.DISTINCT,
            "distinct Country Name",
            'COUNT(DISTINCT "customers"."Country Name")',
        ),
    ],
)
def test_names_and_aggregates_what_is_measured(text: str, how: How, name: str, sql: str):
    measure = measure_of(Source.of(shop_catalog(), "orders"), text, how)

    assert measure.name == name
    assert measure.figure(Dialect.POSTGRES).sql(dialect="postgres") == sql


def test_a_figure_may_be_limited_to_some_rows():
    source = Source.of(shop_catalog(), "orders")
    paid = source.condition("status = 'paid'")

    total = measure_of(source, "amount", How.SUM).figure(Dialect.POSTGRES, when=paid)
    rows = measure_of(source, "", How.SUM).figure(Dialect.POSTGRES, when=paid)

    assert total.sql() == 'SUM(CASE WHEN "status" = \'paid\' THEN "amount" END)'
    assert rows.sql() == "COUNT(CASE WHEN \"status\" = 'paid' THEN 1 END)"


@pytest.mark.parametrize("how", [How.SUM, How.AVERAGE, How.MIN, How.MAX])
def test_what_is_no_number_is_only_counted(how: How):
    with pytest.raises(BadArguments, match="these numbers: amount"):
        measure_of(Source.of(shop_catalog(), "orders"), "order_id", how)
