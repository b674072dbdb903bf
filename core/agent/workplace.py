"""What one run works with, made from its context: contexts of tools, reviews, corrections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import InitVar, dataclass, field
from functools import partial

from core.agent.outcome import Done
from core.agent.run_state import RunState
from core.agent.tool_format import is_heavy
from core.domain.errors import QueryRejected
from core.domain.ids import QueryHash
from core.domain.table import Table
from core.memory.cards import cards
from core.prompt_library import PromptLibrary
from core.reviewer.checks import Remark, review
from core.reviewer.correction import names_meant, shortened, tables_named
from core.sql.gateway import QueryGateway
from core.sql.guard import Guard
from core.toolkit.context import ToolContext
from core.toolkit.tool import ToolResult

_BATCH_ROWS = 1_000
_CORRECTION_CHARS = 2_500


@dataclass(slots=True)
class Workplace:
    """Joins a run's state to what tools need."""

    state: RunState
    prompts: PromptLibrary
    guard: InitVar[Guard]
    _door: QueryGateway = field(init=False)
    _approved: set[QueryHash] = field(default_factory=set[QueryHash], init=False)

    def __post_init__(self, guard: Guard) -> None:
        ctx = self.state.ctx
        self._door = QueryGateway(warehouse=ctx.warehouse, guard=guard, connection=ctx.connection)

    def tool_context(self, *approved: QueryHash) -> ToolContext:
        """Open a context for one tool call; a query in `approved` runs unasked."""
        ctx = self.state.ctx
        self._approved.update(approved)
        return ToolContext(
            queries=self._door.for_call(*approved),
            catalog=ctx.catalog,
            today=ctx.turn.asked_at.date(),
            web=ctx.web,
            note=self.state.notes.append,
        )

    async def review(self, result: ToolResult, statements: Sequence[str]) -> tuple[Remark, ...]:
        """Look at a result before it is believed; a large one off the event loop."""
        check = partial(
            review,
            result.table,
            statements=statements,
            today=self.state.ctx.turn.asked_at.date(),
            catalog=self.state.ctx.catalog,
        )
        return await asyncio.to_thread(check) if is_heavy(result.table) else check()

    def correct(self, rejected: QueryRejected, arguments: str) -> str:
        """Make advice of a rejection: the database's words, near names, the tables' columns."""
        catalog = self.state.ctx.catalog
        tables = tables_named(arguments, catalog)
        meant = names_meant(rejected.advice, tables, catalog)
        return self.prompts.fill(
            "correction",
            words=shortened(rejected.advice),
            names="".join(f"{each}\n" for each in meant),
            tables=cards(tables, question=arguments, most_chars=_CORRECTION_CHARS),
        )

    def export(self, done: Done) -> AsyncIterator[Table] | None:
        """Read the whole of a result that was cut off; None where its statement is not known."""
        sql = done.arguments.get("sql")
        if not isinstance(sql, str):
            return None
        return self._door.for_call(*self._approved).stream(sql, batch_rows=_BATCH_ROWS)
