"""What a run may use, and what it has used."""

from dataclasses import dataclass, field, replace

from core.domain.answer import Usage


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
    usage: Usage = field(default_factory=Usage)

    def after_step(self, usage: Usage) -> "Spend":
        return replace(self, steps=self.steps + 1, usage=self.usage + usage)

    def exceeded(self, budget: Budget) -> str | None:
        """Name the first bound that is reached, in the reader's words; None while there is room."""
        tokens = self.usage.input_tokens + self.usage.output_tokens
        bounds = (
            (self.steps >= budget.steps, f"{budget.steps} steps"),
            (self.seconds >= budget.seconds, f"{budget.seconds:.0f} seconds"),
            (tokens >= budget.tokens, f"{budget.tokens:,} tokens"),
            (self.usage.usd >= budget.usd, f"${budget.usd:.2f}"),
            (self.tool_calls >= budget.tool_calls, f"{budget.tool_calls} tool calls"),
        )
        return next((name for reached, name in bounds if reached), None)
