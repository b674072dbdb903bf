"""A filter that finds nothing because of its letter case, from the model's query to the answer."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.answer import Answer
from core.domain.events import TurnFinished
from tests.kit.turn_stage import INTENT, Bench, calling, message, opened

COUNTING = "SELECT COUNT(*) AS n FROM orders WHERE "
QUESTION = "how many orders does Garcia's region have?"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("letters") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, buyer TEXT)")
        database.executemany(
            "INSERT INTO orders (region, buyer) VALUES (?, ?)",
            [("North" if n % 2 else "South", f"BUYER {n}") for n in range(200)],
        )
        database.commit()
    return path


async def answered(bench: Bench) -> Answer:
    end = await bench.end(message(QUESTION))
    assert isinstance(end, TurnFinished)
    return end.answer


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        # Few values: the catalog knows them. Many: one small query finds how it is written.
        ("region = 'north'", "region has 'North', not 'north'"),
        ("region IN ('NORTH', 'east')", "region has 'North', not 'NORTH'"),
        ("buyer = 'Buyer 7'", "buyer has 'BUYER 7', not 'Buyer 7'"),
        ("LOWER(buyer) = 'Buyer 7'", "compare it with 'buyer 7'"),
    ],
)
async def test_the_model_is_told_how_the_rows_write_the_word_and_asks_again(
    shop: Path, asked: str, hint: str
):
    wrong = calling("run_query", sql=COUNTING + asked)
    right = calling("run_query", sql="SELECT COUNT(*) AS n FROM orders WHERE region = 'North'")
    async with opened(shop, INTENT, wrong, right, "There are 100 orders.") as bench:
        answer = await answered(bench)
        told = str(bench.model.requests[2].messages)

    assert hint in told.replace('\\"', '"').replace("\\'", "'")
    assert answer.text == "There are 100 orders."
    assert answer.result
    assert answer.result.table
    assert answer.result.table.rows == ((100,),)
    assert not any("letter case" in each for each in answer.warnings)


async def test_a_model_that_believes_the_zero_is_not_believed_in_silence(shop: Path):
    wrong = calling("run_query", sql="SELECT COUNT(*) AS n FROM orders WHERE region = 'north'")
    async with opened(shop, INTENT, wrong, "There are 0 orders.") as bench:
        answer = await answered(bench)

    assert any("'North', not 'north'" in each for each in answer.warnings)


async def test_a_word_that_is_nowhere_is_no_matter_of_letter_case(shop: Path):
    nothing = calling("run_query", sql="SELECT COUNT(*) AS n FROM orders WHERE buyer = 'Nobody'")
    async with opened(shop, INTENT, nothing, "There are 0 orders.") as bench:
        answer = await answered(bench)

    assert not any("letter case" in each for each in answer.warnings)
