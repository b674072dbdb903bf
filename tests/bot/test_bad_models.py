"""Whatever a model does, over real HTTP: the turn ends within its budget, once, and is true."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product as product_of
from pathlib import Path

import pytest

from adapters.inmemory.surface import InMemorySurface
from bot.asking import Addressed, Asked, ask, status_of
from bot.bootstrap import App, open_app
from bot.settings import Settings
from core.domain.ids import ThreadId
from tests.kit.bad_models import (
    ENDLESS,
    GOOD_IN_THE_END,
    SUM,
    TRUE,
    Model,
    calling,
    in_pieces,
    query,
    said,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Reply
from tests.kit.turn_stage import small_shop

MOST_REQUESTS = 24
# Never a reader's business: how the machinery or the database calls what went wrong.
RAW = re.compile(r"Traceback|sqlite|no such|Error\b|Exception|tool_call|</?think|null\b")


@dataclass(frozen=True, slots=True)
class Product:
    app: App
    server: OpenAIServer

    async def ask(self, model: Model, question: str = "How are the orders?") -> Asked:
        self.server.respond = model.playing()
        self.server.requests.clear()
        surface = InMemorySurface()
        asked = await ask(
            self.app,
            question,
            surface=surface,
            decide=lambda _: None,
            to=Addressed(thread=ThreadId("one")),
        )
        assert len(self.server.requests) <= MOST_REQUESTS
        [message] = surface.messages
        ends = [view for view in message.history if view.done]
        assert [status_of(view) for view in ends[-1:]] == [status_of(asked.view)]
        assert not RAW.search(text_of(asked))
        return asked


def text_of(asked: Asked) -> str:
    view = asked.view
    steps = " ".join(step.summary for step in view.steps)
    warnings = " ".join(view.answer.warnings) if view.answer else ""
    return f"{view.answer.text if view.answer else view.failure} {warnings} {steps}"


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[Product]:
    small_shop(folder / "shop.sqlite")
    async with OpenAIServer() as server:
        settings = Settings.model_validate(
            {
                "state_dir": folder / "state",
                "model": {
                    "provider": "openai_protocol",
                    "base_url": server.url,
                    "model": "m",
                },
                "connections": {"shop": {"url": str(folder / "shop.sqlite")}},
                "limits": {"questions_per_minute": 1e6, "burst": 1000},
            }
        )
        async with open_app(settings) as app:
            yield Product(app, server)


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[Product]:
    async with opened(tmp_path) as found:
        yield found


@pytest.mark.parametrize("kind", ENDLESS)
async def test_a_model_that_goes_on_for_ever_is_ended(product: Product, kind: str):
    asked = await product.ask(ENDLESS[kind])

    view = asked.view
    assert (view.answer is None) != (view.failure == "")
    assert text_of(asked).strip()
    assert "4,711" not in text_of(asked)
    assert "47.3" not in text_of(asked)

    again = await product.ask(Model((calling(query(SUM)), said(TRUE))), "And their worth?")

    assert again.view.answer is not None
    assert again.view.answer.text == TRUE


@pytest.mark.parametrize(
    "kind", ["invented figures after a result", "the same call", "an end and a call at once"]
)
async def test_what_was_found_is_told_where_the_model_does_not(product: Product, kind: str):
    asked = await product.ask(ENDLESS[kind])

    assert asked.view.answer is not None
    assert "2" in asked.view.answer.text


@pytest.mark.parametrize("kind", GOOD_IN_THE_END)
async def test_what_goes_wrong_on_the_way_is_not_seen(product: Product, kind: str):
    asked = await product.ask(GOOD_IN_THE_END[kind])

    assert asked.view.answer is not None
    assert asked.view.answer.text == TRUE
    assert "99" not in text_of(asked)
    assert asked.view.text in {"", TRUE}


async def test_thoughts_are_not_sent_back_to_the_model(product: Product):
    await product.ask(GOOD_IN_THE_END["a thought before"])
    await product.ask(Model((said("There were 2."),)), "And before?")

    assert all(b"think>" not in request.raw for request in product.server.requests)


async def test_a_megabyte_of_text_is_cut_and_said_to_be(product: Product):
    words = " ".join(map("".join, product_of("abcdefghij", repeat=5)))
    asked = await product.ask(Model((Reply(text=in_pieces(words * 2, 10_000)),)))

    assert asked.view.answer is not None
    assert len(asked.view.answer.text) <= 20_000
    assert any("cut off" in each for each in asked.view.answer.warnings)


async def test_a_megabyte_of_arguments_is_given_back(product: Product):
    huge = calling(query("SELECT '" + "x" * 1_000_000 + "' AS x FROM orders"))

    asked = await product.ask(Model((huge, calling(query(SUM)), said(TRUE))))

    assert asked.view.answer is not None
    assert asked.view.answer.text == TRUE
