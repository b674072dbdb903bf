import pytest

from adapters.inmemory.usage_log import InMemoryUsageLog
from tests.conformance.usage_log import UsageLogContract


class TestInMemoryUsageLog(UsageLogContract):
    @pytest.fixture
    def usage(self) -> InMemoryUsageLog:
        return InMemoryUsageLog()
