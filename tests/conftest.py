"""What every test has."""

import logging
from collections.abc import Iterator

import pytest
import structlog

pytest.register_assert_rewrite("tests.conformance", "tests.kit")


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
