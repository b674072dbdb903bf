import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.kit.demo import place_demo
from tests.kit.patience import PATIENCE
from tests.kit.slack_server import slack_server
from tests.kit.slack_world import APP_TOKEN, BOT_TOKEN

ROOT = Path(__file__).parents[2]


async def test_serve_answers_in_slack_and_ends_what_runs(tmp_path: Path):
    place_demo(tmp_path)
    async with slack_server() as slack:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot.cli.main", "serve", "--port", "0"),
            cwd=ROOT,
            env={
                "PATH": os.defpath,
                "RESONA_STATE_DIR": str(tmp_path),
                "RESONA_SLACK__BOT_TOKEN": BOT_TOKEN,
                "RESONA_SLACK__APP_TOKEN": APP_TOKEN,
                "RESONA_SLACK__BASE_URL": slack.api,
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert process.stdout
        lines = [(await process.stdout.readline()).decode() for _ in range(2)]
        await slack.asks("U1", "how many orders are there?")
        async with asyncio.timeout(PATIENCE):
            while not any("feedback" in each.words for each in slack.world.seen()):
                async with slack.world.changed:
                    await slack.world.changed.wait()
        process.send_signal(signal.SIGTERM)
        written, _ = await process.communicate()

    assert "in Slack, in the workspace Acme" in "".join(lines)
    assert process.returncode == 0
    assert b"Traceback" not in written
    assert BOT_TOKEN.encode() not in written
    assert len(slack.world.seen()) == 1
