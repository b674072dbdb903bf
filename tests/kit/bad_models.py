"""Models that do all that a model should not, as scripts for a chat-completions server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count

import orjson

from core.domain.chat import Json
from tests.kit.openai_server import Answer, Asked, Responding
from tests.kit.openai_wire import Call, Failure, Raw, Reply, event

SIMPLE: Json = {"primary_intent": "analyze", "confidence": 1.0, "complexity": "simple"}
COMPLEX: Json = {"primary_intent": "analyze", "confidence": 1.0, "complexity": "complex"}
COUNT = "SELECT count(*) AS orders FROM orders"
TRUE = "There are 2 orders, worth 3.50 together."
SUM = "SELECT count(*) AS orders, sum(amount) AS worth FROM orders"
WRITTEN = orjson.dumps({"name": "run_query", "arguments": {"sql": SUM}}).decode()


def said(text: str) -> Reply:
    return Reply(text=tuple(re.findall(r"\s*\S+|\s+$", text)))


def calling(*calls: tuple[str, object], text: str = "") -> Reply:
    return Reply(
        text=(text,) if text else (),
        calls=tuple(
            Call(
                id=f"call_{number}",
                name=name,
                arguments=in_pieces(given if isinstance(given, str) else as_json(given)),
            )
            for number, (name, given) in enumerate(calls)
        ),
    )


def as_json(given: object) -> str:
    return orjson.dumps(given).decode()


def in_pieces(text: str, size: int = 1_000) -> tuple[str, ...]:
    return tuple(text[at : at + size] for at in range(0, len(text), size)) or ("",)


def query(sql: str) -> tuple[str, object]:
    return "run_query", {"sql": sql}


@dataclass(frozen=True, slots=True)
class Model:
    """Says what kind of question it is, then plays `steps`, of which the last comes for ever."""

    steps: tuple[Answer | Responding, ...]
    intent: Json = None
    plan: Json = None

    def playing(self) -> Responding:
        objects, texts = count(), count()

        def respond(request: Asked) -> Answer:
            if "response_format" in request.body:
                known = self.intent or SIMPLE if next(objects) == 0 else self.plan
                return said(orjson.dumps(known).decode())
            step = self.steps[min(next(texts), len(self.steps) - 1)]
            return step(request) if callable(step) else step

        return respond


def numbered() -> Responding:
    numbers = count(1)
    return lambda _: calling(query(f"{COUNT} LIMIT {next(numbers)}"))


def fifty() -> Reply:
    good = [query(f"{COUNT} LIMIT {n}") for n in range(1, 21)]
    bad: list[tuple[str, object]] = [
        ("drop_everything", {}),
        ("run_query", '{"sql": "SEL'),
        ("run_query", "[1"),
        query("DROP x"),
    ]
    return calling(*good, *bad * 8)


def without_end(delta: Json) -> Raw:
    """Say the same for ever; the client has to leave."""
    choice: Json = {"index": 0, "delta": delta, "finish_reason": None}
    return Raw(pieces=(event({"choices": [choice]}) * 50,) * 40_000)


def part_of_a_call(arguments: str, **call: Json) -> Json:
    function: Json = {"name": "run_query", "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "c", **call, "function": function}]}


CYCLE: Json = {
    "tasks": [
        {"id": "a", "question": "One?", "families": ["analyze"], "needs": ["b"]},
        {"id": "b", "question": "Two?", "families": ["analyze"], "needs": ["a"]},
    ]
}

ENDLESS: dict[str, Model] = {
    "invented figures": Model((said("There are 4,711 orders worth 12.9 million."),)),
    "invented figures after a result": Model((calling(query(COUNT)), said("Growth was 47.3 %."))),
    "the same call": Model((calling(query(COUNT)),)),
    "another call each time": Model((numbered(),)),
    "fifty calls at once": Model((fifty(),)),
    "unknown tools": Model((calling(("drop_everything", {"now": True})),)),
    "half an object": Model((calling(("run_query", '{"sql": "SELECT count(*) FR')),)),
    "no object": Model((calling(("run_query", "SELECT 1")),)),
    "a list": Model((calling(("run_query", [COUNT])),)),
    "other arguments": Model((calling(("run_query", {"statement": COUNT})),)),
    "wrong SQL": Model((calling(query("SELECT revenue_usd FROM orderz")),)),
    "writing SQL": Model((calling(query("DELETE FROM orders")),)),
    "arguments without end": Model((without_end(part_of_a_call("x" * 2_000)),)),
    "pieces of a call without end": Model((without_end(part_of_a_call("")),)),
    "pieces of nothing without end": Model((without_end({}),)),
    "thoughts without end": Model((without_end({"reasoning_content": "Let me think. "}),)),
    "signs": Model((said("{[<;,'\"]}>\x00\\" * 50),)),
    "one word for ever": Model((said("and " * 3_000),)),
    "a call as text": Model((said('<tool_call>{"name": "use_tool", "arguments": {}}'),)),
    "a very long name": Model((calling(("x" * 500_000, {})),)),
    "no answer": Model((said(""),)),
    "blanks": Model((said("  \n\n "),)),
    "nothing but thoughts": Model((said("<think>What could it be?</think>"),)),
    "a thought that does not end": Model((said("<think>What could it be, and so on"),)),
    "an end and a call at once": Model(
        (calling(query(COUNT), ("report_unanswerable", {"reason": "No data."})),)
    ),
    "half an intent": Model((said("I do not know."),), intent='{"primary_intent": "ana'),
    "an intent of nonsense": Model((said("I do not know."),), intent=[1, {"a": "b"}]),
    "a stream of nonsense": Model((Raw(pieces=(b"data: \xff\xfe{]\n\n",) * 5),)),
    "an event that is no object": Model((Raw(pieces=(event([1]), event(None))),)),
    "a filter": Model((Reply(text=("I",), finish="content_filter"),)),
    "an error": Model((Failure(400, {"error": {"message": "bad request"}}),)),
}


def task(id: str, **given: Json) -> Json:
    return {"id": id, "question": "How many?", "families": ["analyze"], **given}


def planned(*tasks: Json) -> Model:
    plan: Json = {"tasks": [*tasks]}
    return Model((calling(query(SUM)), said(TRUE)), intent=COMPLEX, plan=plan)


GOOD_IN_THE_END: dict[str, Model] = {
    "a plan that is a circle": Model((calling(query(SUM)), said(TRUE)), intent=COMPLEX, plan=CYCLE),
    "a plan of thirty tasks": planned(*[task(f"t{at}") for at in range(30)]),
    "a plan with unknown tools": planned(task("a", tools=["drop_everything"]), task("b")),
    "a plan that needs what is not there": planned(task("a", needs=["z"]), task("b")),
    "a plan that says one name twice": planned(task("a"), task("a")),
    "a call as text": Model(
        (said(as_json({"name": "run_query", "arguments": {"sql": SUM}})), said(TRUE))
    ),
    "signs first": Model((calling(query(SUM)), said("{[<;,'\"]}>99 " * 50), said(TRUE))),
    "one word again and again first": Model((calling(query(SUM)), said("99 " * 1_500), said(TRUE))),
    "text and calls at once": Model((calling(query(SUM), text="There are 99 orders."), said(TRUE))),
    "an unknown tool first": Model(
        (calling(("ask_database", {})), calling(query(SUM)), said(TRUE))
    ),
    "no JSON first": Model((calling(("run_query", "{sql:")), calling(query(SUM)), said(TRUE))),
    "an empty answer first": Model((calling(query(SUM)), said(""), said(TRUE))),
    "an invented figure first": Model((calling(query(SUM)), said("There are 99."), said(TRUE))),
    "a thought before": Model(
        (
            calling(query(SUM), text="<think>I will count 99 orders.</think>"),
            said(f"<think>So 99 it is, or 2.</think>\n\n{TRUE}"),
        )
    ),
    "a thought cut into letters": Model(
        (
            calling(query(SUM)),
            Reply(text=tuple(f"<think>Is it 99?</think>{TRUE}")),
        )
    ),
    "a thought whose beginning was not sent": Model(
        (calling(query(SUM)), said(f"So 99 it is, or 2.\n</think>\n\n{TRUE}"))
    ),
}
