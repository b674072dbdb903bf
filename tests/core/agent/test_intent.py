import pytest

from core.agent.intent import Ambiguity, Intent
from core.agent.intent_keywords import by_keywords
from core.agent.on_demand import USE_TOOL
from core.agent.readings import read, to_ask
from core.domain.answer import Answer
from core.domain.conversation import Exchange
from core.domain.events import TurnPaused
from core.toolkit.family import Family
from tests.core.agent.stage import ANN, Stage, finished, kinds


@pytest.mark.parametrize(
    ("question", "family"),
    [
        ("how many orders did we have", Family.ANALYZE),
        ("what tables are there", Family.EXPLORE),
        ("monthly trend of revenue", Family.TIME),
        ("forecast sales", Family.PREDICT),
        ("customer retention and cohorts", Family.SEGMENT),
        ("any duplicates or missing values?", Family.QUALITY),
        ("make slides for the board", Family.REPORT),
        ("hello", Family.CONVERSATIONAL),
        ("remember that churn means 90 days", Family.MEMORY),
        ("only Spain", Family.ANALYZE),
        ("👍", Family.CONVERSATIONAL),
    ],
)
def test_goes_by_the_words_where_the_model_says_nothing(question: str, family: Family):
    assert by_keywords(question).primary is family


@pytest.mark.parametrize(
    ("question", "guided"),
    [
        ("footsteps per day by store", False),
        ("steps per day", False),
        ("first orders of each customer", False),
        ("go step by step: revenue, then costs", True),
        ("First revenue, then costs, then finally margin", True),
        ("do it one at a time", True),
    ],
)
def test_hears_a_wish_for_several_steps_in_whole_words_only(question: str, *, guided: bool):
    assert by_keywords(question).one_at_a_time is guided


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I think this is about sales.",
        "[]",
        '{"primary_intent": "gossip"}',
        '{"confidence": "very", "ambiguities": "none", "secondary_intents": 7}',
        '{"primary_intent": "analyze", "ambiguities": [{"question": "?"}, 3, null]',
        '```json\n{"primary_intent": "TIME ", "confidence": 95}\n```',
        "{" * 10_000,
    ],
)
async def test_no_reply_about_the_intent_stops_a_run(stage: Stage, reply: str):
    stage.script("Hello.", intent=reply)

    assert finished(await stage.ask("how many?")).text == "Hello."


async def test_tells_of_the_tools_of_the_intents_and_declares_those_always_on(stage: Stage):
    intent = '{"primary_intent": "explore", "secondary_intents": ["quality"], "confidence": 1}'
    stage.script("Hello.", intent=intent)

    await stage.ask("what is there?")

    names = {each.name for each in stage.requests[0].tools}
    system = stage.requests[0].messages[0].text
    told = {tool.name for tool in stage.catalogue if f"- {tool.name}(" in system}
    always = {tool.name for tool in stage.catalogue if tool.always_on}
    wanted = stage.catalogue.for_families([Family.EXPLORE, Family.QUALITY])
    assert told == {tool.name for tool in wanted} - always
    assert names == always - {"web_search"} | {USE_TOOL}


def ambiguous(*options: str, confidence: float = 0.5, family: Family = Family.ANALYZE) -> Intent:
    return Intent(
        primary=family,
        confidence=confidence,
        ambiguities=(Ambiguity(question="Best by what?", options=options),),
    )


@pytest.mark.parametrize(
    ("intent", "question"),
    [
        (ambiguous("revenue", "units", confidence=0.9), "best products"),
        (ambiguous("revenue", "units", family=Family.CONVERSATIONAL), "best products"),
        (ambiguous("revenue", "units"), "best products by revenue"),
        (ambiguous("orders.amount", "invoices.total"), "best products"),
        (Intent(primary=Family.ANALYZE, confidence=0.1), "best products"),
    ],
)
async def test_does_not_ask_what_is_settled(stage: Stage, intent: Intent, question: str):
    assert to_ask(read(intent, stage.context(question)), sure=0.85) is None


async def test_does_not_ask_what_the_thread_has_answered(stage: Stage):
    stage.exchanges = (
        Exchange(
            question="top customers",
            asked_by=ANN,
            answer=Answer(text="Ada.", assumptions=("Ranked by revenue.",)),
        ),
    )

    reading = read(ambiguous("revenue", "number of orders"), stage.context("top products"))

    assert to_ask(reading, sure=0.85) is None
    assert reading.settled == ("Best by what? revenue",)


async def test_does_not_ask_what_memory_answers(stage: Stage):
    stage.memory = "Best always means by units."

    assert to_ask(read(ambiguous("revenue", "units"), stage.context("best")), sure=0.85) is None


async def test_asks_when_two_readings_are_open(stage: Stage):
    question = to_ask(read(ambiguous("revenue", "units"), stage.context("best")), sure=0.85)

    assert question is not None
    assert question.options == ("revenue", "units")


async def test_an_ambiguity_with_one_option_is_none(stage: Stage):
    intent = """{"primary_intent": "analyze", "confidence": 0.2,
      "ambiguities": [{"question": "Which?", "options": ["revenue", " revenue "]}]}"""
    stage.script("Hello.", intent=intent)

    events = await stage.ask("best")

    assert not isinstance(events[-1], TurnPaused)


async def test_goes_on_with_the_usual_reading_when_it_is_sure_enough(stage: Stage):
    intent = """{"primary_intent": "analyze", "confidence": 0.9,
      "ambiguities": [{"question": "Net or gross?", "options": ["net", "gross"]}]}"""
    stage.script("Hello.", intent=intent)

    events = await stage.ask("best")

    assert kinds(events)[-1] == "turn_finished"
    assert "Net or gross?" in stage.requests[0].messages[0].text
