"""What the reader is told of a tool call: a title when it begins, a summary when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from core.agent.outcome import Asks, Done, Failed, Outcome, Repeated
from core.toolkit.tool import AnyTool

_LONGEST_TITLE, _LONGEST_SUMMARY = 120, 300


def title_of(tool: AnyTool, arguments: Mapping[str, object]) -> str:
    """Say in a few words for the reader what a call does."""
    title = arguments.get("title")
    if isinstance(title, str) and title.strip():
        return " ".join(title.split())[:_LONGEST_TITLE]
    words = tool.name.replace("_", " ").capitalize()
    table = arguments.get("table")
    return f"{words}: {table[:80]}" if isinstance(table, str) and table else words


def summary_of(outcome: Outcome) -> str:
    """Say what came of a call in words for the reader, never in a database's own."""
    match outcome:
        case Done(result=result):
            return result.finding[:_LONGEST_SUMMARY]
        case Asks():
            return "Waiting for your answer."
        case Failed(may_repeat=True):
            return "No answer in time."
        case Failed() | Repeated():
            return "This did not work; trying another way."
        case _:
            assert_never(outcome)


def rows_of(outcome: Outcome) -> int | None:
    """Return how many rows came; None where a result has no table."""
    if isinstance(outcome, Done) and outcome.result.table.columns:
        return len(outcome.result.table.rows)
    return None
