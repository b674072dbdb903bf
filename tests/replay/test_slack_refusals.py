"""Whatever a call of Slack's meets, a run ends in its thread with one answer and nothing open."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.slack.calls import SlackCalls
from adapters.slack.entering import web_client
from adapters.slack.pacing import Pacing
from adapters.slack.places import Place
from adapters.slack.surface import Abilities, SlackSurface
from adapters.slack.uploads import Uploads
from core.delivery.deliver import deliver
from core.domain.answer import Answer, Shown, ShownChart, ShownColumn, ShownTable
from core.domain.errors import DeliveryFailed
from core.domain.events import Event, ToolCallFinished, ToolCallStarted, TurnFinished, TurnStarted
from core.domain.ids import ArtifactId, RunId, ThreadId, ToolCallId, TurnId, fresh_id
from core.domain.table import ColumnKind
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_things import Failure
from tests.kit.slack_world import BOT_TOKEN, TEAM

TURN, HERE = TurnId("t"), ThreadId("here")
FINDING = "The south leads with 2.5."
METHODS = (
    "chat.startStream",
    "agents.sessions.setStatus",
    "chat.appendStream",
    "chat.stopStream",
    "chat.postMessage",
    "chat.update",
    "files.getUploadURLExternal",
    "upload",
    "files.completeUploadExternal",
    "files.info",
    "conversations.replies",
)
FAULTS = {
    "busy": Failure("ratelimited", retry_after=2),
    "busy for long": Failure("ratelimited", retry_after=600),
    "slow": Failure(seconds=0.02),
    "cut off": Failure(drops=True),
    "cut off when done": Failure(drops=True, after=True),
    "broken when done": Failure("internal_error", after=True),
    **{
        error: Failure(error)
        for error in (
            "fatal_error",
            "internal_error",
            "invalid_blocks",
            "invalid_arguments",
            "msg_too_long",
            "msg_blocks_too_long",
            "message_not_in_streaming_state",
            "streaming_state_conflict",
            "stopped_by_user",
            "edit_window_closed",
            "message_not_found",
            "not_in_channel",
            "restricted_action",
            "missing_scope",
            "expired_trigger_id",
            "a_word_that_nobody_knows",
        )
    },
}


@pytest.mark.parametrize("streams", [True, False], ids=["streamed", "rewritten"])
@pytest.mark.parametrize("times", [1, 50], ids=["once", "always"])
@pytest.mark.parametrize("method", METHODS)
async def test_a_run_ends_with_one_answer(method: str, times: int, *, streams: bool):
    wrong = dict[str, str]()
    for name, fault in FAULTS.items():
        async with slack_server() as slack:
            slack.world.streams = streams
            slack.world.fail(method, *[fault] * times)
            found = await run_in(slack)
        if found:
            wrong[name] = found

    assert not wrong


async def run_in(slack: SlackServer) -> str:
    """Show a run, and return what is wrong with what then stands in the thread."""
    clock = InMemoryClock()
    slack.world.now = clock.monotonic
    async with aiohttp.ClientSession() as session:
        web = web_client(BOT_TOKEN, slack.api, session)
        calls = SlackCalls(web, session, clock, Pacing(clock))
        files = InMemoryFileStore()
        surface = SlackSurface(
            calls=calls,
            uploads=Uploads(calls),
            files=files,
            place=Place(team=TEAM, channel="C1", thread="1700000000.000001"),
            user="U1",
            run=RunId(fresh_id()),
            abilities=Abilities(),
        )
        raised = False
        try:
            await deliver(
                run(surface, await answer(files)), thread=HERE, surface=surface, pace=0.001
            )
        except* DeliveryFailed:
            raised = True
    return verdict(slack, raised=raised)


def verdict(slack: SlackServer, *, raised: bool) -> str:
    """Return what is wrong, in a few words; empty where all is as it should be."""
    shown = slack.world.seen()
    answers = sum(FINDING in each.words for each in shown)
    shared = {name: shares(slack, name) for name in ("all.csv", "chart.png")}
    charts = shared["chart.png"] + sum('"image"' in each.words for each in shown)
    is_told = any("did not take a file" in each.words for each in shown)
    whole = bool(charts and shared["all.csv"]) or is_told or not answers
    wrong = {
        f"{answers} answers, raised: {raised}": answers + raised != 1,
        f"files are missing: {shared}, {charts}": not whole,
        f"files are there twice: {shared}, {charts}": charts > 1 or shared["all.csv"] > 1,
        f"refused: {slack.world.refusals}": bool(slack.world.refusals),
    }
    return "; ".join(words for words, holds in wrong.items() if holds)


def shares(slack: SlackServer, name: str) -> int:
    return sum(len(file.shared) for file in slack.world.files.values() if file.name == name)


async def run(surface: SlackSurface, end: Answer) -> AsyncIterator[Event]:
    yield TurnStarted(turn_id=TURN, run_id=RunId("r"), thread_id=HERE, question="who leads?")
    for name in ("c1", "c2"):
        call = ToolCallId(name)
        yield ToolCallStarted(turn_id=TURN, call_id=call, tool="run_query", title="Adding up")
        await asyncio.sleep(0.001)
        yield ToolCallFinished(
            turn_id=TURN, call_id=call, tool="run_query", ok=True, summary="2 rows"
        )
        await asyncio.sleep(0.001)
    surface.ending.set()
    yield TurnFinished(turn_id=TURN, answer=end)


async def answer(files: InMemoryFileStore) -> Answer:
    picture = await files.put("chart.png", "image/png", pieces(b"a picture"))
    csv = await files.put("all.csv", "text/csv", pieces(b"region,total\n"))
    table = ShownTable(
        columns=(
            ShownColumn(name="region", kind=ColumnKind.DIMENSION),
            ShownColumn(name="total", kind=ColumnKind.MEASURE),
        ),
        rows=(("north", 1.0), ("south", 2.5)),
        row_count=2,
    )
    shown = Shown(
        id=ArtifactId("a1"),
        title="Total by region",
        table=table,
        charts=(ShownChart(title="Total by region", alt_text="South leads.", picture=picture),),
        files=(csv,),
    )
    return Answer(text=FINDING, result=shown, shown=(shown,), connection="shop")


async def pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content
