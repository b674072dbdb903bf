import pytest

from adapters.inmemory.audit_log import InMemoryAuditLog
from core.domain.errors import StateUnusable
from tests.conformance.audit_log import READ, AuditLogContract, every


class TestInMemoryAuditLog(AuditLogContract):
    @pytest.fixture
    def audit(self) -> InMemoryAuditLog:
        return InMemoryAuditLog()


async def test_a_full_one_says_so_and_keeps_nothing():
    audit = InMemoryAuditLog(full=True)

    with pytest.raises(StateUnusable):
        await audit.record(READ)

    assert await every(audit) == ()
