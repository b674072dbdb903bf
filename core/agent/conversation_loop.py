"""Step after step until there is an answer, a question to the reader, or a spent budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.agent.answer_text import AnswerText, parse
from core.agent.answered_before import known_answer
from core.agent.artifact_emitter import ArtifactEmitter
from core.agent.config import AgentConfig
from core.agent.context_limiter import estimated_tokens, note, trim
from core.agent.execution import ToolRunner
from core.agent.finishing import Finisher
from core.agent.guided import STEPS_AT_ONCE
from core.agent.in_vain import InVain, is_not_run
from core.agent.intent_keywords import by_keywords
from core.agent.llm_conversation import LlmConversation
from core.agent.offer import Offer
from core.agent.outcome import Asks, Done, Failed, Outcome, Repeated
from core.agent.reporter import Reporter
from core.agent.run_state import RunState
from core.agent.sense import says_nothing
from core.agent.tool_format import error_text
from core.agent.written_calls import calls_in
from core.domain.chat import (
    AssistantMessage,
    ChatReply,
    ChatRequest,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from core.domain.decisions import Approval
from core.domain.errors import ModelError, ModelUnreachable
from core.domain.events import End
from core.domain.ids import ToolCallId, fresh_id
from core.prompt_library import PromptLibrary
from core.reviewer.figures import Figure

_LONGEST_THOUGHT = 4_000
_NOTES_HEAD = "\n\n# Noted during this run\n"


@dataclass(slots=True, kw_only=True)
class ConversationLoop:
    """One model, one conversation, the tools that the question needs.

    `call_ids` are taken already; the tasks of a plan share them.
    """

    state: RunState
    model: LlmConversation
    tools: ToolRunner
    offer: Offer
    emitter: ArtifactEmitter
    finisher: Finisher
    reporter: Reporter
    prompts: PromptLibrary
    config: AgentConfig
    call_ids: set[str] = field(default_factory=set[str])
    _only_text: str = field(default="", init=False)
    _in_vain: InVain = field(default_factory=InVain, init=False)
    _led: int = field(default=0, init=False)
    _was_empty: bool = field(default=False, init=False)
    _was_sent_back: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.call_ids.update(
            call.id
            for message in self.state.messages
            if isinstance(message, AssistantMessage)
            for call in message.tool_calls
        )

    async def run(self) -> End:
        """Go on until the run ends.

        Raises:
            ModelError: the model gave no reply, and there is no result that could be told.
        """
        async with self.emitter:
            return await self.steps()

    async def compose(self, reason: str) -> End:
        """Answer from what the conversation holds; no tool can be used any more."""
        self._only_text = reason
        return await self.steps()

    async def run_after_text(self, call: ToolCallId, text: str) -> End:
        """Give a text to the call that the run stopped at, and go on."""
        self.state.messages.append(ToolMessage(call, text))
        return await self.run()

    async def run_after_approval(self, call: ToolCall, approved: Approval) -> End:
        """Run the call that the run stopped at with its query let through, and go on."""
        async with self.emitter:
            outcome = await self.tools.run_approved(call, approved)
            self.state.count_calls(1)
            if isinstance(outcome, Asks):
                return await self.finisher.pause(outcome)
            self._take(outcome)
            return await self.steps()

    async def steps(self) -> End:
        """Go on until the run ends, in the emitter's own time: whoever calls has opened it."""
        end: End | None = None
        while end is None:
            bound = self.state.exhausted()
            end = await (self._stop(bound) if bound else self._step())
        return end

    async def _stop(self, bound: str) -> End:
        return await self.finisher.tell_results(f"Stopped after {bound}.")

    async def _step(self) -> End | None:
        must_answer = self._must_answer()
        if must_answer:
            self.state.messages.append(note(self.prompts.fill("last_step", reason=must_answer)))
        try:
            reply = await self._ask(only_text=must_answer is not None)
        except ModelError as error:
            if not self.state.done:
                raise
            return await self.finisher.tell_results(str(error))
        reply = self._with_written_calls(reply)
        if reply.tool_calls and not must_answer:
            return await self._act(reply)
        written = parse(reply.text)
        if written.text and not says_nothing(written.text):
            return await self._settle(reply, written)
        return await self._after_nothing(last=must_answer is not None)

    def _with_written_calls(self, reply: ChatReply) -> ChatReply:
        """Take calls that the model wrote into its text for calls, and the text for none."""
        if reply.tool_calls:
            return reply
        calls = calls_in(reply.text, self.offer.names)
        return replace(reply, text="", tool_calls=calls) if calls else reply

    def _must_answer(self) -> str | None:
        """Say why no more tools can be used; None while they can."""
        if self._only_text:
            return self._only_text
        if self.state.guided and self._led >= STEPS_AT_ONCE:
            return "two steps are done, and the reader wants to go on one by one"
        if self._in_vain.steps >= self.config.repeats_borne:
            return "the same calls were made again and again"
        if self._in_vain.rejected > self.config.rejections_borne:
            return "query after query was rejected"
        tokens = estimated_tokens(self.state.messages, tools=self.offer.tokens)
        if tokens > self.config.most_tokens:
            return "the conversation has grown too long"
        return self.state.nearly_exhausted()

    async def _ask(self, *, only_text: bool) -> ChatReply:
        self._trim()
        request = ChatRequest(
            messages=tuple(self.state.messages),
            tools=self.offer.schemas,
            tool_choice="none" if only_text else "auto",
        )
        reply = await self.model.exchange(request, seconds_left=self.state.seconds_for_model)
        self.state.count_reply(reply)
        return reply

    def _trim(self) -> None:
        before = len(self.state.messages)
        self.state.messages = trim(self.state.messages, at_most=self.config.most_messages)
        if len(self.state.messages) < before and self.state.notes:
            # What the run wanted to keep in sight stays, whatever was let go.
            kept = "\n".join(f"- {each}" for each in dict.fromkeys(self.state.notes))
            system = self.state.messages[0].text.partition(_NOTES_HEAD)[0]
            self.state.messages[0] = SystemMessage(f"{system}{_NOTES_HEAD}{kept}")

    async def _act(self, reply: ChatReply) -> End | None:
        """Run the calls of a reply; its text was a thought."""
        self.reporter.withdraw()
        calls = self._with_own_ids(reply.tool_calls)
        kept = tuple(map(self._kept, calls))
        self.state.messages.append(AssistantMessage(reply.text[:_LONGEST_THOUGHT], kept))
        outcomes = tuple(map(self._with_known_answer, await self._outcomes(calls)))
        self.state.count_calls(sum(not is_not_run(each) for each in outcomes))
        self._in_vain.count(calls, outcomes)
        self._led += any(_shows(each) for each in outcomes)
        asking = next((each for each in outcomes if isinstance(each, Asks)), None)
        for outcome in outcomes:
            if outcome is not asking:
                self._take(outcome)
        if asking is not None:
            return await self.finisher.pause(asking)
        if self.state.spend.steps % self.config.recheck_every == 0:
            self._recheck(reply.text)
        last = outcomes[-1]
        if isinstance(last, Done) and last.tool.ends_run:
            return self.finisher.decline(last)
        self.reporter.progress("Thinking")
        return None

    def _with_known_answer(self, outcome: Outcome) -> Outcome:
        """Give a call that asks what the person has answered already, and the reader a word."""
        if not isinstance(outcome, Asks):
            return outcome
        known = known_answer(outcome, self.state)
        if known is None:
            return outcome
        if known.assumption and known.assumption not in self.state.assumed:
            self.state.assumed.append(known.assumption)
        return Repeated(call=outcome.call, text=known.text)

    async def _outcomes(self, calls: Sequence[ToolCall]) -> tuple[Outcome, ...]:
        """Run the calls, except one that would end the run beside others that ask for results."""
        ending = [call for call in calls if self.tools.ends_run(call)]
        if not ending or len(calls) == len(ending) == 1:
            return await self.tools.run_all(calls)
        ran = iter(await self.tools.run_all([call for call in calls if call not in ending]))
        contradiction = error_text(
            "Not done: this ends the run, but other calls were made beside it. Decide when you"
            " have read their results."
        )
        return tuple(
            Failed(call=call, text=contradiction, may_repeat=True) if call in ending else next(ran)
            for call in calls
        )

    def _with_own_ids(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Give a fresh id to every call that has none or one that was used before."""
        return tuple(self._with_own_id(call) for call in calls)

    def _with_own_id(self, call: ToolCall) -> ToolCall:
        if not call.id or call.id in self.call_ids:
            call = replace(call, id=ToolCallId(fresh_id()))
        self.call_ids.add(call.id)
        return call

    def _kept(self, call: ToolCall) -> ToolCall:
        """Return a call as the conversation keeps it: arguments that nobody reads are not kept."""
        if len(call.arguments) <= self.config.argument_chars:
            return call
        return replace(call, arguments="{}")

    def _take(self, outcome: Outcome) -> None:
        if isinstance(outcome, Asks):
            text = error_text("Not asked: the reader is asked one question at a time.")
        else:
            text = outcome.text
        self.state.messages.append(ToolMessage(outcome.call.id, text))
        if isinstance(outcome, Done):
            self.state.done.append(outcome)
            self.emitter.begin(outcome)
        elif isinstance(outcome, Failed) and outcome.warning:
            self.state.warnings.append(outcome.warning)

    def _recheck(self, thought: str) -> None:
        """Tell of the tools of families that the work has turned to."""
        turned_to = by_keywords(thought).families if thought.strip() else ()
        lines = self.offer.widen(turned_to)
        self.state.families = self.offer.families
        if lines:
            self.state.messages.append(note(self.prompts.fill("special_tools", tools=lines)))

    async def _settle(self, reply: ChatReply, written: AnswerText) -> End | None:
        """Take a text as the answer once its figures hold; send it back once if they do not."""
        if reply.cut_off:
            self.state.warnings.append("The answer was cut off where it became too long.")
        wrong = await self.finisher.unsupported(written.text)
        if not wrong:
            return await self.finisher.accept(written)
        if self._was_sent_back or self.state.steps_left <= 0:
            return await self.finisher.accept_without(written, wrong)
        self._was_sent_back = True
        self._send_back(reply, wrong)
        return None

    def _send_back(self, reply: ChatReply, wrong: Sequence[Figure]) -> None:
        self.reporter.withdraw()
        self.reporter.progress("Checking the figures")
        figures = ", ".join(dict.fromkeys(figure.written for figure in wrong))
        self.state.messages.append(AssistantMessage(reply.text))
        self.state.messages.append(note(self.prompts.fill("nudge_figures", figures=figures)))

    async def _after_nothing(self, *, last: bool) -> End | None:
        self.reporter.withdraw()
        if self._was_empty or last:
            return await self._without_answer("The model wrote no answer.")
        self._was_empty = True
        self.state.messages.append(note(self.prompts.fill("nudge_empty")))
        return None

    async def _without_answer(self, why: str) -> End:
        """Tell the results; where there are none, leave it to the last resort if there is one."""
        if not self.state.done and self.state.ctx.last_resort is not None:
            raise ModelUnreachable(why)
        return await self.finisher.tell_results(why)


def _shows(outcome: Outcome) -> bool:
    return isinstance(outcome, Done) and outcome.declaration is not None
