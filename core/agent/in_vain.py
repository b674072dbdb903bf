"""Steps that lead nowhere: the same calls again, known or failing as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.outcome import Done, Failed, Outcome, Repeated
from core.domain.chat import ToolCall


@dataclass(slots=True)
class InVain:
    """Counts the steps in a row of which nothing came but what was known before them.

    `rejected` are those in which queries were rejected, since the last one that ran.
    """

    steps: int = 0
    rejected: int = 0
    _calls: int = 0

    def count(self, calls: Sequence[ToolCall], outcomes: Sequence[Outcome]) -> None:
        """Take a step: its calls, as the model wrote them, and what came of each."""
        before = self._calls
        self._calls = hash(tuple((each.name, each.arguments) for each in calls))
        is_known = all(map(is_not_run, outcomes))
        fails_again = before == self._calls and all(map(_says_the_same_again, outcomes))
        self.steps = self.steps + 1 if is_known or fails_again else 0
        if any(isinstance(outcome, Done) and outcome.executed for outcome in outcomes):
            self.rejected = 0
        elif any(isinstance(outcome, Failed) and outcome.rejected for outcome in outcomes):
            self.rejected += 1


def is_not_run(outcome: Outcome) -> bool:
    """Whether a call was answered without being run."""
    return isinstance(outcome, Repeated) or (isinstance(outcome, Failed) and outcome.skipped)


def _says_the_same_again(outcome: Outcome) -> bool:
    fails = isinstance(outcome, Failed) and not outcome.may_repeat
    return fails or is_not_run(outcome)
