import pytest

from adapters.inmemory.answers_due import InMemoryAnswersDue
from tests.conformance.answers_due import AnswersDueContract


class TestInMemoryAnswersDue(AnswersDueContract):
    @pytest.fixture
    def due(self) -> InMemoryAnswersDue:
        return InMemoryAnswersDue()
