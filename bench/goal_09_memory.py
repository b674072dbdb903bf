"""P9: what conversations and a first turn weigh, in a process of its own."""

from __future__ import annotations

import asyncio
import sys

import orjson

from bench.frame import Line

GOALS = ("P9",)

# Prints the MiB of the process after its first turn, and what 100 more turns keep and hold.
_WEIGH = """
import asyncio, gc, json, sys
import psutil
from bench.raw_loops import QUESTION
from bench.server import model_server
from bench.stage import stage

def mib():
    gc.collect()
    return psutil.Process().memory_info().rss / 2**20

async def weigh():
    async with model_server() as url, stage(url) as product:
        await product.turn(QUESTION)
        first = mib()
        for _ in range(100):
            await product.turn(QUESTION)
        before = mib()
        for _ in range(300):
            await product.turn(QUESTION)
        kept = (mib() - before) / 3
        async with model_server(first_byte=1.0) as slow, stage(slow) as waiting:
            await waiting.turn(QUESTION)
            quiet = mib()
            async with asyncio.TaskGroup() as tasks:
                for _ in range(200):
                    tasks.create_task(waiting.turn(QUESTION))
                await asyncio.sleep(1.5)
                held = (mib() - quiet) / 2
        heavy = [name for name in ("pandas", "matplotlib", "litellm") if name in sys.modules]
        print(json.dumps({"first": first, "kept": kept, "held": held, "heavy": heavy}))

asyncio.run(weigh())
"""


async def measure() -> list[Line]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WEIGH, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    weights = orjson.loads(out)
    return [
        Line(
            goal="P9",
            what="process after the first turn",
            value=weights["first"],
            bound=120,
            unit="MiB",
            note=f"heavy imports: {weights['heavy']}",
        ),
        Line(
            goal="P9",
            what="kept for 100 conversations that rest",
            value=weights["kept"],
            bound=0.3,
            unit="MiB",
        ),
        Line(
            goal="P9",
            what="held by 100 turns in flight",
            value=weights["held"],
            bound=5,
            unit="MiB",
        ),
    ]
