"""What became of a tool call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.answer import ExecutedSql
from core.domain.artifact import ChartSpec, Declaration
from core.domain.chat import ToolCall
from core.domain.errors import ReaderNeeded
from core.toolkit.tool import AnyTool, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """It gave a result; `text` is what the model reads of it, `warnings` what the reader must."""

    call: ToolCall
    tool: AnyTool
    arguments: Mapping[str, object]
    result: ToolResult
    text: str
    executed: tuple[ExecutedSql, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def declaration(self) -> Declaration | ChartSpec | None:
        """Say how the result wants to be shown; None for a step on the way."""
        if not self.result.table.columns:
            return None
        return self.result.chart or self.tool.artifact


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """It gave advice; the very same call may give more later only where `may_repeat` says so.

    `warning` is what the reader must know of it, where it is not the model's to tell; `rejected`
    says that the database did not take a query, `skipped` that the call was not even begun.
    """

    call: ToolCall
    text: str
    may_repeat: bool = False
    warning: str = ""
    rejected: bool = False
    skipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """The same call was made before; `text` is what it gave then."""

    call: ToolCall
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """It cannot go on before a person has decided."""

    call: ToolCall
    needed: ReaderNeeded


Outcome = Done | Failed | Repeated | Asks
