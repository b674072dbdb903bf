"""Doors behind the page that answer by script: one word of a question chooses what happens."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.inmemory.run_log import InMemoryRunLog
from adapters.web.doors import ConnectionLabel, PageState, TurnDeclined, WebDoors
from core.domain.answer import (
    Answer,
    Conditions,
    ExecutedSql,
    FileRef,
    Shown,
    ShownChart,
    ShownColumn,
    ShownTable,
    Usage,
)
from core.domain.conversation import InboundMessage, Turn
from core.domain.decisions import Approval, Clarification, Clarified, Decision, DecisionAnswer
from core.domain.events import (
    ArtifactMade,
    Event,
    PlanChanged,
    Progress,
    TextWithdrawn,
    TextWritten,
    ToolCallFinished,
    ToolCallStarted,
    TurnFailed,
    TurnFinished,
    TurnPaused,
    TurnStarted,
)
from core.domain.ids import (
    ArtifactId,
    DecisionId,
    MessageId,
    QueryHash,
    RunId,
    TaskId,
    ToolCallId,
    TurnId,
    fresh_id,
)
from core.domain.plan import TaskLine, TaskState
from core.domain.query import CostEstimate
from core.domain.table import ColumnKind

LONGEST = 8_000
LOOK_UP = "SELECT DISTINCT status FROM orders"
SQL = (
    "SELECT products.name AS product, SUM(order_lines.revenue) AS revenue, "
    "SUM(order_lines.quantity) AS units FROM order_lines JOIN products ON "
    "order_lines.product_id = products.product_id WHERE ordered_at >= '2024-01-01' "
    "GROUP BY products.name ORDER BY revenue DESC LIMIT 12"
)
ROWS = (
    ("Network Switch", 1335208.75, 4419, 0.0967, "2023-04-02"),
    ("Task Chair", 1203147.29, 2463, 0.0872, "2021-06-06"),
    ("Bookcase", 1163659.17, 3592, 0.0843, None),
    ("Document Scanner", 1125450.87, 3365, 0.0815, "2022-01-19"),
    ("Visitor Chair", 715272.82, 1644, 0.0518, "2021-08-20"),
    ("Conference Speaker", 556121.84, 2340, 0.0403, "2020-11-02"),
    ("Oak Desk", 476544.46, 2529, 0.0345, "2021-06-24"),
    ("Silent Mouse", 436821.36, 4018, 0.0316, "2022-05-30"),
    ("Lounge Sofa", 421000.5, 702, 0.0305, "2022-08-29"),
    ("Wide Monitor", 399102.0, 1200, 0.0289, "2021-11-03"),
    ("<b>Acoustic</b> Panel", 210044.9, 981, 0.0152, "2023-04-25"),
    ("=1+1 Locker Unit", 99211.1, None, 0.0072, "2021-08-26"),
)
COLUMNS = (
    ShownColumn(name="product", kind=ColumnKind.DIMENSION),
    ShownColumn(name="revenue", kind=ColumnKind.MEASURE, unit="EUR"),
    ShownColumn(name="units", kind=ColumnKind.MEASURE),
    ShownColumn(name="share_of_total", kind=ColumnKind.MEASURE, unit="share"),
    ShownColumn(name="launched_on", kind=ColumnKind.TIME),
)


@dataclass(slots=True)
class ScriptedDoors:
    """`picture` is the chart of every answer; a "slow" question waits for `go_on` or a stop."""

    picture: bytes = b""
    runs: InMemoryRunLog = field(default_factory=InMemoryRunLog)
    files: InMemoryFileStore = field(default_factory=InMemoryFileStore)
    clock: InMemoryClock = field(default_factory=InMemoryClock)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[InboundMessage] = field(default_factory=list[InboundMessage])
    decisions: list[DecisionAnswer] = field(default_factory=list[DecisionAnswer])
    stopped: list[RunId] = field(default_factory=list[RunId])
    limited: int = 0
    _turns: dict[MessageId, Turn] = field(default_factory=dict[MessageId, Turn])
    _waiting: dict[DecisionId, Turn] = field(default_factory=dict[DecisionId, Turn])
    _tasks: dict[RunId, asyncio.Task[None]] = field(default_factory=dict[RunId, asyncio.Task[None]])

    def doors(self) -> WebDoors:
        return WebDoors(
            start=self.start,
            decide=self.decide,
            stop=self.stop,
            state=self.state,
            runs=_Runs(self),
            files=self.files,
            clock=self.clock,
        )

    async def state(self) -> PageState:
        return PageState(
            connections=(
                ConnectionLabel(name="demo", dialect="sqlite", description="Office supplies"),
                ConnectionLabel(name="warehouse", dialect="postgres"),
            ),
            default_connection="demo",
            model="offline/analyst",
            examples=(
                "Top 5 products by revenue in 2024",
                "Monthly revenue by region in 2025",
                "How did refunds develop over the last two years?",
                "Which customers have the most open tickets?",
            ),
        )

    async def start(self, message: InboundMessage) -> Turn:
        if message.id in self._turns:
            return self._turns[message.id]
        if not message.text.strip():
            raise TurnDeclined("Please ask a question.")
        if len(message.text) > LONGEST:
            raise TurnDeclined(f"That question has {len(message.text):,} characters.")
        if self.limited:
            self.limited -= 1
            raise TurnDeclined("That is too many questions. Please wait 2 s.", retry_after=1.6)
        self.asked.append(message)
        turn = Turn(
            id=TurnId(fresh_id()),
            run=RunId(fresh_id()),
            thread=message.thread,
            actor=message.actor,
            question=message.text,
            asked_at=message.sent_at,
        )
        self._turns[message.id] = turn
        await self._launch(turn, self._script(turn))
        return turn

    async def decide(self, answer: DecisionAnswer) -> Turn:
        turn = self._waiting.pop(answer.decision, None)
        if turn is None:
            raise TurnDeclined("This was answered already or has expired. Please ask again.")
        self.decisions.append(answer)
        resumed = Turn(
            id=turn.id,
            run=RunId(fresh_id()),
            thread=turn.thread,
            actor=turn.actor,
            question=turn.question,
            asked_at=turn.asked_at,
        )
        words = answer.text if isinstance(answer, Clarified) else str(answer.choice)
        await self._launch(resumed, self._answered(resumed, f"You wanted {words}. "))
        return resumed

    async def stop(self, run: RunId) -> bool:
        self.stopped.append(run)
        task = self._tasks.get(run)
        return task is not None and task.cancel()

    def forget(self) -> None:
        """Lose everything, as a server does that was started anew."""
        self.runs = InMemoryRunLog()
        self._turns.clear()
        self._waiting.clear()

    async def _launch(self, turn: Turn, script: AsyncIterator[Event]) -> None:
        await self.runs.begin(turn.run)
        self._tasks[turn.run] = asyncio.create_task(self._play(turn, script))

    async def _play(self, turn: Turn, script: AsyncIterator[Event]) -> None:
        started = TurnStarted(
            turn_id=turn.id, run_id=turn.run, thread_id=turn.thread, question=turn.question
        )
        await self.runs.append(turn.run, started)
        try:
            async for event in script:
                await self.runs.append(turn.run, event)
        except asyncio.CancelledError:
            failed = TurnFailed(turn_id=turn.id, reason="Stopped.", error_id="", stopped=True)
            await self.runs.append(turn.run, failed)

    async def _script(self, turn: Turn) -> AsyncIterator[Event]:
        words = turn.question.lower()
        yield Progress(turn_id=turn.id, text="Looking at the tables")
        if "unclear" in words:
            yield self._paused(turn, _clarification())
        elif "expensive" in words:
            yield self._paused(turn, _approval())
        elif "broken" in words:
            yield TurnFailed(
                turn_id=turn.id, reason="The database did not answer.", error_id="4f1c09aa"
            )
        else:
            for event in _planned(turn) if "parts" in words else ():
                yield event
            for event in _steps(turn):
                yield event
            if "slow" in words:
                await self.go_on.wait()
            async for event in self._answered(turn, ""):
                yield event

    def _paused(self, turn: Turn, decision: Decision) -> TurnPaused:
        self._waiting[decision.id] = turn
        return TurnPaused(turn_id=turn.id, decision=decision)

    async def _answered(self, turn: Turn, before: str) -> AsyncIterator[Event]:
        text = before + (
            "**Network Switch** sold best in 2024 with a revenue of EUR 1,335,208.75, "
            "11 % more than **Task Chair**.\n\n- `<script>alert(1)</script>` stays text\n"
            "- The first four make more than a third of everything"
        )
        yield TextWritten(turn_id=turn.id, text="I shall look that up.")
        yield TextWithdrawn(turn_id=turn.id)
        result = await self._result()
        yield ArtifactMade(turn_id=turn.id, shown=result)
        yield TextWritten(turn_id=turn.id, text=text)
        yield TurnFinished(turn_id=turn.id, answer=_answer(text, result))

    async def _result(self) -> Shown:
        csv = await self._kept("top_products.csv", "text/csv", b"product,revenue\nA,1\n")
        picture = await self._kept("chart.png", "image/png", self.picture or plain_png())
        narrow = await self._kept("narrow.png", "image/png", self.picture or plain_png(320))
        chart = ShownChart(
            title="Network Switch leads with EUR 1.3 million",
            alt_text="Bar chart of revenue by product; highest Network Switch, 1,335,208.75.",
            picture=picture,
            narrow=narrow,
        )
        return Shown(
            id=ArtifactId(fresh_id()),
            title="Top products by revenue in 2024",
            table=ShownTable(columns=COLUMNS, rows=ROWS, row_count=60),
            charts=(chart,),
            files=(csv,),
        )

    async def _kept(self, name: str, media_type: str, content: bytes) -> FileRef:
        return await self.files.put(name, media_type, _one(content))


@dataclass(frozen=True, slots=True)
class _Runs:
    """The log that is there now, so that it can be lost."""

    scripted: ScriptedDoors

    async def begin(self, run: RunId) -> None:
        await self.scripted.runs.begin(run)

    async def append(self, run: RunId, event: Event) -> int:
        return await self.scripted.runs.append(run, event)

    def follow(self, run: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, Event]]:
        return self.scripted.runs.follow(run, after=after)


def plain_png(width: int = 640, height: int = 360) -> bytes:
    """Return a picture of one colour."""
    rows = b"".join(b"\x00" + b"\x0f\x76\x6e" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


async def _one(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _planned(turn: Turn) -> Iterator[Event]:
    running, done = TaskState.RUNNING, TaskState.DONE
    for first, second in ((running, TaskState.WAITING), (done, running), (done, done)):
        yield PlanChanged(
            turn_id=turn.id,
            tasks=(
                TaskLine(id=TaskId("a"), title="Revenue by product", state=first),
                TaskLine(id=TaskId("b"), title="Compared with 2023", state=second),
            ),
        )


def _steps(turn: Turn) -> Iterator[Event]:
    first, second = ToolCallId(fresh_id()), ToolCallId(fresh_id())
    yield ToolCallStarted(
        turn_id=turn.id, call_id=first, tool="get_schema", title="Reading three tables"
    )
    yield ToolCallStarted(
        turn_id=turn.id, call_id=second, tool="run_query", title="Adding up revenue by product"
    )
    yield ToolCallFinished(
        turn_id=turn.id,
        call_id=first,
        tool="get_schema",
        ok=True,
        summary="order_lines, orders and products with 21 columns",
        rows=21,
        seconds=0.004,
    )
    yield ToolCallFinished(
        turn_id=turn.id,
        call_id=second,
        tool="run_query",
        ok=False,
        summary="ordered_at is a column of orders; the tables are joined first",
        seconds=0.21,
    )


def _answer(text: str, result: Shown) -> Answer:
    return Answer(
        text=text,
        result=result,
        shown=(result,),
        sql=(
            ExecutedSql(sql=LOOK_UP, rows=3, seconds=0.012, purpose="look_up"),
            ExecutedSql(sql=SQL, rows=60, seconds=0.231),
        ),
        conditions=Conditions(
            period="2024",
            time_zone="UTC",
            filters=("status = <b>paid</b>", "a = 1", "b = 2", "other conditions"),
        ),
        assumptions=("Revenue is net of discounts.", "2024 is the calendar year, UTC."),
        warnings=("One order line has 4,800 units, far more than any other.",),
        suggestions=("Only Spain", "By month", "Compare with 2023"),
        connection="demo",
        model="offline/analyst",
        usage=Usage(input_tokens=1830, output_tokens=211, usd=0.0042),
        seconds=0.84,
    )


def _clarification() -> Clarification:
    return Clarification(
        id=DecisionId(fresh_id()),
        question="“Top performing” by which measure?",
        options=("Revenue", "Units sold", "Margin"),
    )


def _approval() -> Approval:
    return Approval(
        id=DecisionId(fresh_id()),
        reason="It would read 82 million rows, more than the 50 million that need a yes.",
        sql=SQL,
        query_hash=QueryHash("0" * 64),
        estimate=CostEstimate(rows=82e6, bytes=61e9, seconds=140, usd=0.38, confidence="estimate"),
    )
