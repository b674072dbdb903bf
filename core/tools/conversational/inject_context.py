"""Keeps a sentence in sight for the rest of the run."""

from __future__ import annotations

from pydantic import Field

from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool


class InjectContextArgs(ToolArgs):
    """The sentence to keep."""

    note: str = Field(
        min_length=1,
        max_length=500,
        description="One sentence, such as an assumption, a filter or a definition that holds.",
    )


@tool(family=Family.CONVERSATIONAL)
async def inject_context(args: InjectContextArgs, ctx: ToolContext) -> ToolResult:
    """Keep a sentence in sight until this run ends.

    Use it for something found on the way that every later step must respect, for instance that
    refunds are negative amounts. It is forgotten with the run.

    Returns no rows.
    """
    note = " ".join(args.note.split())
    ctx.note(note)
    return ToolResult(finding=f"Noted for this run: {note}")
