"""The project's own questions through the whole product, with the offline analyst.

How many came out right, what a question of each kind costs in requests and tokens, and how much
CPU the orchestrator, the reviewer and the tracing of figures take of a run. The parts are timed
from outside: while this measures, their functions are wrapped.
"""

from __future__ import annotations

import importlib
import inspect
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Line
from bot.bootstrap import DEMO, App, open_app
from bot.demo.questions import EVALUATION
from bot.evaluation.evaluate import evaluate
from bot.evaluation.outcome import Outcome
from bot.evaluation.questions import GoldQuestion, Problem, load_questions
from bot.evaluation.report import figures
from bot.settings import LimitSettings, Settings

GOALS = ("QUESTIONS",)

_MODULE = "core.agent.orchestrator"
_PARTS: dict[str, tuple[tuple[str, str], ...]] = {
    "orchestrator": (
        (_MODULE, "settled"),
        (_MODULE, "read"),
        ("core.agent.prompt", "PromptWriter.intent_request"),
        ("core.agent.prompt", "PromptWriter.opening"),
        ("core.memory.recall", "TableRecall.recall"),
    ),
    "reviewer": (("core.agent.workplace", "review"), ("core.agent.workplace", "look_ups_for")),
    "grounding": (("core.agent.finishing", "unsupported"),),
}
_REQUESTS_A_QUESTION = 6.0
_TOKENS_A_QUESTION = 25_000
_MS_A_RUN = 15.0


@dataclass(slots=True)
class _Timer:
    """CPU seconds of this thread that went into one part."""

    seconds: float = 0.0

    def around(self, function: Callable[..., object]) -> Callable[..., object]:
        if inspect.iscoroutinefunction(function):
            return self._around_async(function)

        def timed(*args: object, **named: object) -> object:
            started = time.thread_time()
            try:
                return function(*args, **named)
            finally:
                self.seconds += time.thread_time() - started

        return timed

    def _around_async(self, function: Callable[..., Awaitable[object]]) -> Callable[..., object]:
        async def timed(*args: object, **named: object) -> object:
            started = time.thread_time()
            try:
                return await function(*args, **named)
            finally:
                self.seconds += time.thread_time() - started

        return timed


async def measure() -> list[Line]:
    """Ask every question once, with the parts timed."""
    questions = load_questions(EVALUATION).good
    with tempfile.TemporaryDirectory() as folder:
        limits = LimitSettings(questions_per_minute=1e9, burst=1_000_000)
        async with open_app(Settings(state_dir=Path(folder), limits=limits)) as app:
            with ExitStack() as stack:
                timers = {part: stack.enter_context(_timed(part)) for part in _PARTS}
                outcomes = await _outcomes(app, questions)
    runs = sum(1 + len(each.thread) for each in questions)
    return [
        *_right(outcomes),
        *_cost_by_kind(outcomes, questions),
        *(_overhead(part, timer.seconds / runs) for part, timer in timers.items()),
    ]


async def _outcomes(app: App, questions: tuple[GoldQuestion, ...]) -> list[Outcome]:
    found = dict[int, Outcome | Problem]()
    await evaluate(app, questions, connection_of=lambda _: DEMO, take=found.__setitem__)
    return [each for _, each in sorted(found.items()) if isinstance(each, Outcome)]


@contextmanager
def _timed(part: str) -> Generator[_Timer]:
    timer = _Timer()
    with ExitStack() as stack:
        for module, path in _PARTS[part]:
            *owners, name = path.split(".")
            owner: object = importlib.import_module(module)
            for each in owners:
                owner = getattr(owner, each)
            was: Callable[..., object] = getattr(owner, name)
            setattr(owner, name, timer.around(was))
            stack.callback(setattr, owner, name, was)
        yield timer


def _right(outcomes: list[Outcome]) -> Iterator[Line]:
    found = figures(outcomes)
    for name, bound in (
        ("execution_accuracy", 0.6),
        ("answered_share", 0.8),
        ("accuracy_answered", 0.7),
    ):
        value = found[name]
        yield Line(
            goal="QUESTIONS",
            what=name.replace("_", " "),
            value=value if isinstance(value, float) else 0.0,
            bound=bound,
            unit="",
            at_least=True,
            note=f"{len(outcomes)} questions on the demo data, the offline analyst",
        )


def _cost_by_kind(outcomes: list[Outcome], questions: tuple[GoldQuestion, ...]) -> Iterator[Line]:
    """Give requests and tokens a question; those of the thread before it are questions, too."""
    asked = {each.id: 1 + len(each.thread) for each in questions}
    for kind in sorted({each.category for each in outcomes}):
        those = [each for each in outcomes if each.category == kind]
        runs = sum(asked[each.id] for each in those)
        yield Line(
            goal="QUESTIONS",
            what=f"requests a question: {kind}",
            value=sum(each.calls for each in those) / runs,
            bound=_REQUESTS_A_QUESTION,
            unit="",
            note=f"{runs} runs",
        )
        yield Line(
            goal="QUESTIONS",
            what=f"tokens a question: {kind}",
            value=sum(each.tokens for each in those) / runs,
            bound=_TOKENS_A_QUESTION,
            unit="",
            note="counted by the offline analyst: a quarter of the bytes",
        )


def _overhead(part: str, seconds: float) -> Line:
    return Line(
        goal="QUESTIONS",
        what=f"CPU of the {part} a run",
        value=seconds * 1_000,
        bound=_MS_A_RUN,
        unit="ms",
        note="of this thread",
    )
