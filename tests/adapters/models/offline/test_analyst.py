from __future__ import annotations

import sqlite3
import subprocess
import sys

import orjson
import pytest

from adapters.models.offline.analyst import OfflineAnalyst
from core.domain.chat import ChatReply, ChatRequest, TextDelta, UserMessage
from tests.kit.offline_talk import Talk, request, system

SCRIPT = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), ordered_on DATE,
    amount REAL
);
INSERT INTO customers VALUES (1, 'Amber', 'Spain'), (2, 'Birch', 'France'), (3, 'Cedar', 'Spain');
INSERT INTO orders VALUES
    (1, 1, '2025-01-10', 10), (2, 1, '2025-02-11', 20), (3, 2, '2024-03-12', 40);
"""


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    return Talk(connection)


async def test_answers_a_count_with_the_figure_from_the_result(talk: Talk):
    told = await talk.ask("How many customers are there?")

    assert told.rows == [(3,)]
    assert "3" in told.text


async def test_streams_the_text_and_then_the_whole_reply():
    pieces = [
        piece
        async for piece in OfflineAnalyst().stream(request([system(), UserMessage("Hello!")], []))
    ]

    *deltas, reply = pieces
    assert isinstance(reply, ChatReply)
    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == reply.text
    assert "offline analyst" in reply.text
    assert reply.model == "offline/analyst"


async def test_says_what_kind_of_work_a_question_asks_for():
    reply = await OfflineAnalyst().complete(
        ChatRequest(messages=(UserMessage("monthly revenue by region"),), json_only=True)
    )

    intent = orjson.loads(reply.text)
    assert intent["primary_intent"] == "time"
    assert intent["confidence"] >= 0.85
    assert intent["ambiguities"] == []


def test_importing_it_is_light_and_loads_what_it_thinks_with_when_it_is_warmed():
    code = (
        "import asyncio, sys;"
        "from adapters.models.offline.analyst import OfflineAnalyst;"
        "heavy = ('litellm', 'pandas', 'numpy', 'aiohttp', 'duckdb');"
        "mind = 'adapters.models.offline.deciding';"
        "made = OfflineAnalyst();"
        "print([name for name in (*heavy, mind) if name in sys.modules]);"
        "asyncio.run(made.warm());"
        "print([name for name in (*heavy, mind) if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.splitlines() == ["[]", "['adapters.models.offline.deciding']"]
