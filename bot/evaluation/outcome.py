"""What became of one question, as it is reported, kept and compared with later runs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from bot.asking import Status


class Outcome(BaseModel):
    """One record of the details.

    expect_status, status: how it had to end and how it ended, as in `ask --json`
    right, lenient: the rows are the right ones; the latter also beside further columns
    gold_refused: the guard did not let any right statement run, so that no answer could be right
    calls: requests to the model, those of the thread before the question included
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    db: str = ""
    category: str = ""
    difficulty: str = ""
    question: str = ""
    expect_status: Status = "answered"
    status: Status
    right: bool
    lenient: bool
    gold_refused: bool = False
    seconds: float
    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0
    sql: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_answered(self) -> bool:
        return self.status == "answered"

    @property
    def is_to_be_answered(self) -> bool:
        return self.expect_status == "answered"
