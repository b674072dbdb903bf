import pytest

from adapters.inmemory.data_dictionary import InMemoryDictionary
from tests.conformance.data_dictionary import DataDictionaryContract, Say


class TestInMemoryDictionary(DataDictionaryContract):
    @pytest.fixture
    def dictionary(self) -> InMemoryDictionary:
        return InMemoryDictionary()

    @pytest.fixture
    def say(self, dictionary: InMemoryDictionary) -> Say:
        return dictionary.say
