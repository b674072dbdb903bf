"""Whatever a model does, over real HTTP: the turn ends within its budget, once, and is true."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import orjson
import pytest

from adapters.inmemory.surface import InMemorySurface
from bot.asking import Addressed, Asked, ask, status_of
from bot.bootstrap import App, open_app
from bot.settings import Settings
from core.domain.chat import Json
from core.domain.ids import ThreadId
from tests.kit.openai_server import Answer, OpenAIServer, Responding
from tests.kit.openai_server import Asked as Request
from tests.kit.openai_wire import Call, Failure, Raw, Reply, event
from tests.kit.turn_stage import small_shop

SIMPLE: Json = {"primary_intent": "analyze", "confidence": 1.0, "complexity": "simple"}
COMPLEX: Json = {"primary_intent": "analyze", "confidence": 1.0, "complexity": "complex"}
COUNT = "SELECT count(*) AS orders FROM orders"
TRUE = "There are 2 orders, worth 3.50 together."
SUM = "SELECT count(*) AS orders, sum(amount) AS worth FROM orders"
MOST_REQUESTS = 24
# Never a reader's business: how the machinery or the database calls what went wrong.
RAW = re.compile(r"Traceback|sqlite|no such|Error\b|Exception|tool_call|</?think|null\b")


def said(text: str) -> Reply:
    return Reply(text=tuple(re.findall(r"\s*\S+|\s+$", text)))


def calling(*calls: tuple[str, object], text: str = "") -> Reply:
    return Reply(
        text=(text,) if text else (),
        calls=tuple(
            Call(
                id=f"call_{number}",
                name=name,
                arguments=in_pieces(given if isinstance(given, str) else as_json(given)),
            )
            for number, (name, given) in enumerate(calls)
        ),
    )


def as_json(given: object) -> str:
    return orjson.dumps(given).decode()


def in_pieces(text: str, size: int = 1_000) -> tuple[str, ...]:
    return tuple(text[at : at + size] for at in range(0, len(text), size)) or ("",)


def query(sql: str) -> tuple[str, object]:
    return "run_query", {"sql": sql}


@dataclass(frozen=True, slots=True)
class Model:
    """Says what kind of question it is, then plays `steps`, of which the last comes for ever."""

    steps: tuple[Answer | Responding, ...]
    intent: Json = None
    plan: Json = None

    def playing(self) -> Responding:
        objects, texts = count(), count()

        def respond(request: Request) -> Answer:
            if "response_format" in request.body:
                known = self.intent or SIMPLE if next(objects) == 0 else self.plan
                return said(orjson.dumps(known).decode())
            step = self.steps[min(next(texts), len(self.steps) - 1)]
            return step(request) if callable(step) else step

        return respond


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


def numbered() -> Responding:
    numbers = count(1)
    return lambda _: calling(query(f"{COUNT} LIMIT {next(numbers)}"))


def fifty() -> Reply:
    return calling(*[query(f"{COUNT} LIMIT {n}") for n in range(1, 51)])


CYCLE: Json = {
    "tasks": [
        {"id": "a", "question": "One?", "families": ["analyze"], "needs": ["b"]},
        {"id": "b", "question": "Two?", "families": ["analyze"], "needs": ["a"]},
    ]
}

ENDLESS: dict[str, Model] = {
    "invented figures": Model((said("There are 4,711 orders worth 12.9 million."),)),
    "invented figures after a result": Model((calling(query(COUNT)), said("Growth was 47.3 %."))),
    "the same call": Model((calling(query(COUNT)),)),
    "another call each time": Model((numbered(),)),
    "fifty calls at once": Model((fifty(),)),
    "unknown tools": Model((calling(("drop_everything", {"now": True})),)),
    "half an object": Model((calling(("run_query", '{"sql": "SELECT count(*) FR')),)),
    "no object": Model((calling(("run_query", "SELECT 1")),)),
    "a list": Model((calling(("run_query", [COUNT])),)),
    "other arguments": Model((calling(("run_query", {"statement": COUNT})),)),
    "wrong SQL": Model((calling(query("SELECT revenue_usd FROM orderz")),)),
    "writing SQL": Model((calling(query("DELETE FROM orders")),)),
    "no answer": Model((said(""),)),
    "blanks": Model((said("  \n\n "),)),
    "nothing but thoughts": Model((said("<think>What could it be?</think>"),)),
    "a thought that does not end": Model((said("<think>What could it be, and so on"),)),
    "an end and a call at once": Model(
        (calling(query(COUNT), ("report_unanswerable", {"reason": "No data."})),)
    ),
    "half an intent": Model((said("I do not know."),), intent='{"primary_intent": "ana'),
    "an intent of nonsense": Model((said("I do not know."),), intent=[1, {"a": "b"}]),
    "a stream of nonsense": Model((Raw(pieces=(b"data: \xff\xfe{]\n\n",) * 5),)),
    "an event that is no object": Model((Raw(pieces=(event([1]), event(None))),)),
    "a filter": Model((Reply(text=("I",), finish="content_filter"),)),
    "an error": Model((Failure(400, {"error": {"message": "bad request"}}),)),
}


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


GOOD_IN_THE_END: dict[str, Model] = {
    "a plan that is a circle": Model((calling(query(SUM)), said(TRUE)), intent=COMPLEX, plan=CYCLE),
    "text and calls at once": Model((calling(query(SUM), text="There are 99 orders."), said(TRUE))),
    "an unknown tool first": Model(
        (calling(("ask_database", {})), calling(query(SUM)), said(TRUE))
    ),
    "no JSON first": Model((calling(("run_query", "{sql:")), calling(query(SUM)), said(TRUE))),
    "an empty answer first": Model((calling(query(SUM)), said(""), said(TRUE))),
    "an invented figure first": Model((calling(query(SUM)), said("There are 99."), said(TRUE))),
    "a thought before": Model(
        (
            calling(query(SUM), text="<think>I will count 99 orders.</think>"),
            said(f"<think>So 99 it is, or 2.</think>\n\n{TRUE}"),
        )
    ),
    "a thought cut into letters": Model(
        (
            calling(query(SUM)),
            Reply(text=tuple(f"<think>Is it 99?</think>{TRUE}")),
        )
    ),
    "a thought whose beginning was not sent": Model(
        (calling(query(SUM)), said(f"So 99 it is, or 2.\n</think>\n\n{TRUE}"))
    ),
}


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
    asked = await product.ask(Model((Reply(text=("word " * 2_000,) * 100),)))

    assert asked.view.answer is not None
    assert len(asked.view.answer.text) <= 20_000
    assert any("cut off" in each for each in asked.view.answer.warnings)


async def test_a_megabyte_of_arguments_is_given_back(product: Product):
    huge = calling(query("SELECT '" + "x" * 1_000_000 + "' AS x FROM orders"))

    asked = await product.ask(Model((huge, calling(query(SUM)), said(TRUE))))

    assert asked.view.answer is not None
    assert asked.view.answer.text == TRUE
