"""What the model is told before it begins: what never changes first, what changes most last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.agent.attached import listed
from core.agent.config import AgentConfig
from core.agent.context_limiter import note
from core.agent.intent import Ambiguity, Intent
from core.agent.offer import ToolSchemas
from core.context import ExecutionContext
from core.domain.catalog import CatalogTable
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatRequest,
    SystemMessage,
    UserMessage,
)
from core.domain.conversation import Exchange
from core.domain.plan import MOST_TASKS
from core.memory.cards import cards, plain, within_fence
from core.prompt_library import PromptLibrary

_TOLD_BELOW = "(Its finding is told below.)"
_ASKED_CHARS = 600
_LEFT_OUT = " … (left out)"
_FENCED = re.compile(r"<data>\n(.*?)\n</data>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the question was understood: its intent, and which readings are settled or open.

    `assumed` is what a reader is told of those that were settled by what was said before.
    """

    intent: Intent
    settled: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    open: tuple[Ambiguity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWriter:
    """Writes the requests of one run."""

    prompts: PromptLibrary
    schemas: ToolSchemas
    ctx: ExecutionContext
    config: AgentConfig
    _cards_of: dict[tuple[str, ...], str] = field(
        default_factory=dict[tuple[str, ...], str], init=False
    )

    def intent_request(self, tables: Sequence[CatalogTable]) -> ChatRequest:
        """Return the request that classifies the question, after the thread's last exchange."""
        system = self.prompts.fill(
            "intent",
            connection=plain(self.ctx.connection.name),
            dialect=str(self.ctx.catalog.dialect),
            today=self._today,
            tables=self._cards(tables, most_chars=self.config.table_chars // 2),
            memory=self._memory(),
        )
        last = self.ctx.thread.exchanges[-1:]
        history = self._remembered(last)
        return ChatRequest(
            messages=(SystemMessage(system), *history, *self._question()),
            json_only=True,
            max_output_tokens=600,
        )

    def plan_request(
        self, tables: Sequence[CatalogTable], *, tools: str, so_far: str = ""
    ) -> ChatRequest:
        """Return the request for a plan; `so_far` tells of a plan that did not come through."""
        system = self.prompts.fill(
            "planner",
            connection=plain(self.ctx.connection.name),
            dialect=str(self.ctx.catalog.dialect),
            today=self._today,
            most_tasks=str(MOST_TASKS),
            tools=tools,
            tables=self._cards(tables, most_chars=self.config.table_chars),
            memory=self._memory(),
        )
        history = self._remembered(self.ctx.thread.exchanges)
        again = (note(so_far),) if so_far else ()
        return ChatRequest(
            messages=(SystemMessage(system), *history, *self._question(), *again),
            json_only=True,
            max_output_tokens=2_000,
        )

    def opening(self, reading: Reading, tables: Sequence[CatalogTable]) -> list[ChatMessage]:
        """Return the conversation before the first step: rules, thread, question."""
        history = self._remembered(self.ctx.thread.exchanges)
        return [SystemMessage(self.system(reading, tables)), *history, *self._question()]

    def system(self, reading: Reading, tables: Sequence[CatalogTable]) -> str:
        connection = self.ctx.connection
        dialect = self.ctx.catalog.dialect
        return self.prompts.fill(
            "system",
            connection=plain(connection.name),
            dialect=str(dialect),
            dialect_notes=self.prompts.dialect(dialect),
            description=plain(connection.description),
            today=self._today,
            weekday=f"{self.ctx.turn.asked_at:%A}",
            tables_shown=str(len(tables)),
            tables_known=str(len(self.ctx.catalog.tables)),
            tables=self._cards(tables, most_chars=self.config.table_chars),
            memory=self._memory(),
            guidance="\n".join(self._guidance(reading)),
        )

    @property
    def _today(self) -> str:
        return self.ctx.turn.asked_at.date().isoformat()

    def _question(self) -> Iterator[ChatMessage]:
        turn = self.ctx.turn
        yield UserMessage(_cut(turn.question, self.config.question_chars))
        if turn.attachments:
            yield note(self.prompts.fill("attached", files=listed(turn.attachments)))

    def _cards(self, tables: Sequence[CatalogTable], *, most_chars: int) -> str:
        names = tuple(table.qualified_name for table in tables)
        question = self.ctx.turn.question
        if names not in self._cards_of:
            most = self.config.table_chars
            self._cards_of[names] = cards(tables, question=question, most_chars=most)
        whole = self._cards_of[names]
        # Few tables fit whole into both prompts; then they are written once.
        fits = len(whole) <= most_chars or most_chars >= self.config.table_chars
        return whole if fits else cards(tables, question=question, most_chars=most_chars)

    def _memory(self) -> str:
        memory = self.ctx.memory.strip()
        return self.prompts.fill("memory", memory=within_fence(memory)) if memory else ""

    def _guidance(self, reading: Reading) -> Iterator[str]:
        yield from (self.prompts.family(family) for family in reading.intent.families)
        lines = self.schemas.listed(reading.intent.families)
        if lines:
            yield self.prompts.fill("special_tools", tools=lines)
        if reading.intent.one_at_a_time:
            yield self.prompts.fill("one_at_a_time")
        if reading.settled:
            yield self.prompts.fill("settled", readings="; ".join(reading.settled))
        if reading.open:
            readings = "; ".join(
                f"{plain(each.question)} ({', '.join(map(plain, each.options))})"
                for each in reading.open
            )
            yield self.prompts.fill("unsettled", readings=readings)

    def _remembered(self, exchanges: Sequence[Exchange]) -> Iterator[ChatMessage]:
        """Give each exchange as it was said, and each step that a person was led through."""
        done: tuple[str, ...] = ()
        for each in exchanges:
            before, done = done, each.answer.steps.done
            goes_on = done[: len(before)] == before
            *first, last = (each.question, *(done[len(before) :] if goes_on else done))
            for step in first[1:]:
                yield UserMessage(_cut(step, self.config.question_chars))
                yield AssistantMessage(_TOLD_BELOW)
            yield UserMessage(self._asked(each, last))
            yield AssistantMessage(self._answered(each))

    def _asked(self, exchange: Exchange, question: str) -> str:
        asked = _cut(question, self.config.question_chars)
        files = exchange.attachments
        return f"{asked}\n(Files that came with it: {listed(files)})" if files else asked

    def _answered(self, exchange: Exchange) -> str:
        """Return an answer of the thread with the SQL it rested on."""
        text = _cut(exchange.answer.text, self.config.remembered_answer_chars)
        for each in exchange.answer.answered:
            said = _cut(f"{each.question} The reader answered: {each.answer}", _ASKED_CHARS)
            text = f"{text}\n\n(Asked back on the way: {said})"
        statements = ";\n".join(dict.fromkeys(each.sql for each in exchange.answer.sql))
        if not statements:
            return text
        sql = _cut(statements, self.config.remembered_sql_chars)
        return f"{text}\n\nSQL used:\n```sql\n{sql}\n```"


def fenced(text: str) -> list[str]:
    """Return what stands between the marks of data in a prompt."""
    return _FENCED.findall(text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + _LEFT_OUT
