"""Tools that let a test see how they are run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from core.domain.artifact import Sheet
from core.domain.decisions import Approval
from core.domain.errors import ApprovalNeeded, QueryRejected, TemporarilyUnavailable
from core.domain.ids import DecisionId, QueryHash, fresh_id
from core.domain.query import CostEstimate
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.args import NoArgs, ToolArgs
from core.toolkit.catalogue import Catalogue
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import AnyTool, ToolResult, tool

COSTLY_HASH = QueryHash("c0" * 32)


class CountArgs(ToolArgs):
    """What to count."""

    what: str = ""
    size: int = 0


def counted(what: str, value: int) -> ToolResult:
    columns = (Column("what", ColumnKind.DIMENSION), Column("value", ColumnKind.MEASURE))
    return ToolResult(
        finding=f"{what} counts {value}.", table=Table(columns=columns, rows=((what, value),))
    )


@dataclass(slots=True)
class Probes:
    """`ran` are the arguments of each run of `count_things`, in order."""

    ran: list[CountArgs] = field(default_factory=list[CountArgs])
    at_once: int = 0
    most_at_once: int = 0
    cancelled: int = 0
    waits: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def tools(self, *more: AnyTool) -> Catalogue:
        return catalogue((*self._tools(), *more))

    def _tools(self) -> Iterable[AnyTool]:
        @tool(family=Family.ANALYZE, artifact=Sheet(), always_on=True)
        async def count_things(args: CountArgs, _ctx: ToolContext) -> ToolResult:
            """Count things."""
            self.ran.append(args)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            await asyncio.sleep(0)
            self.at_once -= 1
            return counted(args.what, 40 + len(args.what))

        @tool(family=Family.ANALYZE, always_on=True)
        async def wait_for_ever(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
            """Wait until the test lets go."""
            self.begun.set()
            try:
                await self.waits.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            return counted("waiting", 77)

        @tool(family=Family.ANALYZE, always_on=True)
        async def break_down(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
            """Break in a way that nobody expected."""
            raise ZeroDivisionError("a mistake in a tool")

        return (count_things, wait_for_ever, break_down)


def failing(times: int) -> AnyTool:
    """Return a tool that gives no answer in time so many times, and then does."""
    left = iter(range(times))

    @tool(family=Family.ANALYZE, always_on=True)
    async def reach_out(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
        """Reach out to something that is away now and then."""
        if next(left, None) is not None:
            raise TemporarilyUnavailable("The lock was not free.")
        return counted("reached", 55)

    return reach_out


@tool(family=Family.ANALYZE, always_on=True)
async def be_rejected(_args: CountArgs, _ctx: ToolContext) -> ToolResult:
    """Send a query that the database rejects."""
    raise QueryRejected('no such column: "amuont" near secret words')


@tool(family=Family.ANALYZE, artifact=Sheet(), always_on=True)
async def read_much(_args: CountArgs, ctx: ToolContext) -> ToolResult:
    """Read more than may be read unasked."""
    if COSTLY_HASH not in {each.query_hash for each in ctx.queries.approved}:
        raise ApprovalNeeded(
            Approval(
                id=DecisionId(fresh_id()),
                reason="It reads 2 billion rows.",
                sql="SELECT * FROM orders",
                query_hash=COSTLY_HASH,
                estimate=CostEstimate(rows=2e9, confidence="estimate"),
            )
        )
    return counted("much", 99)


def catalogue(tools: Iterable[AnyTool]) -> Catalogue:
    return Catalogue({each.name: each for each in sorted(tools, key=_name)})


def _name(each: AnyTool) -> Any:
    return each.name
