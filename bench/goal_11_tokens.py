"""P11: what is sent to the model, and whether the beginning of a prompt stays.

Sizes are bytes of the request as it is sent; a token is about four of them, on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import orjson

import core.tools
from adapters.inmemory.chat_model import ScriptedModel, Step
from adapters.models.openai_request import body
from adapters.models.settings import OpenAIProtocolSettings
from bench.frame import Line
from bench.server import model_server
from bench.stage import Stage, stage
from core.agent.offer import ToolSchemas
from core.agent.tool_format import result_text
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.chat import ChatReply, ChatRequest, ToolCall, UserMessage
from core.domain.conversation import Exchange, Thread
from core.domain.events import TurnFinished
from core.domain.ids import ThreadId, ToolCallId, fresh_id
from core.domain.table import Column, ColumnKind, Table, json_cell
from core.toolkit.catalogue import discover
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult

GOALS = ("P11",)
QUESTIONS = ("How many orders are there by day?", "And only those above 100?")
INTENT = orjson.dumps({"primary_intent": "analyze", "confidence": 1.0}).decode()
SETTINGS = OpenAIProtocolSettings(model="m", base_url="http://127.0.0.1:1/v1")


async def measure() -> list[Line]:
    """Play two turns of one thread, over 100 tables and over 10,000."""
    async with model_server() as url, stage(url) as product:
        few, stays = await _sizes(product, tables=100)
        many, _ = await _sizes(product, tables=10_000)
        offered, all_of_them = await _tools(product)
    return [
        _share("tools of a first request beside all schemas", offered, all_of_them, bound=0.2),
        _share("a turn at 10,000 tables beside 100", many, few, bound=1.05),
        _share("a result beside its list of dicts", *_result(), bound=0.5),
        Line(
            goal="P11",
            what="requests that begin with the one before",
            value=stays,
            bound=1.0,
            unit="x",
            at_least=True,
            note="within a turn and from a turn to the next",
        ),
    ]


async def _sizes(product: Stage, *, tables: int) -> tuple[int, float]:
    """Return the bytes of a turn's requests, and the share of requests that go on from the last."""
    catalog = replace(product.catalog, tables=(*product.catalog.tables, *_filler(tables - 1)))
    model = ScriptedModel()
    stand_in = replace(product, catalog=catalog, model=model)
    thread = Thread(id=ThreadId(fresh_id()))
    for question in QUESTIONS:
        model.add(*_script())
        events = [each async for each in product.agent.run(stand_in.context(question, thread))]
        end = events[-1]
        assert isinstance(end, TurnFinished), end
        asked = Exchange(
            question=question, asked_by=stand_in.context("").turn.actor, answer=end.answer
        )
        thread = replace(thread, exchanges=(*thread.exchanges, asked))
    turns = [request for request in model.requests if not request.json_only]
    goes_on = [_goes_on(before, after) for before, after in pairwise(turns)]
    first_turn = model.requests[: len(model.requests) // len(QUESTIONS)]
    return sum(map(_size, first_turn)), sum(goes_on) / len(goes_on)


def _script() -> Sequence[Step]:
    return (
        INTENT,
        _calling("get_schema", tables=["orders"]),
        _calling("run_query", sql="SELECT day, COUNT(*) AS orders FROM orders GROUP BY day"),
        "Each month has about 42 orders.",
    )


def _calling(tool: str, **arguments: object) -> ChatReply:
    call = ToolCall(ToolCallId(fresh_id()), tool, orjson.dumps(arguments).decode())
    return ChatReply(text="", tool_calls=(call,))


def _goes_on(before: ChatRequest, after: ChatRequest) -> bool:
    """Say whether a provider's cache knows the beginning.

    Within a turn that is all that was said before; in the next turn it is what does not belong to
    the turn before: tools, system and earlier turns, for a turn's own steps are not kept.
    """
    told = len(before.messages)
    if len(after.messages) < told:
        told = 1 + sum(isinstance(each, UserMessage) for each in after.messages[:-1])
    return after.tools == before.tools and after.messages[:told] == before.messages[:told]


def _size(request: ChatRequest) -> int:
    return len(body(request, SETTINGS, refused=frozenset(), streamed=True))


async def _tools(product: Stage) -> tuple[int, int]:
    """Return the bytes of what a first request says of tools, and of all declarations.

    What the instructions say of the tools that are not declared counts, too.
    """
    model = ScriptedModel(_script())
    stand_in = replace(product, model=model)
    async for _ in product.agent.run(stand_in.context(QUESTIONS[0])):
        pass
    first = next(request for request in model.requests if request.tools)
    without = replace(first, tools=())
    schemas = ToolSchemas.of(discover(core.tools))
    every = replace(first, tools=tuple(schemas.by_name.values()))
    told = len(schemas.listed([Family.ANALYZE]))
    return _size(first) - _size(without) + told, _size(every) - _size(without)


def _filler(count: int) -> tuple[CatalogTable, ...]:
    """Return tables of other subjects, with names like those of a warehouse that has grown."""
    columns = tuple(
        CatalogColumn(name=name, type="TEXT", kind=ColumnKind.DIMENSION)
        for name in ("id", "created_at", "owner_key", "state_code", "net_value", "comment_text")
    )
    return tuple(
        CatalogTable(name=f"dwh_fact_{number % 40}_snapshot_{number:05}", columns=columns)
        for number in range(count)
    )


def _result() -> tuple[int, int]:
    """Return the bytes of 50 rows of 6 columns as the model reads them, and as dicts."""
    names = ("customer_id", "customer_name", "region_name", "order_month", "revenue", "orders")
    rows = tuple(
        (n, f"Customer {n}", f"Region {n % 5}", f"2025-{n % 12 + 1:02}-01", n * 123.45, n)
        for n in range(50)
    )
    table = Table(columns=tuple(Column(name, ColumnKind.DIMENSION) for name in names), rows=rows)
    dicts = [dict(zip(names, map(json_cell, row), strict=True)) for row in rows]
    written = result_text(ToolResult(finding="50 rows.", table=table), most_chars=100_000)
    return len(written), len(orjson.dumps(dicts))


def _share(what: str, product: int, reference: int, *, bound: float) -> Line:
    return Line(
        goal="P11",
        what=what,
        value=product / reference,
        bound=bound,
        unit="x",
        reference=reference,
        product=product,
        note=f"{product:,} bytes of {reference:,}",
    )
