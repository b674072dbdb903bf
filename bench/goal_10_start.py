"""P10: what it takes until the process serves, and until the command line helps."""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys

from bench.frame import Line

GOALS = ("P10",)
ROUNDS = 3

# Prints the seconds of CPU that this process took until it could serve, and which of the heavy
# imports it had made by then.
_READY = """
import asyncio, sys, tempfile, time
from pathlib import Path
from bot.bootstrap import open_app
from bot.http import web_application
from bot.settings import Settings
from aiohttp import web

async def ready():
    with tempfile.TemporaryDirectory() as state:
        async with open_app(Settings(state_dir=Path(state))) as app:
            runner = web.AppRunner(web_application(app))
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            print(time.process_time())
            print([name for name in ("pandas", "matplotlib", "litellm") if name in sys.modules])
            await runner.cleanup()

asyncio.run(ready())
"""


async def measure() -> list[Line]:
    """Start fresh processes; bytecode is there, as it is at every start but the first."""
    for code in ("-c", _READY), ("-m", "bot.cli.main", "--help"):
        await _output(*code)
    ready = [(await _output("-c", _READY)).splitlines() for _ in range(ROUNDS)]
    heavy = {line for _, line in ready}
    empty = [await _seconds("-c", "pass") for _ in range(ROUNDS)]
    helped = [await _seconds("-m", "bot.cli.main", "--help") for _ in range(ROUNDS)]
    return [
        Line(
            goal="P10",
            what="CPU until ready to serve",
            value=statistics.median(float(cpu) for cpu, _ in ready),
            bound=1.0,
            unit="s",
            note=f"heavy imports: {', '.join(sorted(heavy))}",
        ),
        Line(
            goal="P10",
            what="command line help",
            value=statistics.median(helped) * 1_000,
            bound=150,
            unit="ms",
            reference=statistics.median(empty) * 1_000,
            product=statistics.median(helped) * 1_000,
            note=f"an empty Python takes {statistics.median(empty) * 1_000:.0f} ms",
        ),
    ]


async def _output(*arguments: str) -> str:
    # Where the machine forbids to write bytecode, every start would be a first one.
    process = await asyncio.create_subprocess_exec(
        *("env", "-u", "PYTHONDONTWRITEBYTECODE"),
        *(sys.executable, *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"python {arguments[0]} … ended with {process.returncode}")
    return out.decode()


async def _seconds(*arguments: str) -> float:
    """Return the CPU seconds that a whole process took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    await _output(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
