"""The SQL of a query in the words of every engine that snapshots are kept for."""

from collections.abc import Callable

from core.domain.query import Dialect, Query

SNAPSHOT_DIALECTS = (
    Dialect.POSTGRES,
    Dialect.MYSQL,
    Dialect.SQLITE,
    Dialect.DUCKDB,
    Dialect.BIGQUERY,
    Dialect.SNOWFLAKE,
)


def in_each_dialect(build: Callable[[Dialect], Query]) -> dict[str, str]:
    """Return what `build` gives for each engine, as that engine reads it."""
    return {dialect.value: build(dialect).sql(dialect) for dialect in SNAPSHOT_DIALECTS}
