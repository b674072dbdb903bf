"""What a provider has seen it charges less for: each request begins with the one before."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import cast

from core.domain.chat import JsonObject
from tests.bot.test_bad_models import Product, opened
from tests.kit.bad_models import COUNT, SUM, TRUE, Model, calling, query, said
from tests.kit.openai_server import Asked

STEPS = (
    calling(query(SUM)),
    said("There are 99."),
    said(""),
    calling(query(COUNT), ("drop_everything", {})),
    said(TRUE),
)


def messages(request: Asked) -> list[JsonObject]:
    return cast("list[JsonObject]", request.body["messages"])


async def requests_of(product: Product, question: str) -> list[Asked]:
    await product.ask(Model(STEPS), question)
    return [each for each in product.server.requests if "response_format" not in each.body]


async def test_every_request_begins_with_the_one_before_and_every_turn_with_the_last(
    tmp_path: Path,
):
    async with opened(tmp_path) as product:
        turns = [
            await requests_of(product, question)
            for question in ("How are the orders?", "And their worth?", "And by day?")
        ]

    every = [request for turn in turns for request in turn]
    assert [len(turn) for turn in turns] == [len(STEPS)] * 3
    assert len({request.raw.partition(b'"messages"')[0] for request in every}) == 1
    for turn in turns:
        for before, after in pairwise(turn):
            assert messages(after)[: len(messages(before))] == messages(before)
    # A turn that is over is told by its question and answer; the beginning is what came before it.
    for before, after in pairwise(turns):
        opening = messages(before[0])
        assert messages(after[0])[: len(opening)] == opening
