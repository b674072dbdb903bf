"""What one run has done so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.agent.last_resort import SHARE_KEPT
from core.agent.outcome import Done
from core.context import ExecutionContext
from core.domain.answer import NO_STEPS, NO_USAGE, ExecutedSql, Shown, Steps, Usage
from core.domain.budget import Budget, Spend
from core.domain.chat import ChatMessage, ChatReply
from core.domain.decisions import Answered
from core.domain.paused import SoFar
from core.toolkit.family import Family

_NEARLY = 0.85  # of a bound: from here on the answer is asked for


@dataclass(slots=True, kw_only=True)
class RunState:
    """Owned by one run's task; nobody else writes to it.

    `tools` are offered beside those of the families; `guided`: the person is led step by step,
    through `steps` where they are known, of which this turn has `told`.
    `started` is the moment of the clock from which the time counts: now, where none is given.
    `answered` are the clarifications of this turn, `assumed` what was taken without asking.
    A task of a plan has steps of its own; what it uses besides them counts for the `whole` run.
    """

    ctx: ExecutionContext
    families: tuple[Family, ...] = ()
    tools: tuple[str, ...] = ()
    steps_allowed: int
    guided: bool = False
    steps: Steps = NO_STEPS
    told: tuple[str, ...] = ()
    messages: list[ChatMessage] = field(default_factory=list[ChatMessage])
    done: list[Done] = field(default_factory=list[Done])
    notes: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])
    answered: tuple[Answered, ...] = ()
    assumed: list[str] = field(default_factory=list[str])
    before: SoFar = field(default_factory=SoFar)
    model: str = ""
    whole: RunState | None = None
    started: float | None = None
    _steps: int = 0
    _tool_calls: int = 0
    _usage: Usage = NO_USAGE
    _started: float = field(init=False)
    _bounds: Budget = field(init=False)

    def __post_init__(self) -> None:
        self._bounds = replace(self.ctx.budget, steps=self.steps_allowed)
        self._started = self.ctx.clock.monotonic() if self.started is None else self.started

    @property
    def seconds(self) -> float:
        """Return the seconds of this run and those before its pause."""
        if self.whole is not None:
            return self.whole.seconds
        return self.before.spend.seconds + self.ctx.clock.monotonic() - self._started

    @property
    def spend(self) -> Spend:
        if self.whole is not None:
            return replace(self.whole.spend, steps=self._steps)
        before = self.before.spend
        return Spend(
            steps=before.steps + self._steps,
            seconds=self.seconds,
            tool_calls=before.tool_calls + self._tool_calls,
            usage=before.usage + self._usage,
        )

    @property
    def steps_left(self) -> int:
        return self.steps_allowed - self.before.spend.steps - self._steps

    @property
    def seconds_left(self) -> float:
        return self.ctx.budget.seconds - self.seconds

    @property
    def seconds_for_model(self) -> float:
        """Return how long a model may take; a last resort that may be needed gets the rest."""
        may_be_needed = self.ctx.last_resort is not None and not self.done
        kept = SHARE_KEPT * self.ctx.budget.seconds if may_be_needed else 0.0
        return self.seconds_left - kept

    @property
    def seconds_for_tools(self) -> float:
        """Return how long a tool may take; the rest is for telling what was found."""
        to_the_last_part = self.ctx.budget.seconds * _NEARLY - self.seconds
        return max(to_the_last_part, self.seconds_left / 2, 0.0)

    @property
    def executed(self) -> tuple[ExecutedSql, ...]:
        return (*self.before.executed, *(each for done in self.done for each in done.executed))

    @property
    def shown_before(self) -> tuple[Shown, ...]:
        return self.before.shown

    def count_reply(self, reply: ChatReply) -> None:
        self._steps += 1
        self.count_usage(reply.usage)
        self.model = reply.model or self.model

    def count_usage(self, usage: Usage) -> None:
        self._usage = self._usage + usage
        if self.whole is not None:
            self.whole.count_usage(usage)

    def count_calls(self, calls: int) -> None:
        self._tool_calls += calls
        if self.whole is not None:
            self.whole.count_calls(calls)

    def exhausted(self) -> str | None:
        """Name the bound that is reached; None while there is room for another step."""
        return self.spend.exceeded(self._bounds)

    def nearly_exhausted(self) -> str | None:
        """Name the bound that one more step of tools would reach; None while there are several."""
        if self.steps_left == 1:
            return "the last step is reached"
        budget, spend = self.ctx.budget, self.spend
        tokens = spend.usage.input_tokens + spend.usage.output_tokens
        parts = (
            (spend.seconds / budget.seconds, "the time is nearly over"),
            (tokens / budget.tokens, "the tokens are nearly used up"),
            (spend.usage.usd / budget.usd, "the money is nearly used up"),
            (spend.tool_calls / budget.tool_calls, "the tool calls are nearly used up"),
        )
        return next((why for share, why in parts if share >= _NEARLY), None)

    def so_far(self, shown: Sequence[Shown]) -> SoFar:
        """Return what the next run of this turn has to know."""
        return SoFar(
            families=tuple(family.value for family in self.families),
            spend=self.spend,
            executed=self.executed,
            shown=(*self.shown_before, *shown),
            steps=self.steps,
            told=self.told,
            answered=self.answered,
            assumed=tuple(self.assumed),
        )
