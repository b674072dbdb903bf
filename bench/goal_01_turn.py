"""P1: a whole streaming turn beside the raw loop that does not stream."""

from __future__ import annotations

import aiohttp
import httpx

from bench.frame import Line, interleaved
from bench.raw_loops import QUESTION, ask_aiohttp_streaming, ask_httpx, turn
from bench.server import model_server
from bench.stage import stage

GOALS = ("P1",)


async def measure() -> list[Line]:
    """Take turns by the product, raw httpx and raw aiohttp, one at a time."""
    async with (
        model_server() as url,
        stage(url) as product,
        httpx.AsyncClient() as client,
        aiohttp.ClientSession() as session,
    ):
        ours, raw, limit = await interleaved(
            (
                lambda: product.turn(QUESTION),
                lambda: turn(ask_httpx(client, url)),
                lambda: turn(ask_aiohttp_streaming(session, url)),
            ),
            rounds=40,
            warm_up=5,
        )
    return [
        Line(
            goal="P1",
            what=f"{name} of a streaming turn beside raw httpx",
            value=mine / theirs,
            bound=1.3,
            unit="x",
            reference=theirs * 1_000,
            product=mine * 1_000,
            note=f"{mine * 1_000:.1f} ms; httpx {theirs * 1_000:.1f}, aiohttp {least * 1_000:.1f}",
        )
        for name, mine, theirs, least in (
            ("CPU", ours.cpu, raw.cpu, limit.cpu),
            ("wall", ours.wall, raw.wall, limit.wall),
        )
    ]
