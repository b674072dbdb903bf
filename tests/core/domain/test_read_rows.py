import pytest

from core.domain.answer import ExecutedSql
from core.domain.query import CostEstimate
from core.domain.read_rows import read_in_words


def ran(rows: float | None = None, size: float | None = None, *, exact: bool = False):
    confidence = "exact" if exact else "estimate"
    read = CostEstimate(rows=rows, bytes=size, confidence=confidence)
    return ExecutedSql(sql="SELECT 1", rows=1, seconds=0.1, read=read)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ([ran(1, exact=True)], "1 row read"),
        ([ran(9_999, exact=True)], "9,999 rows read"),
        ([ran(181_323)], "about 181k rows read"),
        ([ran(1_000_000), ran(250_000, exact=True)], "about 1.25M rows read"),
        ([ran(None, 1.2e9, exact=True)], "1.2 GB read"),
        ([ran(5, 812, exact=True)], "5 rows, 812 bytes read"),
        ([ran(5), ran(None, 100)], ""),
        ([ran()], ""),
        ([ran(5), ExecutedSql(sql="SELECT 1", rows=1, seconds=0.1)], ""),
        ([], ""),
    ],
)
def test_says_what_was_read_only_where_it_is_known_of_all(
    statements: list[ExecutedSql], words: str
):
    assert read_in_words(statements) == words
