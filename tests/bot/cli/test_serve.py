import asyncio
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.cli.main import main

ROOT = Path(__file__).parents[3]


@pytest.mark.usefixtures("demo")
async def test_serves_the_page_until_it_is_told_to_stop():
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.cli.main",
        "serve",
        "--port",
        "0",
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    address = line.split()[3]

    async with aiohttp.ClientSession() as session:
        health = await session.get(f"{address}/healthz")
        state = await session.get(f"{address}/api/state")
        assert await health.json() == {"status": "ok"}
        assert (await state.json())["default_connection"] == "demo"
    process.send_signal(signal.SIGTERM)
    _, complaints = await process.communicate()

    assert process.returncode == 0
    assert b"Traceback" not in complaints


def test_a_port_that_is_taken_is_named_with_another_one(capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert main(["serve", "--port", str(port)]) == 2

    assert f"--port {port + 1}" in capsys.readouterr().err


def test_an_open_door_without_a_token_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_PAGE__HOST", "192.0.2.1")

    assert main(["serve"]) == 2
    assert "page.token" in capsys.readouterr().err
