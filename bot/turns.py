"""One message: gate, rights, context, run, log, save; and going on with a turn that paused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

import structlog

from adapters.inmemory.data_dictionary import InMemoryDictionary
from adapters.inmemory.stop_wishes import InMemoryStopWishes
from adapters.inmemory.usage_log import InMemoryUsageLog
from bot.connections import Connections
from bot.decisions import Decisions
from bot.going import Going
from bot.keeping import Keeping
from bot.permits import NotAllowed, Permits
from bot.recollecting import Recollecting
from bot.settings import ChannelSettings
from bot.turn_gate import Declined, TurnGate
from core.agent.agent import SingleLLMAgent
from core.context import ExecutionContext
from core.domain.answer import Answer
from core.domain.budget import Budget
from core.domain.conversation import InboundMessage, Turn
from core.domain.decisions import DecisionAnswer
from core.domain.errors import ConnectionUnusable, StateUnusable, ToolError
from core.domain.events import Event, TurnFailed, TurnFinished, TurnPaused, TurnStarted
from core.domain.ids import (
    ActorId,
    ConnectionName,
    MessageId,
    RunId,
    ThreadId,
    TurnId,
    WorkspaceId,
    fresh_id,
)
from core.domain.names import unknown_name
from core.domain.people import Place
from core.ports.answers_due import AnswersDue
from core.ports.audit_log import AuditLog
from core.ports.chart_renderer import ChartRenderer
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock
from core.ports.data_dictionary import DataDictionary
from core.ports.file_store import FileStore
from core.ports.paused_runs import PausedRuns
from core.ports.run_log import RunLog
from core.ports.stop_wishes import StopWishes
from core.ports.thread_store import ThreadStore
from core.ports.usage_log import UsageLog
from core.ports.web_search import WebSearch
from core.sql.audit_trail import AuditTrail

log = structlog.get_logger()

Start = Callable[[ExecutionContext, asyncio.Event], AsyncGenerator[Event]]
Complete = Callable[[Turn], Awaitable[Turn]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What every run of this process shares."""

    model: ChatModel
    charts: ChartRenderer
    files: FileStore
    threads: ThreadStore
    paused: PausedRuns
    run_log: RunLog
    audit: AuditLog
    due: AnswersDue
    web: WebSearch
    clock: Clock
    connections: Connections
    usage: UsageLog = field(default_factory=InMemoryUsageLog)
    dictionary: DataDictionary = field(default_factory=InMemoryDictionary)
    stops: StopWishes = field(default_factory=InMemoryStopWishes)
    model_by_name: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])
    model_by_family: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])
    last_resort: ChatModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A run to be done; `decided_by` let it go on where somebody had to."""

    turn: Turn
    connection: ConnectionName
    start: Start
    decided_by: ActorId | None = None
    complete: Complete | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True, kw_only=True)
class Turns:
    """Starts runs in tasks that the application owns; whoever wants to see one follows its log."""

    agent: SingleLLMAgent
    gate: TurnGate
    permits: Permits
    outside: Outside
    budget: Budget
    tasks: asyncio.TaskGroup
    channel: Callable[[str], ChannelSettings] = lambda _: ChannelSettings()
    going: Going = field(init=False)
    _keeping: Keeping = field(init=False)
    _recollecting: Recollecting = field(init=False)

    def __post_init__(self) -> None:
        outside = self.outside
        self.going = Going(wishes=outside.stops, tasks=self.tasks)
        self._recollecting = Recollecting(outside.dictionary)
        self._keeping = Keeping(
            run_log=outside.run_log,
            threads=outside.threads,
            usage=outside.usage,
            clock=outside.clock,
        )

    @property
    def decisions(self) -> Decisions:
        """Return who decides about the runs that wait here."""
        outside = self.outside
        return Decisions(
            paused=outside.paused,
            audit=outside.audit,
            permits=self.permits,
            clock=outside.clock,
        )

    async def start(self, message: InboundMessage, *, complete: Complete | None = None) -> Turn:
        """Start a turn, or return the one that this message has started before.

        `complete` looks up what takes its time (names, files, a thread's past) as the first part
        of the run, so that whoever asked sees before it that the question has come.

        Raises:
            Limited: too many questions in a short time.
            Declined: the question is empty or too long, or there is no model of that name.
        """
        known = self.gate.known(message)
        if known is not None:
            return known
        if message.model and message.model not in self.outside.model_by_name:
            raise Declined(unknown_name("model", message.model, self.outside.model_by_name))
        await self.gate.admit(message)
        connection = await self.connection_of(message)
        turn = self._turn(message)
        taken = await self._taken(message.id, turn, message.reply_to, again=True)
        if taken.run != turn.run:
            return taken
        self.gate.opened(message, turn)
        await self._launch(self._order(turn, connection, complete))
        return turn

    async def answered(self, message: InboundMessage, text: str) -> Turn:
        """Return a turn that has its answer already, which took no model and read nothing.

        Raises:
            Limited: too many of them in a short time.
            Declined: it is too long.
        """
        await self.gate.admit(message)
        turn = self._turn(message)
        await self.outside.run_log.begin(turn.run)
        await self._tell(turn, TurnFinished(turn_id=turn.id, answer=Answer(text=text)))
        return turn

    def _turn(self, message: InboundMessage) -> Turn:
        return Turn(
            id=TurnId(fresh_id()),
            run=RunId(fresh_id()),
            thread=message.thread,
            actor=self.permits.directory.described(message.actor),
            question=message.text.strip(),
            asked_at=message.sent_at,
            place=message.place,
            model=message.model or self.channel(message.place.channel).model,
            attachments=message.attachments,
        )

    async def connection_of(self, message: InboundMessage) -> ConnectionName:
        """Return what a question is asked of: what it names, its channel's, the default one."""
        here = await self.connection_here(message.actor.workspace, message.place, message.thread)
        return message.connection or here

    async def connection_here(
        self, workspace: WorkspaceId, place: Place, thread: ThreadId | None
    ) -> ConnectionName:
        """Return what a question is asked of that names nothing: its channel's, the default one."""
        own = self.channel(place.channel).connection
        chosen = await self.outside.connections.chosen(workspace, place, thread)
        return ConnectionName(own) if own else chosen

    async def _taken(
        self, message: MessageId, turn: Turn, reply_to: str, *, again: bool = False
    ) -> Turn:
        """Return the turn that a message starts, or has started before in whatever process."""
        try:
            return await self.outside.due.take(message, turn, reply_to=reply_to, again=again)
        except StateUnusable as error:
            # A message taken twice is better than one that nobody takes.
            log.warning("message_not_noted", reason=str(error))
            return turn

    async def begin_again(self, lost: Turn, complete: Complete) -> Turn | None:
        """Begin a question anew whose process is gone; None where that must not be (once more).

        Raises:
            StateUnusable: nobody can say whether it may be.
        """
        actor = self.permits.directory.described(lost.actor)
        turn = replace(lost, run=RunId(fresh_id()), actor=actor)
        if not await self.outside.due.begin_again(lost.run, turn):
            return None
        connection = await self.connection_here(actor.workspace, turn.place, turn.thread)
        await self._launch(self._order(turn, connection, complete))
        return turn

    def _order(self, turn: Turn, connection: ConnectionName, complete: Complete | None) -> _Order:
        return _Order(
            turn=turn,
            connection=connection,
            start=lambda ctx, stop: self.agent.run(ctx, stop=stop),
            complete=complete,
        )

    def runs_here(self, run: RunId) -> bool:
        """Say whether a run goes on in this process."""
        return run in self.going

    async def decide(self, answer: DecisionAnswer, *, reply_to: str = "") -> Turn:
        """Go on with the run that waits for this answer, in a new run of its turn.

        `reply_to` is where what comes of it goes, as with a message.

        Raises:
            Declined: nothing waits for it any more, or it is not this person's to decide.
        """
        paused = await self.decisions.taken(answer)
        turn = replace(
            paused.turn,
            run=RunId(fresh_id()),
            actor=self.permits.directory.described(paused.turn.actor),
        )
        # A decision that was put back may be taken again: its runs are what is taken once.
        await self._taken(MessageId(f"run:{turn.run}"), turn, reply_to)
        await self._launch(
            _Order(
                turn=turn,
                connection=paused.connection,
                start=lambda ctx, stop: self.agent.resume(ctx, paused, answer, stop=stop),
                decided_by=answer.actor,
            )
        )
        return turn

    async def stop(self, run: RunId) -> bool:
        """Stop a run and its query, in whatever process it goes on; False when it has ended."""
        if self.going.stop(run):
            return True
        try:
            return await self.outside.stops.wish(run)
        except StateUnusable as error:
            log.warning("stop_not_wished", run=run, reason=str(error))
            return False

    async def leave(self, workspace: WorkspaceId) -> None:
        """Stop what runs for a workspace, wait for its ends, and forget its messages."""
        await self.going.stop_all(workspace)
        self.gate.forget(workspace)

    async def drain(self, seconds: float) -> None:
        """Let what runs end within these seconds, then stop it; each still gets its end."""
        await self.going.drain(seconds)

    async def _launch(self, order: _Order) -> None:
        run = order.turn.run
        await self.outside.run_log.begin(run)
        task = self.tasks.create_task(self._answer(order), name=run)
        self.going.add(order.turn, task, order.stop)

    async def _answer(self, order: _Order) -> None:
        with structlog.contextvars.bound_contextvars(turn=order.turn.id, run=order.turn.run):
            order = await self._completed(order)
            turn = order.turn
            async with self.gate.in_order(turn):
                try:
                    self.permits.check_use(turn, order.connection)
                    ctx = await self._context(order)
                except NotAllowed as error:
                    await self._turned_away(order, str(error))
                except (ConnectionUnusable, StateUnusable, ToolError) as error:
                    await self._failed(turn, str(error))
                else:
                    await self._recorded(ctx, order.start(ctx, order.stop))

    async def _completed(self, order: _Order) -> _Order:
        """Return the order with its turn complete; as it is where that cannot be had."""
        if order.complete is None:
            return order
        try:
            turn = await order.complete(order.turn)
        except Exception:
            log.exception("turn_not_completed")
            return order
        actor = self.permits.directory.described(turn.actor)
        return replace(order, turn=replace(turn, actor=actor))

    async def _turned_away(self, order: _Order, sentence: str) -> None:
        """Answer that this person may not read that; it is an answer like any other."""
        turn = order.turn
        await self.decisions.turned_away(turn, order.connection, sentence)
        answer = Answer(text=sentence, refused=True, connection=order.connection)
        await self._tell(turn, TurnFinished(turn_id=turn.id, answer=answer))

    async def _failed(self, turn: Turn, reason: str) -> None:
        error_id = fresh_id()[:12]
        log.warning("connection_unusable", reason=reason, error_id=error_id)
        await self._tell(turn, TurnFailed(turn_id=turn.id, reason=reason, error_id=error_id))

    async def _tell(self, turn: Turn, end: TurnFinished | TurnFailed) -> None:
        """Log a run that has nothing but its end."""
        started = TurnStarted(
            turn_id=turn.id, run_id=turn.run, thread_id=turn.thread, question=turn.question
        )
        for event in (started, end):
            await self.outside.run_log.append(turn.run, event)

    async def _context(self, order: _Order) -> ExecutionContext:
        turn = order.turn
        thread = self.permits.heard(await self.outside.threads.load(turn.thread), turn)
        found = await self.outside.connections.get(order.connection)
        recollection = await self._recollecting.of(turn, thread, found)
        chosen = self.outside.model_by_name.get(turn.model)
        return ExecutionContext(
            turn=turn,
            thread=thread,
            connection=found.connection,
            catalog=found.catalog,
            warehouse=found.warehouse,
            model=chosen or self.outside.model,
            model_by_family={} if chosen else self.outside.model_by_family,
            last_resort=self.outside.last_resort,
            charts=self.outside.charts,
            files=self.outside.files,
            paused=self.outside.paused,
            web=self.outside.web,
            clock=self.outside.clock,
            budget=self.budget,
            memory=recollection.memory,
            definitions=recollection.definitions,
            warnings=recollection.warnings,
            audit=AuditTrail(
                log=self.outside.audit,
                turn=turn,
                connection=order.connection,
                clock=self.outside.clock,
                decided_by=order.decided_by,
            ),
        )

    async def _recorded(self, ctx: ExecutionContext, events: AsyncGenerator[Event]) -> None:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TurnFinished | TurnFailed):
                    await self._keeping.keep_end(ctx, event)
                    continue
                if isinstance(event, TurnPaused):
                    await self.decisions.asked(ctx.turn, ctx.connection.name, event.decision)
                await self.outside.run_log.append(ctx.turn.run, event)
