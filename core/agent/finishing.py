"""Ends a run with its one answer: figures held against the results, results shown, a no said."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.agent.answer_text import AnswerText
from core.agent.answering import build_answer, choose_results, conditions_behind, summarise
from core.agent.artifact_emitter import ArtifactEmitter
from core.agent.config import AgentConfig
from core.agent.defined import definitions_told
from core.agent.outcome import Asks, Done
from core.agent.pausing import decision_of, pause
from core.agent.reporter import Reporter
from core.agent.run_state import RunState
from core.agent.tool_format import is_heavy, read_back
from core.domain.answer import Conditions
from core.domain.chat import ToolMessage
from core.domain.events import End, TurnFailed, TurnFinished
from core.domain.ids import fresh_id
from core.domain.table import Table
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure
from core.reviewer.grounding import unsupported, without
from core.sql.gateway import LONG_STATEMENT


@dataclass(slots=True, kw_only=True)
class Finisher:
    """`given` are the texts whose figures need no proof: memory, thread, what the schema says."""

    state: RunState
    emitter: ArtifactEmitter
    reporter: Reporter
    given: tuple[str, ...]
    config: AgentConfig

    async def unsupported(self, text: str) -> tuple[Figure, ...]:
        """Return the figures of a text that nothing in this run supports."""
        tables = [*(each.result.table for each in self.state.done), *self._tables_before()]
        evidence = Evidence(tables, self._texts())
        if is_heavy(*tables):
            return await asyncio.to_thread(unsupported, text, evidence)
        return unsupported(text, evidence)

    async def accept(self, written: AnswerText, chosen: Sequence[Done] | None = None) -> End:
        """End with this text and the results that it speaks of: `chosen` where they are known."""
        if chosen is None:
            chosen = await self._chosen(written.text)
        shown = await self.emitter.finish(chosen)
        answer = build_answer(
            self.state,
            await self._with_definitions(written, chosen),
            shown=shown,
            chosen=chosen,
            conditions=await self._conditions(chosen),
        )
        return TurnFinished(turn_id=self.state.ctx.turn.id, answer=answer)

    async def accept_without(self, written: AnswerText, wrong: Sequence[Figure]) -> End:
        """End with what is left of a text without the sentences that do not hold."""
        self.reporter.withdraw()
        text = without(written.text, wrong) or summarise(self.state.done)
        if not text:
            return self.fail("The figures of the answer could not be traced to the data.")
        self.state.warnings.append(
            "A statement was left out because its figures are not in the results."
        )
        self.reporter.write(text)
        return await self.accept(replace(written, text=text))

    async def tell_results(self, why: str) -> End:
        """End with a text made from the results alone, and say why it is none of the model's."""
        self.reporter.withdraw()
        text = summarise(self.state.done)
        if not text:
            return self.fail(f"{why} There is no result yet; ask again, perhaps for less.")
        self.state.warnings.append(f"{why} This is what was found until then.")
        self.reporter.write(text)
        return await self.accept(AnswerText(text=text, assumptions=(), suggestions=()))

    def decline(self, last: Done) -> End:
        """End with the no that a tool has given."""
        return self.end_with(last.result.finding)

    async def pause(self, asking: Asks) -> End:
        """End with a question that only the reader can answer."""
        artifacts = [each for each in self.state.done if each.declaration is not None]
        shown = await self.emitter.finish(artifacts[-1:])
        decision = decision_of(asking.needed)
        return await pause(self.state, asking.call.id, decision, shown=shown, config=self.config)

    async def _chosen(self, text: str) -> tuple[Done, ...]:
        done = self.state.done
        if is_heavy(*(each.result.table for each in done)):
            return await asyncio.to_thread(choose_results, text, done)
        return choose_results(text, done)

    async def _with_definitions(self, written: AnswerText, chosen: Sequence[Done]) -> AnswerText:
        """Add the definitions that the shown results go by, where no assumption names them."""
        ctx = self.state.ctx
        ran = [each.sql for done in chosen for each in done.executed]
        if not ctx.definitions.named or not ran:
            return written
        said = (*self.state.assumed, *written.assumptions)
        told = await asyncio.to_thread(
            definitions_told, ctx.definitions, ran, ctx.catalog.dialect, said
        )
        return replace(written, assumptions=(*told, *written.assumptions))

    async def _conditions(self, chosen: Sequence[Done]) -> Conditions:
        catalog = self.state.ctx.catalog
        if any(len(each.sql) > LONG_STATEMENT for done in chosen for each in done.executed):
            return await asyncio.to_thread(conditions_behind, chosen, catalog)
        return conditions_behind(chosen, catalog)

    def end_with(self, text: str) -> End:
        """End with a plain sentence that answers nothing, because the reader wished it so."""
        self.reporter.write(text)
        written = AnswerText(text=text, assumptions=(), suggestions=())
        answer = build_answer(self.state, written, shown=(), refused=True)
        return TurnFinished(turn_id=self.state.ctx.turn.id, answer=answer)

    def fail(self, reason: str) -> TurnFailed:
        return TurnFailed(turn_id=self.state.ctx.turn.id, reason=reason, error_id=fresh_id()[:12])

    def _texts(self) -> list[str]:
        done = self.state.done
        said = [text for each in done for text in (each.result.finding, *each.result.notes)]
        return [self.state.ctx.turn.question, *self.given, *said, *self.state.notes]

    def _tables_before(self) -> list[Table]:
        """Return the results from before a pause, as far as the model was given them."""
        known = {each.call.id for each in self.state.done}
        texts = (
            message.text
            for message in self.state.messages
            if isinstance(message, ToolMessage) and message.call_id not in known
        )
        return [table for text in texts if (table := read_back(text)) is not None]
