"""What a run may use, and what it has used."""

from dataclasses import dataclass, replace

from core.domain.answer import NO_USAGE, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Upper bounds of one run; `steps` are exchanges with the model."""

    steps: int = 15
    seconds: float = 180.0
    tokens: int = 400_000
    usd: float = 2.0
    tool_calls: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What has been used so far."""

    steps: int = 0
    seconds: float = 0.0
    tool_calls: int = 0
    usage: Usage = NO_USAGE

    def after_step(self, usage: Usage) -> "Spend":
        return replace(self, steps=self.steps + 1, usage=self.usage + usage)

    def exceeded(self, budget: Budget) -> str | None:
        """Name the first bound that is reached, in the reader's words; None while there is room."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        if self.steps >= budget.steps:
            return f"{budget.steps} steps"
        if self.seconds >= budget.seconds:
            return f"{budget.seconds:.0f} seconds"
        if tokens >= budget.tokens:
            return f"{budget.tokens:,} tokens"
        if self.usage.usd >= budget.usd:
            return f"${budget.usd:.2f}"
        return f"{budget.tool_calls} tool calls" if self.tool_calls >= budget.tool_calls else None
