import pytest

from adapters.inmemory.thread_store import InMemoryThreadStore
from tests.conformance.thread_store import ThreadStoreContract


class TestInMemoryThreadStore(ThreadStoreContract):
    @pytest.fixture
    def threads(self) -> InMemoryThreadStore:
        return InMemoryThreadStore()
