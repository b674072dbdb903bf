"""Asks the person which of several meanings was meant."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from core.domain.decisions import Clarification
from core.domain.errors import ClarificationNeeded
from core.domain.ids import DecisionId, fresh_id
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

Option = Annotated[str, Field(min_length=1, max_length=75)]


class AskClarificationArgs(ToolArgs):
    """The question and its possible answers."""

    question: str = Field(
        min_length=1, max_length=500, description="One question, in the asker's language."
    )
    options: tuple[Option, ...] = Field(
        min_length=2,
        max_length=5,
        description="Two to five different meanings in the asker's words, the likeliest first;"
        " taken from real tables, columns and values.",
    )

    @field_validator("options")
    @classmethod
    def _differ(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        if len({option.strip().casefold() for option in options}) < len(options):
            raise ValueError("each option has to be another meaning")
        return options


@tool(family=Family.CONVERSATIONAL, always_on=True)
async def ask_clarification(args: AskClarificationArgs, ctx: ToolContext) -> ToolResult:
    """Ask the person which of several meanings was meant; the run waits for the answer.

    Use it only when two readings would give different figures and nothing in the schema, the
    thread or the definitions decides between them. Do not ask what a query can find out; with one
    likely reading, go on and state the assumption.

    Raises:
        ClarificationNeeded: always; the answer comes back as the result of this call.
    """
    raise ClarificationNeeded(
        Clarification(
            id=DecisionId(fresh_id()),
            question=args.question.strip(),
            options=tuple(option.strip() for option in args.options),
        )
    )
