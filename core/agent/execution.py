"""Tool calls: check the arguments, run, try again, and say what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never, cast

import orjson

from core.agent.call_reading import ReadCall, meant, read_call
from core.agent.config import AgentConfig
from core.agent.offer import ToolSchemas
from core.agent.on_demand import manual_of
from core.agent.outcome import Asks, Done, Failed, Outcome, Repeated
from core.agent.reporter import Reporter
from core.agent.step_words import rows_of, summary_of, title_of
from core.agent.tool_format import columns_of, error_text, result_text
from core.domain.answer import ExecutedSql
from core.domain.chat import ToolCall
from core.domain.decisions import Approval
from core.domain.errors import (
    BadArguments,
    OperatorNeeded,
    QueryRejected,
    ReaderNeeded,
    TemporarilyUnavailable,
    ToolError,
)
from core.ports.clock import Clock
from core.reviewer.remark import Remark
from core.sql.gateway import LONG_STATEMENT
from core.toolkit.context import ToolContext
from core.toolkit.headings import needs_headings, with_headings
from core.toolkit.tool import AnyTool, ToolResult

# Turns what nobody expected of an awaitable into an outcome, and logs it.
Contain = Callable[[Awaitable[Outcome], Callable[[str], Outcome]], Awaitable[Outcome]]


class ContextOpener(Protocol):
    """Opens the context of one tool call; what is approved runs unasked."""

    def __call__(self, *approved: Approval) -> ToolContext: ...


@dataclass(slots=True, kw_only=True)
class ToolRunner:
    """Runs the tool calls of one run; the same call is never run twice in vain.

    `review` says what to know of a result; `correct`
    makes advice of a database's words about a rejected query; `seconds_left` says how long a call
    may take that begins now.
    """

    schemas: ToolSchemas
    context: ContextOpener
    review: Callable[[ToolResult, Sequence[str]], Awaitable[tuple[Remark, ...]]]
    correct: Callable[[QueryRejected, str], str]
    seconds_left: Callable[[], float]
    contain: Contain
    clock: Clock
    config: AgentConfig
    reporter: Reporter
    _known: dict[bytes, asyncio.Future[Outcome]] = field(
        default_factory=dict[bytes, asyncio.Future[Outcome]], init=False
    )
    _rejections: int = field(default=0, init=False)
    _has_explained: set[str] = field(default_factory=set[str], init=False)
    _has_taught: set[str] = field(default_factory=set[str], init=False)

    def ends_run(self, call: ToolCall) -> bool:
        inner = meant(call)
        tool = self.schemas.catalogue.get(inner.name) if inner else None
        return tool is not None and tool.ends_run

    async def run_all(self, calls: Sequence[ToolCall]) -> tuple[Outcome, ...]:
        """Run calls side by side, a few at once; the outcomes are in the order of the calls."""
        if len(calls) == 1:
            return (await self._alone(calls[0]),)
        most = self.config.calls_a_step
        places = asyncio.Semaphore(self.config.calls_at_once)
        async with asyncio.TaskGroup() as tasks:
            begun = [self._begun(call, places, tasks) for call in calls[:most]]
        return (
            *(each if isinstance(each, Failed) else each.result() for each in begun),
            *(_too_many(each, most) for each in calls[most:]),
        )

    async def _alone(self, call: ToolCall) -> Outcome:
        """Run the only call of a step, without a task of its own."""
        found = self._read(call)
        if isinstance(found, Failed):
            return found
        earlier = self._known.get(found.key)
        before = await earlier if earlier else None
        if before is not None and not _may_repeat(before):
            return _repeated(found.call, before)
        outcome = await self._reported(found, self.context())
        self._known[found.key] = asyncio.get_running_loop().create_future()
        self._known[found.key].set_result(outcome)
        return outcome

    async def run_approved(self, call: ToolCall, approved: Approval) -> Outcome:
        """Run a call again whose query a person has let through."""
        found = self._read(call)
        if isinstance(found, Failed):
            return found
        return await self._reported(found, self.context(approved))

    def _read(self, call: ToolCall) -> ReadCall | Failed:
        return read_call(call, self.schemas.catalogue, most_chars=self.config.argument_chars)

    def _begun(
        self, call: ToolCall, places: asyncio.Semaphore, tasks: asyncio.TaskGroup
    ) -> asyncio.Task[Outcome] | Failed:
        found = self._read(call)
        if isinstance(found, Failed):
            return found
        earlier = self._known.get(found.key)
        if earlier is None:
            return self._first(found, places, tasks)
        return tasks.create_task(self._again(found, earlier, places, tasks))

    def _first(
        self, found: ReadCall, places: asyncio.Semaphore, tasks: asyncio.TaskGroup
    ) -> asyncio.Task[Outcome]:
        # Others that ask for the same in this very step wait for this task.
        task = tasks.create_task(self._placed(found, places))
        self._known[found.key] = task
        return task

    async def _again(
        self,
        found: ReadCall,
        earlier: asyncio.Future[Outcome],
        places: asyncio.Semaphore,
        tasks: asyncio.TaskGroup,
    ) -> Outcome:
        before = await earlier
        if _may_repeat(before):
            return await self._first(found, places, tasks)
        return _repeated(found.call, before)

    async def _placed(self, found: ReadCall, places: asyncio.Semaphore) -> Outcome:
        async with places:
            return await self._reported(found, self.context())

    async def _reported(self, found: ReadCall, context: ToolContext) -> Outcome:
        if found.tool.ends_run:
            return await self._in_time(found, context)  # the answer, no step
        call, started = found.call, self.clock.monotonic()
        self.reporter.started(call, title_of(found.tool, found.arguments))
        try:
            outcome = await self._in_time(found, context)
        except asyncio.CancelledError:
            self.reporter.finished(call, ok=False, summary="Stopped.")
            raise
        self.reporter.finished(
            call,
            ok=isinstance(outcome, Done | Asks),
            summary=summary_of(outcome),
            executed=tuple(context.queries.executed),
            rows=rows_of(outcome),
            seconds=self.clock.monotonic() - started,
        )
        return outcome

    async def _in_time(self, found: ReadCall, context: ToolContext) -> Outcome:
        """Run a call, and break it off with its queries when the time for tools is over."""
        try:
            async with asyncio.timeout(self.seconds_left()):
                return await self._contained(found, context)
        except TimeoutError:
            return _broken_off(found)

    async def _contained(self, found: ReadCall, context: ToolContext) -> Outcome:
        return await self.contain(
            self._outcome(found, context), lambda error_id: _broken(found.call, error_id)
        )

    async def _outcome(self, found: ReadCall, context: ToolContext) -> Outcome:
        call, tool = found.call, found.tool
        try:
            result = await self._tried(found, context)
        except ReaderNeeded as needed:
            return Asks(call=call, needed=needed)
        except QueryRejected as rejected:
            return self._rejected(call, rejected)
        except ToolError as error:
            passing = isinstance(error, TemporarilyUnavailable)
            manual = self._manual(tool) if isinstance(error, BadArguments) else ""
            return Failed(call=call, text=error_text(error.advice + manual), may_repeat=passing)
        except OperatorNeeded as error:
            return Failed(call=call, text=error_text(str(error)))
        self._rejections = 0
        executed = tuple(context.queries.executed)
        result = await _headed(result, executed, context)
        remarks = await self.review(result, [each.sql for each in executed])
        return Done(
            call=call,
            tool=tool,
            arguments=found.arguments,
            result=result,
            text=result_text(
                result,
                most_chars=self.config.result_chars,
                remarks=(remark.text for remark in remarks),
                meaning=self._meaning(tool),
            ),
            executed=executed,
            warnings=tuple(remark.text for remark in remarks if remark.for_reader),
        )

    def _meaning(self, tool: AnyTool) -> str:
        """Say what the columns of a tool's results mean, once a run."""
        if tool.name in self._has_explained:
            return ""
        self._has_explained.add(tool.name)
        return columns_of(tool)

    def _manual(self, tool: AnyTool) -> str:
        """Say all about a tool of which the model has read a line only, once a run."""
        if tool.name not in self.schemas.lines or tool.name in self._has_taught:
            return ""
        self._has_taught.add(tool.name)
        return "\n" + manual_of(self.schemas.by_name[tool.name])

    async def _tried(self, found: ReadCall, context: ToolContext) -> ToolResult:
        tool, arguments = found.tool, found.arguments
        if not tool.available(context):
            raise BadArguments(f"{tool.name} has nothing to work with here; choose another tool.")
        for attempt in range(self.config.tool_retries):
            try:
                return await tool.call(arguments, context)
            except TemporarilyUnavailable:
                await self.clock.sleep(self.config.tool_wait_seconds * 2**attempt)
        return await tool.call(arguments, context)

    def _rejected(self, call: ToolCall, rejected: QueryRejected) -> Failed:
        self._rejections += 1
        advice = self.correct(rejected, call.arguments)
        if self._rejections >= self.config.rejections_borne:
            advice += (
                f"\n{self._rejections} queries in a row were rejected. Look at the schema again,"
                " answer with what there is, or say what is missing."
            )
        return Failed(call=call, text=error_text(advice), rejected=True)


async def _headed(
    result: ToolResult, executed: Sequence[ExecutedSql], context: ToolContext
) -> ToolResult:
    """Return a result whose columns are called what they show, as far as its statement says."""
    if not executed or not needs_headings(result.table):
        return result
    sql = executed[-1].sql
    args = (result.table, sql, context.catalog)
    is_long = len(sql) > LONG_STATEMENT
    table = await asyncio.to_thread(with_headings, *args) if is_long else with_headings(*args)
    return replace(result, table=table)


def _may_repeat(before: Outcome) -> bool:
    return isinstance(before, Failed) and before.may_repeat


def _repeated(call: ToolCall, before: Outcome) -> Outcome:
    match before:
        case Done() | Failed() | Repeated():
            return Repeated(call=call, text=_with_reminder(before.text))
        case Asks():
            return replace(before, call=call)
        case _:
            assert_never(before)


def _with_reminder(text: str) -> str:
    body: dict[str, object] = orjson.loads(text)
    notes = cast("list[str]", body.get("notes", []))
    reminder = "This very call was made before; this is what it gave. Go on from it."
    return orjson.dumps({**body, "notes": [*notes, reminder]}).decode()


def _too_many(call: ToolCall, most: int) -> Failed:
    advice = f"Not run: at most {most} calls fit into one step. Ask again if it is still needed."
    return Failed(call=call, text=error_text(advice), may_repeat=True, skipped=True)


def _broken_off(found: ReadCall) -> Failed:
    title = title_of(found.tool, found.arguments)
    return Failed(
        call=found.call,
        text=error_text("Broken off: the time for this question is nearly over."),
        may_repeat=True,
        warning=f'Not finished, because the time for this question was nearly over: "{title}".',
    )


def _broken(call: ToolCall, error_id: str) -> Failed:
    advice = f"{call.name} broke (error {error_id}). Go on with another tool or with run_query."
    return Failed(call=call, text=error_text(advice))
