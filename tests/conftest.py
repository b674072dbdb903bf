"""What every test has."""

import logging
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

# The same examples everywhere, with no time limit on one of them.
settings.load_profile("ci")
pytest.register_assert_rewrite("tests.conformance", "tests.kit")

# Where the product goes on with less when something takes too long: with rows that are not counted,
# values that are not known, a query without a known cost. While many tests run, everything may
# take long; a test that is about one of these sets it.
_LIMITS = (
    "adapters.models.exchange._LAST_BYTES_SECONDS",
    "adapters.warehouses.enrichment._SECONDS_A_TABLE",
    "adapters.warehouses.enrichment._SECONDS_IN_ALL",
    "adapters.warehouses.mysql.catalog._SECONDS_TO_COUNT",
    "adapters.warehouses.postgres.catalog._SECONDS_TO_COUNT",
    "adapters.warehouses.sql_warehouse.SECONDS_TO_PLAN",
    "adapters.warehouses.sqlite.catalog._SECONDS_TO_COUNT",
    "adapters.warehouses.sqlite.catalog._SECONDS_TO_COUNT_ALL",
)
_SECONDS = 60.0


@pytest.fixture(scope="session", autouse=True)
def _time_enough() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for each in _LIMITS:
            patch.setattr(each, _SECONDS)
        yield


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    # A command sets up logging for its process, which in tests is everybody's.
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    # The richer form writes out every value around an error, which takes seconds of CPU.
    shown = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], shown])
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
