"""The scripted model server as a process of its own, so that its work does not count as ours."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import orjson


@asynccontextmanager
async def model_server(*, first_byte: float = 0.0, script: object = None) -> AsyncGenerator[str]:
    """Serve a turn (or `script`, see tests/kit/openai_server.py) and give the base URL."""
    with NamedTemporaryFile(suffix=".json") as file:
        arguments = ["--first-byte", str(first_byte)]
        if script is not None:
            Path(file.name).write_bytes(orjson.dumps(script))
            arguments += ["--script", file.name]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.kit.openai_server",
            *arguments,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            yield (await process.stdout.readline()).decode().strip()
        finally:
            process.terminate()
            await process.wait()
