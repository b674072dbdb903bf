"""P5, P6: an event of Slack's until it is acknowledged, and until the first progress stands."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.inmemory.chat_model import Held, Step
from adapters.slack.bolt_app import Listening, quiet_logger
from bench.frame import Line
from tests.kit.slack_server import signed
from tests.kit.slack_stage import INTENT, Stage, calling, slack_stage
from tests.kit.slack_world import BOT_TOKEN, BOT_USER, SIGNING_SECRET, TEAM

GOALS = ("P5", "P6", "P8")
_EVENTS = 300
_ROUNDS = 5
_TURNS = 64
_PROGRESS = 15
_TOTAL = calling("run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region")


@dataclass(frozen=True, slots=True)
class _Acks:
    """CPU of one acknowledgement, and the slowest hundredth of them, in milliseconds."""

    cpu: float
    p99: float


async def measure() -> list[Line]:
    """Send signed events to the product and to a bare framework by turns; then ask questions."""
    ours, bare = await _acknowledging()
    busy = await _acknowledging_while_turns_run()
    first, calls = await _progress()
    stranger = await _progress_for_strangers()
    return [
        Line(
            goal="P5",
            what="CPU of an acknowledged event beside bare slack_bolt",
            value=ours.cpu / bare.cpu,
            bound=1.5,
            unit="x",
            reference=bare.cpu,
            product=ours.cpu,
            note=f"{ours.cpu:.2f} ms; bolt {bare.cpu:.2f} ms",
        ),
        Line(
            goal="P5",
            what="acknowledged when idle, p99",
            value=ours.p99,
            bound=10,
            unit="ms",
            note=f"bolt {bare.p99:.1f} ms",
        ),
        Line(
            goal="P5",
            what=f"acknowledged while {_TURNS} turns run, p99",
            value=busy,
            bound=100,
            unit="ms",
        ),
        Line(
            goal="P6",
            what="event to first progress at Slack, p99",
            value=first,
            bound=25,
            unit="ms",
            note="the model is silent meanwhile",
        ),
        Line(
            goal="P6",
            what="the same for people and threads not seen before, p99",
            value=stranger,
            bound=25,
            unit="ms",
            note="their names and what was said before are looked up meanwhile",
        ),
        Line(
            goal="P8",
            what="calls of Slack's for an answer with a chart and a file",
            value=calls,
            bound=12,
            unit="calls",
            note="progress and the steps of two uploads included",
        ),
    ]


async def _acknowledging() -> tuple[_Acks, _Acks]:
    async with _stage() as stage:
        product = stage.service.bolt
        assert product is not None
        bare = _bare(stage)
        taken: dict[AsyncApp, list[_Acks]] = {product: [], bare: []}
        for _ in range(_ROUNDS):
            for app, found in taken.items():
                found.append(await _acks(app, _EVENTS))
        await stage.settled()
    return _middle(taken[product]), _middle(taken[bare])


def _middle(found: Sequence[_Acks]) -> _Acks:
    return _Acks(
        statistics.median(each.cpu for each in found),
        statistics.median(each.p99 for each in found),
    )


async def _acknowledging_while_turns_run() -> float:
    replies = [INTENT, _TOTAL, "The south leads."] * _TURNS
    async with _stage(*replies) as stage:
        for n in range(_TURNS):
            event = stage.slack.says("U1", f"<@{BOT_USER}> total number {n}?")
            await stage.slack.event({**event, "type": "app_mention"})
        product = stage.service.bolt
        assert product is not None
        return (await _acks(product, _EVENTS)).p99


async def _progress() -> tuple[float, float]:
    """Return how late the first progress is, and how many calls an answer takes."""
    async with _warm_stage() as stage:
        before = len(stage.world.calls)
        taken = [await _first_progress(stage, at) for at in range(_PROGRESS)]
        return max(taken), (len(stage.world.calls) - before) / _PROGRESS


async def _progress_for_strangers() -> float:
    """Return how late the first progress is where Slack has to be asked for everything."""
    async with _warm_stage() as stage:
        taken: list[float] = []
        for at in range(_PROGRESS):
            stage.world.names[f"U9{at}"] = f"Person {at}"
            root = stage.slack.says("U1", "Let us look at this.")
            taken.append(
                await _first_progress(stage, at, user=f"U9{at}", thread_ts=str(root["ts"]))
            )
        return max(taken)


async def _first_progress(stage: Stage, at: int, *, user: str = "U1", thread_ts: str = "") -> float:
    """Ask a question of a model that is silent until progress stands; return the wait in ms."""
    release = asyncio.Event()
    stage.model.add(Held(INTENT, until=release), _TOTAL, f"Found {at}.")
    thread = {"thread_ts": thread_ts} if thread_ts else {}
    event = stage.slack.says(user, f"<@{BOT_USER}> total {at}?", **thread)
    posted = stage.world.count("chat.startStream") + stage.world.count("chat.postMessage")
    started = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.slack.event({**event, "type": "app_mention"}))
        await stage.world.until(
            lambda world: world.count("chat.startStream") + world.count("chat.postMessage") > posted
        )
        waited = (time.perf_counter() - started) * 1_000
    release.set()
    await stage.until_shown(f"Found {at}.")
    await stage.settled()
    return waited


async def _acks(app: AsyncApp, events: int) -> _Acks:
    times: list[float] = []
    cpu = time.process_time()
    for n in range(events):
        body = json.dumps(_event(n))
        headers = {"Content-Type": "application/json", **signed(body)}
        started = time.perf_counter()
        response = await app.async_dispatch(AsyncBoltRequest(body=body, headers=_lists(headers)))
        times.append((time.perf_counter() - started) * 1_000)
        assert response.status == 200
    spent = (time.process_time() - cpu) / events * 1_000
    return _Acks(spent, statistics.quantiles(times, n=100)[98])


def _event(n: int) -> dict[str, object]:
    """Return one of many: talk in a channel that is not for the bot."""
    message = {"type": "message", "channel": "C1", "user": "U1", "text": f"hello {n}"}
    event = {**message, "channel_type": "channel", "ts": f"1700000001.{n:06}"}
    return {
        "type": "event_callback",
        "team_id": TEAM,
        "event_id": f"EvB{n}",
        "event": event,
        "authorizations": [{"team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
    }


def _lists(headers: dict[str, str]) -> dict[str, str | Sequence[str]]:
    return {name: [value] for name, value in headers.items()}


def _bare(stage: Stage) -> AsyncApp:
    """Return the framework as its own introduction sets it up, with one listener."""
    bare = AsyncApp(
        token=BOT_TOKEN, signing_secret=SIGNING_SECRET, logger=quiet_logger(), name="bare"
    )
    bare.client.base_url = stage.slack.api

    async def listener(event: dict[str, object]) -> None:
        assert event

    cast("Listening", bare).event("message")(listener)
    return bare


@asynccontextmanager
async def _warm_stage() -> AsyncGenerator[Stage]:
    """Open a stage where the first question has been answered: everything is open and loaded."""
    async with _stage(INTENT, _TOTAL, "Warm now.") as stage:
        await stage.slack.asks("U1", "warm?")
        await stage.until_shown("Warm now.")
        await stage.settled()
        yield stage


@asynccontextmanager
async def _stage(*script: Step) -> AsyncGenerator[Stage]:
    with tempfile.TemporaryDirectory() as folder:
        async with slack_stage(Path(folder), *script, mode="http", burst=1_000) as stage:
            yield stage
