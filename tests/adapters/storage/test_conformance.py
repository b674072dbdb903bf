import pytest

from adapters.storage.answers_due import StoredAnswersDue
from adapters.storage.audit_log import StoredAuditLog
from adapters.storage.opening import State
from adapters.storage.paused_runs import StoredPausedRuns
from adapters.storage.run_log import StoredRunLog
from adapters.storage.stop_wishes import StoredStopWishes
from adapters.storage.threads import StoredThreads
from adapters.storage.usage_log import StoredUsageLog
from tests.conformance.answers_due import AnswersDueContract
from tests.conformance.audit_log import AuditLogContract
from tests.conformance.paused_runs import PausedRunsContract
from tests.conformance.run_log import RunLogContract
from tests.conformance.stop_wishes import StopWishesContract
from tests.conformance.thread_store import ThreadStoreContract
from tests.conformance.usage_log import UsageLogContract


class TestStoredThreads(ThreadStoreContract):
    @pytest.fixture
    def threads(self, state: State) -> StoredThreads:
        return state.threads


class TestStoredAnswersDue(AnswersDueContract):
    @pytest.fixture
    def due(self, state: State) -> StoredAnswersDue:
        return state.due


class TestStoredPausedRuns(PausedRunsContract):
    @pytest.fixture
    def paused(self, state: State) -> StoredPausedRuns:
        return state.paused


class TestStoredRunLog(RunLogContract):
    @pytest.fixture
    def log(self, state: State) -> StoredRunLog:
        return state.run_log


class TestStoredAuditLog(AuditLogContract):
    @pytest.fixture
    def audit(self, state: State) -> StoredAuditLog:
        return state.audit


class TestStoredUsageLog(UsageLogContract):
    @pytest.fixture
    def usage(self, state: State) -> StoredUsageLog:
        return StoredUsageLog(state.database)


class TestStoredStopWishes(StopWishesContract):
    @pytest.fixture
    def stops(self, state: State) -> StoredStopWishes:
        return state.stops
