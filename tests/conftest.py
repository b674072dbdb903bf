"""What every test has."""

import pytest

pytest.register_assert_rewrite("tests.conformance", "tests.kit")
