from syrupy.assertion import SnapshotAssertion

from core.domain.query import Dialect, Query
from core.sql.builder import Grain, column_of
from core.toolkit.dates import Dated
from core.toolkit.measures import How, measure_of
from core.toolkit.series import SeriesArgs, build_series
from core.toolkit.sources import Source
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog


def test_aggregates_by_period_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = SeriesArgs.model_validate(
            {
                "table": "orders",
                "time_column": "ordered_at",
                "since": "2025-01-01",
                "until": "2025-12-31",
                "where": "status = 'paid' AND customers.\"Country Name\" = 'Spain'"
                if dialect not in {Dialect.MYSQL, Dialect.BIGQUERY}
                else "status = 'paid' AND customers.`Country Name` = 'Spain'",
            }
        )
        measure = measure_of(source, "amount", How.AVERAGE)
        dated = Dated(name="ordered_at", value=column_of("ordered_at"))
        return build_series(args, source, measure, dated)

    assert snapshot == in_each_dialect(build)


def test_weeks_and_counts_in_every_engine(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = SeriesArgs(table="orders", time_column="ordered_at", grain=Grain.WEEK)
        dated = Dated(name="ordered_at", value=column_of("ordered_at"))
        return build_series(args, source, measure_of(source, "", How.SUM), dated)

    assert snapshot == in_each_dialect(build)
