from core.domain.answer import Answer, Shown, ShownColumn, ShownTable
from core.domain.chat import UserMessage
from core.domain.conversation import Exchange
from core.domain.ids import ArtifactId
from core.domain.table import ColumnKind
from tests.core.agent.stage import ANN, Stage, calls, failed, kinds, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


async def test_an_invented_figure_sends_the_text_back_once(stage: Stage):
    stage.script(calls(query(COUNT)), "There are 4,711 orders.", "There are 120 orders.")

    answer = await stage.answer()

    told = stage.requests[-1].messages[-1]
    assert isinstance(told, UserMessage)
    assert "4,711" in told.text
    assert answer.text == "There are 120 orders."
    assert answer.warnings == ()
    assert kinds(stage.events).count("text_withdrawn") == 1


async def test_what_stays_invented_is_taken_out_and_said_to_be(stage: Stage):
    stage.script(
        calls(query(COUNT)),
        "There are 120 orders. That is 4,711 more than last year.",
        "There are 120 orders. That is 4,712 more than last year.",
    )

    answer = await stage.answer()

    assert answer.text == "There are 120 orders."
    assert "left out" in answer.warnings[0]


async def test_a_text_of_nothing_but_inventions_is_replaced_by_the_results(stage: Stage):
    stage.script(calls(query(COUNT)), "4,711 orders.", "4,711 orders.")

    answer = await stage.answer()

    assert answer.text == "- orders: 120"


async def test_inventions_without_any_result_are_no_answer(stage: Stage):
    stage.script("You have 4,711 orders.", "You have 4,711 orders.")

    assert "could not be traced" in failed(await stage.ask()).reason


async def test_figures_that_the_thread_has_given_need_no_query(stage: Stage):
    stage.memory = "The target for 2026 is 9,000 orders."
    stage.script("The target is 9,000 orders, as you said; 4,500 is half of it.")

    answer = await stage.answer("Is 4500 half of the target?")

    assert answer.warnings == ()


async def test_rows_that_the_thread_has_shown_need_no_query(stage: Stage):
    table = ShownTable(
        columns=(ShownColumn(name="revenue", kind=ColumnKind.MEASURE),),
        rows=((5_560,), (None,)),
        row_count=2,
    )
    shown = Shown(id=ArtifactId("x"), title="Revenue", table=table)
    answer = Answer(text="Spain leads.", shown=(shown, Shown(id=ArtifactId("y"), title="File")))
    stage.exchanges = (Exchange(question="by country", asked_by=ANN, answer=answer),)
    stage.script("It was 5,560, as shown.")

    assert (await stage.answer("And how much was it?")).warnings == ()
