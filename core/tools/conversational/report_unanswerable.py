"""Says that this data cannot answer the question, and what would."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

Missing = Annotated[str, Field(min_length=1, max_length=200)]


class ReportUnanswerableArgs(ToolArgs):
    """Why not, and what is missing."""

    reason: str = Field(
        min_length=1,
        max_length=1_000,
        description="One to three sentences to the asker: why this cannot be answered, and the"
        " nearest thing that can be.",
    )
    missing: tuple[Missing, ...] = Field(
        default=(),
        max_length=10,
        description="What would have to be there, such as a column or a table, one a line.",
    )


@tool(family=Family.CONVERSATIONAL, always_on=True, ends_run=True)
async def report_unanswerable(args: ReportUnanswerableArgs, ctx: ToolContext) -> ToolResult:
    """End the run with an honest no: the reason, and what is missing.

    Use it when the schema has nothing that answers the question, or when it asks to change data.
    Look first (`search_schema`, `get_schema`); a value that is not found is an answer, not this.

    Returns no rows; its finding is the final answer to the asker.
    """
    return ToolResult(finding=describe(args))


def describe(args: ReportUnanswerableArgs) -> str:
    reason = args.reason.strip()
    if not args.missing:
        return reason
    return reason + "\n\nMissing:\n" + "\n".join(f"- {each.strip()}" for each in args.missing)
