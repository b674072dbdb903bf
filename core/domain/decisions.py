"""What only a person can decide: the question, and the answer to it."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from core.domain.ids import ActorId, DecisionId, QueryHash
from core.domain.query import CostEstimate


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Clarification(_Frozen):
    """A question with up to five options; the reader may always answer in their own words."""

    id: DecisionId
    question: str
    options: tuple[str, ...]


class Answered(_Frozen):
    """A clarification as the thread remembers it: what was asked, and what was said to it."""

    question: str
    options: tuple[str, ...] = ()
    answer: str


class Approval(_Frozen):
    """A query that may run only when a person says so; bound to that very SQL by `query_hash`."""

    id: DecisionId
    reason: str
    sql: str
    query_hash: QueryHash
    estimate: CostEstimate


Decision = Clarification | Approval


class Choice(StrEnum):
    """What a person may press on an approval."""

    APPROVE = "approve"
    CHEAPER = "cheaper"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarified:
    """The reader's own words, or the option that they pressed."""

    decision: DecisionId
    actor: ActorId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """What was pressed on an approval, and by whom."""

    decision: DecisionId
    actor: ActorId
    choice: Choice


DecisionAnswer = Clarified | Approved
