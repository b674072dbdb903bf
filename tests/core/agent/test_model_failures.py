import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import product

import pytest

from adapters.inmemory.chat_model import BrokenOff, Held, ScriptedModel, Step
from core.agent.config import AgentConfig
from core.domain.answer import Usage
from core.domain.budget import Budget
from core.domain.chat import ChatPiece, ChatReply, ChatRequest, TextDelta
from core.domain.errors import ModelBusy, ModelRefused, ModelUnreachable
from core.domain.events import Event, Progress, TextWithdrawn, TextWritten
from tests.core.agent.stage import SURE, Stage, calls, failed, finished, kinds, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


def progress(events: list[Event]) -> list[str]:
    return [each.text for each in events if isinstance(each, Progress)]


async def test_a_busy_model_is_asked_again_and_the_reader_sees_why(stage: Stage):
    stage.script(ModelBusy("busy"), ModelBusy("busy"), "Hello there.")

    events = await stage.ask("Well?")

    assert finished(events).text == "Hello there."
    told = [text for text in progress(events) if "busy" in text]
    assert len(told) == 2
    assert all(text.startswith("The model is busy, trying again in ") for text in told)


async def test_waits_grow_and_differ_from_run_to_run(stage: Stage):
    stage.script(*[ModelBusy("busy")] * 4, "Hello there.")

    await stage.ask("Well?")

    first, second, third, fourth = stage.clock.slept
    assert 0.5 <= first <= 1
    assert 1 <= second <= 2
    assert 2 <= third <= 4
    assert 4 <= fourth <= 8


async def test_waits_as_long_as_the_model_says(stage: Stage):
    stage.script(ModelBusy("busy", retry_after=4.0), "Hello there.")

    events = await stage.ask("Well?")

    assert stage.clock.slept == [4.0]
    assert "The model is busy, trying again in 4 s" in progress(events)


async def test_gives_up_after_a_bounded_number_of_tries(stage: Stage):
    stage.script(*[ModelBusy("The model is overloaded.")] * 10)

    end = failed(await stage.ask("Well?"))

    assert end.reason == "The model is overloaded."
    assert len(stage.requests) == stage.config.model_tries


async def test_does_not_wait_longer_than_there_is_time(stage: Stage):
    stage.script(ModelBusy("The model is overloaded.", retry_after=3_600), "unheard")

    end = failed(await stage.ask("Well?"))

    assert end.reason == "The model is overloaded."
    assert stage.clock.slept == []


async def test_a_refusal_is_not_tried_again(stage: Stage):
    stage.script(ModelRefused("The key of the model is not valid."), "unheard")

    end = failed(await stage.ask("Well?"))

    assert end.reason == "The key of the model is not valid."
    assert len(stage.requests) == 1


async def test_a_stream_that_breaks_is_taken_back_and_asked_for_in_one_piece(stage: Stage):
    stage.script(BrokenOff("There are 999"), "There are none.")

    events = await stage.ask("Well?")

    written = [kind for kind in kinds(events) if kind.startswith("text_")]
    assert written[written.index("text_withdrawn") :] == ["text_withdrawn", "text_written"]
    assert finished(events).text == "There are none."
    assert stage.clock.slept == []


async def test_a_model_that_stays_away_is_waited_for(stage: Stage):
    away = ModelUnreachable("The model does not answer.")
    stage.script(away, away, away, "Hello there.")

    events = await stage.ask("Well?")

    assert finished(events).text == "Hello there."
    assert any("does not answer, trying again" in text for text in progress(events))


async def test_what_was_found_is_told_when_the_model_goes_away(stage: Stage):
    stage.script(calls(query(COUNT)), ModelRefused("The money is used up."))

    answer = finished(await stage.ask())

    assert answer.text == "- orders: 120"
    assert "The money is used up." in answer.warnings[0]


async def test_a_model_that_is_silent_is_left_when_the_time_of_the_run_is_over(stage: Stage):
    never = asyncio.Event()
    stage.budget = Budget(seconds=600)

    def nearly_too_late(_: object) -> ChatReply:
        stage.clock.advance(599.5)
        return calls()

    stage.script(calls(query(COUNT)), nearly_too_late, Held("Too late.", until=never))

    answer = finished(await stage.ask())

    assert answer.text == "- orders: 120"
    assert "its time for this question was over" in answer.warnings[0]


async def test_a_run_without_results_whose_time_is_over_says_so(stage: Stage):
    stage.budget = Budget(seconds=1.0)
    stage.script(Held("Too late.", until=asyncio.Event()))

    assert "its time for this question was over" in failed(await stage.ask()).reason


async def test_an_intent_that_does_not_come_is_replaced_by_the_words(stage: Stage):
    stage.script("Hello there.", intent=ModelBusy("busy"))

    assert finished(await stage.ask("Well?")).text == "Hello there."


async def test_the_last_resort_answers_where_no_model_does_and_says_why(stage: Stage):
    stage.last_resort = ScriptedModel([SURE, calls(query(COUNT)), "There are 120."], name="rules")
    stage.script(ModelRefused("The key of the model is not valid."), intent=ModelBusy("busy"))

    events = await stage.ask("How many orders are there?")

    answer = finished(events)
    assert (answer.text, answer.model) == ("There are 120.", "rules")
    assert answer.warnings[0].startswith("The key of the model is not valid. The offline analyst")
    assert "No model answers, going on by rules" in progress(events)


async def test_the_last_resort_has_time_left_when_a_model_is_silent(stage: Stage):
    stage.budget = Budget(seconds=20.0)
    stage.config = AgentConfig(model_seconds=60.0)
    stage.last_resort = ScriptedModel([SURE, "It goes by rules."], name="rules")
    asked = asyncio.get_running_loop().time()

    def late(_: ChatRequest) -> str:
        stage.clock.advance(16.9)
        return SURE

    stage.script(Held("Too late.", until=asyncio.Event()), intent=late)

    answer = finished(await stage.ask("Well?"))

    assert answer.text == "It goes by rules."
    assert answer.seconds >= 16.9
    assert asyncio.get_running_loop().time() - asked < stage.budget.seconds


async def test_what_was_used_before_the_last_resort_counts(stage: Stage):
    stage.last_resort = ScriptedModel([SURE, "It goes by rules."], name="rules")
    thought = ChatReply(text="", usage=Usage(input_tokens=900, output_tokens=80, usd=0.25))
    stage.script(thought, thought)

    used = finished(await stage.ask("Well?")).usage

    assert (used.input_tokens, used.output_tokens, used.usd) == (1_800, 160, 0.5)


async def test_the_last_resort_may_use_tools_however_late_it_begins(stage: Stage):
    stage.last_resort = ScriptedModel([SURE, calls(query(COUNT)), "There are 120."], name="rules")

    def late(_: ChatRequest) -> ChatReply:
        stage.clock.advance(0.95 * stage.budget.seconds)
        raise ModelRefused("The key of the model is not valid.")

    stage.script(late)

    answer = finished(await stage.ask("How many orders are there?"))

    assert answer.text == "There are 120."
    assert answer.seconds >= 0.95 * stage.budget.seconds


async def test_the_last_resort_is_not_asked_when_there_are_results_to_tell(stage: Stage):
    stage.last_resort = ScriptedModel([], name="rules")
    stage.script(calls(query(COUNT)), ModelRefused("The money is used up."))

    answer = finished(await stage.ask())

    assert answer.text == "- orders: 120"
    assert not stage.last_resort.requests


async def test_the_last_resort_may_fail_too(stage: Stage):
    stage.last_resort = ScriptedModel([SURE, ModelRefused("It cannot.")], name="rules")
    stage.script(ModelRefused("The key of the model is not valid."))

    assert failed(await stage.ask("Well?")).reason == "It cannot."


async def test_a_model_that_says_at_once_to_come_back_is_not_asked_in_a_rush(stage: Stage):
    stage.script(*[ModelBusy("busy", retry_after=0.0)] * 2, "Hello there.")

    events = await stage.ask("Well?")

    assert finished(events).text == "Hello there."
    assert all(seconds >= 0.5 for seconds in stage.clock.slept)
    assert sum("The model is busy, trying again" in each for each in progress(events)) == 2


async def test_a_model_that_says_nothing_is_not_said_to_have_broken_off(stage: Stage):
    stage.script(ModelUnreachable("It sent nothing."), "Hello there.")

    assert "The model did not answer, asking again" in progress(await stage.ask("Well?"))


async def test_a_call_that_is_written_as_text_is_run_and_never_shown(stage: Stage):
    written = json.dumps({"name": "run_query", "arguments": {"sql": COUNT}})
    stage.script(f"<tool_call>{written}</tool_call>", "There are 120.")

    events = await stage.ask("How many orders are there?")

    assert finished(events).text == "There are 120."
    assert kinds(events).count("tool_call_finished") == 1
    assert text_that_stood(events) == "There are 120."


@pytest.mark.parametrize("nonsense", ["word " * 900, "{[<;,'\"]}>" * 30])
async def test_nonsense_is_sent_back_and_never_stands(stage: Stage, nonsense: str):
    stage.script(calls(query(COUNT)), nonsense, "There are 120.")

    events = await stage.ask("How many orders are there?")

    assert finished(events).text == "There are 120."
    assert text_that_stood(events) == "There are 120."


@pytest.mark.parametrize("nonsense", ["word " * 900, "{[<;,'\"]}>" * 30])
async def test_nonsense_for_ever_ends_in_a_plain_sentence(stage: Stage, nonsense: str):
    stage.script(nonsense, nonsense, "unheard")

    end = failed(await stage.ask("How many orders are there?"))

    assert end.reason.startswith("The model wrote no answer. There is no result yet")


@pytest.mark.parametrize("step", ["", "word " * 900, calls(query("SELECT made_up FROM orders"))])
async def test_the_last_resort_answers_where_a_model_never_does(stage: Stage, step: Step):
    stage.last_resort = ScriptedModel([SURE, calls(query(COUNT)), "There are 120."], name="rules")
    stage.script(*[step] * 15)

    answer = finished(await stage.ask("How many orders are there?"))

    assert (answer.text, answer.model) == ("There are 120.", "rules")
    assert answer.warnings[0].startswith("The model wrote no answer. The offline analyst")


def text_that_stood(events: list[Event]) -> str:
    text = ""
    for event in events:
        if isinstance(event, TextWritten):
            text += event.text
        elif isinstance(event, TextWithdrawn):
            text = ""
    return text


@dataclass(slots=True)
class OddModel:
    """Streams what it was given; `asked_whole` counts the replies in one piece."""

    pieces: list[ChatPiece]
    whole: ChatReply = field(default_factory=lambda: ChatReply(text="Whole."))
    hangs: bool = False
    closed: bool = False
    asked_whole: int = 0
    name: str = "odd"

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        try:
            for piece in self.pieces:
                yield piece
            if self.hangs:
                await asyncio.Event().wait()
        finally:
            self.closed = True

    async def complete(self, request: ChatRequest) -> ChatReply:
        if request.json_only:
            return ChatReply(text=SURE)
        self.asked_whole += 1
        return self.whole


async def run_with(stage: Stage, model: OddModel) -> list[Event]:
    stage.model = model  # pyright: ignore[reportAttributeAccessIssue]
    return await stage.ask("Well?")


async def test_a_stream_without_its_reply_counts_as_broken(stage: Stage):
    model = OddModel([TextDelta("Half")])

    assert finished(await run_with(stage, model)).text == "Whole."
    assert model.closed


async def test_a_stream_that_hangs_is_left(stage: Stage):
    stage.config = AgentConfig(model_seconds=0.05)
    model = OddModel([TextDelta("Half")], hangs=True)

    assert finished(await run_with(stage, model)).text == "Whole."
    assert model.closed


@pytest.mark.parametrize("streams", [True, False])
async def test_a_text_without_end_is_cut_off_and_said_to_be(stage: Stage, *, streams: bool):
    endless = " ".join(map("".join, product("abcdefghij", repeat=5)))
    pieces = [TextDelta(endless[at : at + 1_000]) for at in range(0, len(endless), 1_000)]
    model = OddModel([*pieces] if streams else [], whole=ChatReply(text=endless))

    answer = finished(await run_with(stage, model))

    assert len(answer.text) <= stage.config.answer_chars + 1_000
    assert answer.warnings == ("The answer was cut off where it became too long.",)
    assert model.asked_whole == (0 if streams else 1)
