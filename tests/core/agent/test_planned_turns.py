from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from adapters.inmemory.chat_model import Step
from core.domain.chat import ChatReply, ChatRequest, ToolMessage, UserMessage
from core.domain.decisions import Approval, Approved, Choice
from core.domain.errors import ModelUnreachable
from core.domain.events import PlanChanged
from core.domain.plan import TaskState
from tests.core.agent.probes import COSTLY_HASH, Probes, read_much
from tests.core.agent.stage import ANN, Stage, asked, call, calls, finished, query

COMPLEX = '{"primary_intent": "analyze", "confidence": 0.95, "complexity": "complex"}'
SPAIN = "SELECT COUNT(*) AS spanish FROM customers WHERE country = 'Spain'"
ORDERS = "SELECT COUNT(*) AS orders FROM orders"
PLAN = json.dumps(
    {
        "tasks": [
            {
                "id": "spain",
                "title": "Customers in Spain",
                "question": "How many customers are in Spain?",
                "families": ["analyze"],
            },
            {
                "id": "orders",
                "title": "Orders",
                "question": "How many orders are there?",
                "families": ["analyze"],
            },
            {
                "id": "both",
                "title": "Orders a customer",
                "question": "How many orders has a customer in Spain?",
                "families": ["compare"],
                "tools": ["compute_trend"],
                "needs": ["spain", "orders"],
            },
        ]
    }
)
Answering = Callable[[ChatRequest], ChatReply | str]


@dataclass(slots=True)
class Script:
    """Answers by what is asked: plans in order, then by the question of a task, then the end."""

    plans: list[str]
    tasks: Mapping[str, Answering]
    end: Answering | str = "Spain has 2 customers, and there are 120 orders."

    def __call__(self, request: ChatRequest) -> ChatReply | str:
        if request.json_only:
            return self.plans.pop(0)
        if request.tool_choice == "none" or _asked(request) not in self.tasks:
            return self.end if isinstance(self.end, str) else self.end(request)
        return self.tasks[_asked(request)](request)

    def steps(self) -> list[Step]:
        return [self] * 30


def _asked(request: ChatRequest) -> str:
    texts = [message.text for message in request.messages if isinstance(message, UserMessage)]
    return next(text for text in reversed(texts) if not text.startswith("[A note"))


def looks_up(sql: str, then: str, *, id_: str = "c1") -> Answering:
    def answer(request: ChatRequest) -> ChatReply | str:
        if isinstance(request.messages[-1], ToolMessage):
            return then
        return calls(query(sql, id_=id_))

    return answer


TASKS: Mapping[str, Answering] = {
    "How many customers are in Spain?": looks_up(SPAIN, "2 customers are in Spain."),
    "How many orders are there?": looks_up(ORDERS, "There are 120 orders.\nAssumption: all time"),
    "How many orders has a customer in Spain?": looks_up(
        "SELECT COUNT(*) / 2.0 AS each_of_them FROM orders JOIN customers ON customers.id ="
        " orders.customer_id WHERE country = 'Spain'",
        "Each has 40 orders.",
    ),
}


def plan_of(stage: Stage) -> list[tuple[str, TaskState]]:
    last = [event for event in stage.events if isinstance(event, PlanChanged)][-1]
    return [(task.id, task.state) for task in last.tasks]


async def test_a_complex_question_is_planned_carried_out_and_answered_as_one(stage: Stage):
    script = Script([PLAN], TASKS, "Spain has 2 customers with 40 orders each, of 120 in all.")
    stage.script(*script.steps(), intent=COMPLEX)

    answer = await stage.answer("How do the Spanish buy?")

    assert answer.text == "Spain has 2 customers with 40 orders each, of 120 in all."
    assert len(answer.sql) == 3
    assert plan_of(stage) == [
        ("spain", TaskState.DONE),
        ("orders", TaskState.DONE),
        ("both", TaskState.DONE),
    ]
    assert [shown.title for shown in answer.shown][-1] == "Orders a customer"
    assert not answer.warnings


async def test_a_task_reads_what_it_builds_on_and_has_its_own_tools(stage: Stage):
    stage.script(*Script([PLAN], TASKS).steps(), intent=COMPLEX)

    await stage.answer("How do the Spanish buy?")

    building = next(r for r in stage.requests if "has a customer" in _asked(r))
    text = "\n".join(message.text for message in building.messages)
    assert "2 customers are in Spain." in text
    assert "Assumption: all time" in text
    assert '"orders"' in text
    names = {tool.name for tool in building.tools}
    assert {"run_query", "compute_trend"} <= names
    assert "- compare_segments(" in text
    assert "compute_growth" not in names
    assert "- compute_growth(" not in text


async def test_the_figures_of_the_answer_are_held_against_all_results(stage: Stage):
    script = Script([PLAN], TASKS, "There are 120 orders. Revenue was 987,654.")
    stage.script(*script.steps(), intent=COMPLEX)

    answer = await stage.answer("How do the Spanish buy?")

    assert answer.text == "There are 120 orders."


async def test_garbage_and_circles_fall_back_to_the_plain_loop(stage: Stage):
    circle = json.loads(PLAN)
    circle["tasks"][0]["needs"] = ["both"]
    for plan in ("I would rather not.", json.dumps(circle), '{"tasks": []}'):
        stage.script(plan, calls(query(ORDERS)), "There are 120 orders.", intent=COMPLEX)

        answer = await stage.answer("How do the Spanish buy?")

        assert answer.text == "There are 120 orders."
        assert not any(isinstance(event, PlanChanged) for event in stage.events)


async def test_a_model_that_gives_no_plan_still_answers(stage: Stage):
    down = ModelUnreachable("It is away.")
    stage.script(down, calls(query(ORDERS)), "There are 120 orders.", intent=COMPLEX)

    assert (await stage.answer()).text == "There are 120 orders."


async def test_a_task_that_fails_is_planned_once_more_and_then_missing(stage: Stage):
    def decline(_: ChatRequest) -> ChatReply:
        return calls(call("report_unanswerable", {"reason": "Nobody wrote it down."}))

    again = {"id": "spain2", "question": "Who is in Spain?", "families": ["analyze"]}
    script = Script(
        [PLAN, json.dumps({"tasks": [again]})],
        {**TASKS, "How many customers are in Spain?": decline, "Who is in Spain?": decline},
        "There are 120 orders; how many customers are Spanish is not known.",
    )
    stage.script(*script.steps(), intent=COMPLEX)

    answer = await stage.answer("How do the Spanish buy?")

    assert answer.text.startswith("There are 120 orders")
    assert answer.warnings == ("Missing: Who is in Spain?. Nobody wrote it down.",)
    assert dict(plan_of(stage))["spain2"] is TaskState.MISSING
    [replan] = [r for r in stage.model.requests if "did not come through" in r.messages[-1].text]
    assert "Nobody wrote it down." in replan.messages[-1].text
    assert "MISSING" in stage.requests[-1].messages[-2].text


async def test_tasks_that_all_give_nothing_leave_it_to_the_plain_loop(stage: Stage):
    def decline(_: ChatRequest) -> ChatReply:
        return calls(call("report_unanswerable", {"reason": "No."}))

    script = Script(
        [PLAN, "no"],
        dict.fromkeys(TASKS, decline),
        looks_up(ORDERS, "There are 120 orders."),
    )
    stage.script(*script.steps(), intent=COMPLEX)

    assert (await stage.answer("How do the Spanish buy?")).text == "There are 120 orders."


async def test_tasks_share_the_budget(stage: Stage):
    stage.budget = replace(stage.budget, tool_calls=2)
    stage.script(*Script([PLAN], TASKS).steps(), intent=COMPLEX)

    answer = await stage.answer("How do the Spanish buy?")

    assert len(answer.sql) == 2
    assert "Stopped after 2 tool calls" in answer.warnings[-1]


async def test_an_approval_inside_a_task_pauses_the_turn_and_goes_on_as_one(stage: Stage):
    stage.catalogue = Probes().tools(read_much, *stage.catalogue)

    def reads(request: ChatRequest) -> ChatReply | str:
        if isinstance(request.messages[-1], ToolMessage):
            return "Much is 99."
        return calls(call("read_much", {"what": "much"}, id_="c1"))

    script = Script(
        [PLAN],
        {**TASKS, "How many customers are in Spain?": reads},
        "There are 120 orders, and much is 99.",
    )
    stage.script(*script.steps(), intent=COMPLEX)

    paused = asked(await stage.ask("How do the Spanish buy?"))
    assert isinstance(paused.decision, Approval)
    assert paused.decision.query_hash == COSTLY_HASH
    assert dict(plan_of(stage)) == {
        "spain": TaskState.WAITING,
        "orders": TaskState.DONE,
        "both": TaskState.WAITING,
    }
    answer = finished(
        await stage.decide(
            Approved(decision=paused.decision.id, actor=ANN.id, choice=Choice.APPROVE)
        )
    )

    assert answer.text == "There are 120 orders, and much is 99."
    text = "\n".join(message.text for message in stage.requests[-1].messages)
    assert "NOT YET DONE" in text
    assert '"orders"' in text
