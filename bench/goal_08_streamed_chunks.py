"""P8: what one more chunk of streamed text costs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import aiohttp

from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import OpenAIProtocolSettings
from bench.frame import Line, interleaved
from bench.raw_loops import QUESTION, ask_aiohttp_streaming
from bench.server import model_server
from core.domain.chat import ChatRequest, UserMessage

GOALS = ("P8",)
SHORT, LONG = 20, 2_020


async def measure() -> list[Line]:
    """Take the difference between a long and a short text, for ours and for bare aiohttp."""
    costs: dict[int, tuple[float, float]] = {}
    for words in (SHORT, LONG):
        script = [{"text": "word " * words}]
        async with model_server(script=script) as url, aiohttp.ClientSession() as session:
            model = OpenAIProtocolModel(OpenAIProtocolSettings(model="m", base_url=url))
            bare = ask_aiohttp_streaming(session, url)
            raw, ours = await interleaved(
                (lambda bare=bare: _ask(bare), lambda model=model: _drain(model)), rounds=15
            )
            await model.close()
            costs[words] = raw.cpu, ours.cpu
    raw_ms, ours_ms = (
        (long - short) * 1_000 / (LONG - SHORT)
        for short, long in zip(costs[SHORT], costs[LONG], strict=True)
    )
    return [
        Line(
            goal="P8",
            what="CPU of a streamed chunk",
            value=ours_ms,
            bound=0.02,
            unit="ms",
            reference=raw_ms,
            product=ours_ms,
            note=f"{ours_ms / raw_ms:.2f}x bare aiohttp",
        )
    ]


async def _ask(bare: Callable[[list[dict[str, str]]], Awaitable[object]]) -> None:
    await bare([{"role": "user", "content": QUESTION}])


async def _drain(model: OpenAIProtocolModel) -> None:
    request = ChatRequest(messages=(UserMessage(QUESTION),))
    async for _ in model.stream(request):
        pass
