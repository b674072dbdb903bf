from collections.abc import AsyncGenerator
from dataclasses import replace

import aiohttp
import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.slack import limits
from adapters.slack.calls import SlackCalls
from adapters.slack.entering import web_client
from adapters.slack.pacing import Pacing
from adapters.slack.places import Place
from adapters.slack.surface import Abilities, SlackSurface
from adapters.slack.uploads import Uploads
from core.domain.answer import Answer
from core.domain.errors import DeliveryFailed
from core.domain.ids import RunId, TaskId, ThreadId, ToolCallId, fresh_id
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView, StepView
from core.ports.surface import Surface
from tests.conformance.surface import SurfaceContract
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_things import Failure
from tests.kit.slack_world import BOT_TOKEN, TEAM

WORKING = MessageView(status="Reading the question")
DONE = MessageView(text="42 orders.", answer=Answer(text="42 orders."), done=True)
THREAD = ThreadId("unused")


@pytest.fixture
async def slack() -> AsyncGenerator[SlackServer]:
    async with slack_server() as server:
        yield server


@pytest.fixture
def clock() -> InMemoryClock:
    return InMemoryClock()


@pytest.fixture
async def surface(slack: SlackServer, clock: InMemoryClock) -> AsyncGenerator[SlackSurface]:
    slack.world.now = clock.monotonic
    async with aiohttp.ClientSession() as session:
        web = web_client(BOT_TOKEN, slack.api, session)
        calls = SlackCalls(web, session, clock, Pacing(clock))
        yield SlackSurface(
            calls=calls,
            uploads=Uploads(calls),
            files=InMemoryFileStore(),
            place=Place(team=TEAM, channel="C1", thread="1700000000.000001"),
            user="U1",
            run=RunId(fresh_id()),
            abilities=Abilities(),
        )


def steps(count: int, *, state: str = "done", summary: str = "found it") -> MessageView:
    return MessageView(
        status=f"Step {count}",
        steps=tuple(
            StepView(call_id=ToolCallId(f"c{n}"), title=f"Step {n}", state=state, summary=summary)
            for n in range(count)
        ),
    )


class TestStreamed(SurfaceContract):
    @pytest.fixture(autouse=True)
    def _slack(self, slack: SlackServer) -> None:
        self.slack = slack

    async def texts_shown(self, surface: Surface) -> list[str]:
        shown = self.slack.world.seen()
        # The cards of a stream stay above its answer; their state says that they are over.
        return [str(m.blocks or m.chunks or m.text) for m in shown]

    async def break_down(self, surface: Surface) -> None:
        self.slack.world.revoked = True


class TestRewritten(TestStreamed):
    @pytest.fixture(autouse=True)
    def _no_streams(self, slack: SlackServer) -> None:
        slack.world.streams = False


async def test_forty_steps_roll_over_before_the_message_is_full(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    message = await surface.post(THREAD, WORKING)
    for count in range(1, 41):
        clock.advance(2)
        await message.show(steps(count, summary="x" * 500))
    await message.show(DONE)

    shown = slack.world.seen()
    assert len(shown) >= 2
    assert not any(each.streaming for each in shown)
    assert ["42 orders." in each.words for each in shown] == [False] * (len(shown) - 1) + [True]
    assert not slack.world.refusals


async def test_sixty_short_steps_are_cards_of_several_messages(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    message = await surface.post(THREAD, WORKING)
    for count in range(1, 61):
        clock.advance(2)
        await message.show(steps(count, summary="x"))
    await message.show(DONE)

    cards = [{c["id"] for c in each.chunks if "id" in c} for each in slack.world.seen()]
    assert len(cards) == 2
    assert max(map(len, cards)) <= limits.CARDS
    assert not slack.world.count("chat.update")


def plan(*states: TaskState) -> MessageView:
    return MessageView(
        status="Working",
        plan=tuple(
            TaskLine(id=TaskId(f"t{n}"), title=f"Part {n}", state=state, finding="went well")
            if state in {TaskState.DONE, TaskState.MISSING}
            else TaskLine(id=TaskId(f"t{n}"), title=f"Part {n}", state=state)
            for n, state in enumerate(states)
        ),
        steps=steps(3).steps,
    )


async def test_the_tasks_of_a_plan_are_cards_that_change_in_place(
    slack: SlackServer, surface: SlackSurface
):
    waiting, running, done = TaskState.WAITING, TaskState.RUNNING, TaskState.DONE
    message = await surface.post(THREAD, WORKING)
    await message.show(plan(running, waiting))
    await message.show(plan(done, running))
    await message.show(plan(done, done))
    await message.show(DONE)

    [shown] = slack.world.seen()
    cards = [each for each in shown.chunks if each["type"] == "task_update"]
    first = [each for each in cards if each["id"] == "task:t0"]
    second = [each["status"] for each in cards if each["id"] == "task:t1"]
    assert [(each["status"], each.get("output")) for each in first] == [
        ("in_progress", None),
        ("complete", "went well"),
    ]
    assert second == ["pending", "in_progress", "complete"]
    assert not any(each["id"].startswith("c") for each in cards)
    assert not slack.world.refusals


async def test_a_task_that_never_came_to_an_end_is_no_open_card(
    slack: SlackServer, surface: SlackSurface
):
    message = await surface.post(THREAD, WORKING)
    unfinished = plan(TaskState.RUNNING, TaskState.WAITING)
    await message.show(unfinished)
    await message.show(replace(unfinished, failure="I stopped, as you asked.", done=True))

    [shown] = slack.world.seen()
    last = {each["id"]: each["status"] for each in shown.chunks if each["type"] == "task_update"}
    assert set(last.values()) <= {"complete", "error"}


async def test_without_streams_the_plan_is_lines_of_the_rewritten_message(
    slack: SlackServer, surface: SlackSurface
):
    slack.world.streams = False
    message = await surface.post(THREAD, WORKING)
    await message.show(plan(TaskState.DONE, TaskState.RUNNING, TaskState.WAITING))

    [shown] = slack.world.seen()
    [lines] = [each for each in shown.blocks if each["type"] == "context"]
    text = lines["elements"][0]["text"]
    assert text.splitlines() == [
        ":white_check_mark: Part 0: went well",
        ":hourglass_flowing_sand: Part 1",
        ":white_circle: Part 2",
    ]


@pytest.mark.parametrize("streams", [True, False])
async def test_a_slow_step_says_in_slack_that_it_still_runs(
    slack: SlackServer, surface: SlackSurface, *, streams: bool
):
    slack.world.streams = streams
    message = await surface.post(THREAD, WORKING)
    slow = MessageView(status="Adding up the orders", waited=75)
    await message.show(slow)

    [shown] = slack.world.seen()
    assert "Adding up the orders (1 min 15 s so far)" in shown.words


async def test_a_stream_that_slack_closed_is_rewritten_with_the_answer(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    message = await surface.post(THREAD, WORKING)
    clock.advance(301)
    await message.show(DONE)

    answers = [each for each in slack.world.seen() if "42 orders." in each.words]
    assert len(answers) == 1
    assert not any(each.streaming for each in slack.world.seen())


async def test_a_long_silence_rolls_over_before_slack_closes_the_stream(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    message = await surface.post(THREAD, WORKING)
    clock.advance(280)
    await message.show(steps(1))

    assert [each.streaming for each in slack.world.seen()] == [False, True]


async def test_an_answer_that_comes_late_is_a_new_message(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    slack.world.streams = False
    message = await surface.post(THREAD, WORKING)
    clock.advance(200)
    await message.show(DONE)

    progress, answer = slack.world.seen()
    assert "42 orders." in answer.words
    assert "the answer is below" in progress.words


async def test_blocks_that_slack_refuses_come_as_plain_text_with_an_error_id(
    slack: SlackServer, surface: SlackSurface
):
    slack.world.streams = False
    message = await surface.post(THREAD, WORKING)
    slack.world.fail("chat.update", Failure("invalid_blocks"), Failure("msg_blocks_too_long"))
    await message.show(DONE)

    [shown] = slack.world.seen()
    assert "42 orders." in shown.text
    assert "(error " in shown.text
    assert not shown.blocks


async def test_a_stream_that_refuses_blocks_gets_plainer_ones(
    slack: SlackServer, surface: SlackSurface
):
    message = await surface.post(THREAD, WORKING)
    slack.world.fail("chat.stopStream", Failure("invalid_blocks"))
    await message.show(DONE)

    [shown] = slack.world.seen()
    assert "42 orders." in shown.words
    assert not shown.streaming


async def test_a_429_on_the_answer_is_waited_out(
    slack: SlackServer, surface: SlackSurface, clock: InMemoryClock
):
    message = await surface.post(THREAD, WORKING)
    busy = Failure("ratelimited", retry_after=7)
    slack.world.fail("chat.stopStream", busy, busy)
    await message.show(DONE)

    [shown] = slack.world.seen()
    assert "42 orders." in shown.words
    assert clock.slept == [7.0, 7.0]


async def test_an_answer_outlasts_a_slack_that_is_busy_for_minutes(
    slack: SlackServer, surface: SlackSurface
):
    slack.world.streams = False
    message = await surface.post(THREAD, WORKING)
    slack.world.fail("chat.update", *[Failure("ratelimited", retry_after=30)] * 6)
    await message.show(DONE)

    [shown] = slack.world.seen()
    assert "42 orders." in shown.words


async def test_a_429_on_progress_costs_nothing(slack: SlackServer, surface: SlackSurface):
    slack.world.streams = False
    message = await surface.post(THREAD, WORKING)
    slack.world.fail("chat.update", Failure("ratelimited", retry_after=30))
    await message.show(steps(1))
    surface.ending.set()
    await message.show(steps(2))
    await message.show(DONE)

    [shown] = slack.world.seen()
    assert "42 orders." in shown.words
    assert len(shown.versions) == 2


async def test_an_answer_whose_acknowledgement_was_lost_is_shown_once(
    slack: SlackServer, surface: SlackSurface
):
    message = await surface.post(THREAD, WORKING)
    slack.world.fail("chat.stopStream", Failure(drops=True, after=True))
    await message.show(DONE)

    answers = [each for each in slack.world.seen() if "42 orders." in each.words]
    assert len(answers) == 1


async def test_two_hundred_fragments_are_few_calls(slack: SlackServer, surface: SlackSurface):
    message = await surface.post(THREAD, WORKING)
    for n in range(200):
        await message.show(MessageView(text="word " * n))
    await message.show(DONE)

    assert len(slack.world.calls) < 8


async def test_a_channel_that_was_left_is_said_with_slacks_word(
    slack: SlackServer, surface: SlackSurface
):
    slack.world.members.clear()

    with pytest.raises(DeliveryFailed, match="not_in_channel"):
        await surface.post(THREAD, WORKING)
