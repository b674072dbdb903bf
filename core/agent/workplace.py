"""What one run works with, made from its context: contexts of tools, reviews, corrections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from datetime import date
from functools import partial

from core.agent.outcome import Done
from core.agent.run_state import RunState
from core.agent.tool_format import is_heavy
from core.domain.decisions import Approval
from core.domain.errors import QueryRejected, ReaderNeeded, ToolError
from core.domain.table import Table
from core.memory.cards import cards
from core.prompt_library import PromptLibrary
from core.reviewer.checks import look_ups_for, review
from core.reviewer.correction import names_meant, shortened, tables_named
from core.reviewer.data_end import EndLookUp
from core.reviewer.remark import Remark
from core.reviewer.spelling import LookUp
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
    _approved: set[Approval] = field(default_factory=set[Approval], init=False)

    def __post_init__(self, guard: Guard) -> None:
        ctx = self.state.ctx
        self._door = QueryGateway(
            warehouse=ctx.warehouse, guard=guard, connection=ctx.connection, audit=ctx.audit
        )

    def tool_context(self, *approved: Approval) -> ToolContext:
        """Open a context for one tool call; a query that is approved runs unasked."""
        ctx = self.state.ctx
        self._approved.update(approved)
        return ToolContext(
            queries=self._door.for_call(*approved),
            catalog=ctx.catalog,
            today=self._today,
            web=ctx.web,
            note=self.state.notes.append,
            definitions=ctx.definitions,
        )

    async def review(self, result: ToolResult, statements: Sequence[str]) -> tuple[Remark, ...]:
        """Look at a result before it is believed; a large one off the event loop."""
        what = partial(
            review,
            result.table,
            statements=statements,
            today=self._today,
            catalog=self.state.ctx.catalog,
        )
        remarks = await asyncio.to_thread(what) if is_heavy(result.table) else what()
        return (*await self._looked_up(result.table, statements), *remarks)

    async def _looked_up(self, table: Table, statements: Sequence[str]) -> list[Remark]:
        """Ask how the rows write the words of filters that found nothing, and where they end."""
        asked = look_ups_for(
            table, statements=statements, today=self._today, catalog=self.state.ctx.catalog
        )
        found = [await self._look_up(each) for each in asked]
        return [remark for remark in found if remark]

    async def _look_up(self, asked: LookUp | EndLookUp) -> Remark | None:
        # It only helps: where it costs too much or fails, the result stands as it is.
        with suppress(ToolError, ReaderNeeded):
            return asked.remark(await self._door.for_call().fetch(asked.query, max_rows=3))
        return None

    @property
    def _today(self) -> date:
        return self.state.ctx.turn.asked_at.date()

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
