"""One exchange with the model: streamed, tried again when it is busy, always of bounded length."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, replace
from math import ceil
from secrets import randbelow

from core.agent.answer_text import LiveText
from core.agent.config import AgentConfig
from core.agent.reporter import Reporter
from core.domain.chat import ChatPiece, ChatReply, ChatRequest, TextDelta
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock

_TIME_IS_OVER = "The model had not answered when its time for this question was over."

_LOOKS_EVERY = 1.0  # seconds: to set a timer anew for every piece would cost more than the piece
_THOUGHT_ENDS = "</think>"


@dataclass(slots=True, kw_only=True)
class LlmConversation:
    """Speaks with one model for one run."""

    model: ChatModel
    clock: Clock
    config: AgentConfig
    reporter: Reporter

    async def exchange(self, request: ChatRequest, *, seconds_left: float) -> ChatReply:
        """Return the model's whole reply; its text has been written piece by piece.

        A model that is busy or not there is tried again, with growing waits that the reader sees.
        A stream that breaks is taken back and asked for once more in one piece.

        Raises:
            ModelError: the last of the bounded attempts failed, the model refused, or the seconds
                that are left were over.
        """
        left = max(seconds_left, 0.0)
        try:
            async with asyncio.timeout(left):
                return await self._tried(request, min(self.config.model_wait_seconds, left))
        except TimeoutError as error:
            raise ModelUnreachable(_TIME_IS_OVER) from error

    async def _tried(self, request: ChatRequest, patience: float) -> ChatReply:
        in_one_piece = False
        for attempt in range(1, self.config.model_tries + 1):
            try:
                return await self._attempt(request, in_one_piece=in_one_piece)
            except ModelRefused:
                raise
            except ModelError as error:
                had_begun = self.reporter.withdraw()
                broke = isinstance(error, ModelUnreachable) and not in_one_piece
                in_one_piece = broke
                wait = 0.0 if broke else self._wait(attempt, error)
                if attempt == self.config.model_tries or wait > patience:
                    raise
                patience -= wait
                await self._rest(wait, error, had_begun=had_begun)
        raise ModelUnreachable("The model was not asked.")

    def _wait(self, attempt: int, error: ModelError) -> float:
        named = error.retry_after if isinstance(error, ModelBusy) else None
        if named:
            return named
        longest = min(
            self.config.first_wait_seconds * 2 ** (attempt - 1), self.config.longest_wait_seconds
        )
        # Between half and all of it, so that many runs do not come back at the same moment.
        return longest * (0.5 + randbelow(501) / 1_000)

    async def _rest(self, seconds: float, error: ModelError, *, had_begun: bool) -> None:
        if not seconds:
            what = "The connection to the model broke" if had_begun else "The model did not answer"
            self.reporter.progress(f"{what}, asking again")
            return
        what = "is busy" if isinstance(error, ModelBusy) else "does not answer"
        self.reporter.progress(f"The model {what}, trying again in {ceil(seconds)} s")
        await self.clock.sleep(seconds)
        self.reporter.progress("Thinking")

    async def _attempt(self, request: ChatRequest, *, in_one_piece: bool) -> ChatReply:
        try:
            async with asyncio.timeout(self.config.model_seconds) as patience:
                if in_one_piece:
                    return await self._whole(request)
                return await self._streamed(request, patience)
        except TimeoutError as error:
            raise ModelUnreachable("The model did not answer in time.") from error

    async def _whole(self, request: ChatRequest) -> ChatReply:
        reply = self._bounded(await self.model.complete(request))
        if not reply.tool_calls:
            live = LiveText()
            self.reporter.write(live.add(reply.text) + live.rest())
        return reply

    async def _streamed(self, request: ChatRequest, patience: asyncio.Timeout) -> ChatReply:
        """Take the reply as it comes; a model that writes slowly is let write."""
        live, loop = LiveText(), asyncio.get_running_loop()
        looked = loop.time()
        pieces = self.model.stream(request)
        try:
            async for piece in pieces:
                if not isinstance(piece, TextDelta):
                    self.reporter.write(live.rest())
                    return self._bounded(self._without_thought(piece))
                self.reporter.write(live.add(piece.text))
                if (now := loop.time()) > looked + _LOOKS_EVERY:
                    looked = now
                    patience.reschedule(now + self.config.model_seconds)
                if live.length > self.config.answer_chars:
                    return self._bounded(ChatReply(text=live.text, model=self.model.name))
        finally:
            await _close(pieces)
        raise ModelUnreachable("The stream of the model ended without its reply.")

    def _without_thought(self, reply: ChatReply) -> ChatReply:
        """Take back reasoning of which nobody could know that it was some until it ended.

        Some servers begin it in the prompt, so that only its end is in the text.
        """
        _, end, text = reply.text.rpartition(_THOUGHT_ENDS)
        if not end:
            return reply
        self.reporter.withdraw()
        live, text = LiveText(), text.lstrip()
        self.reporter.write(live.add(text) + live.rest())
        return replace(reply, text=text)

    def _bounded(self, reply: ChatReply) -> ChatReply:
        if len(reply.text) <= self.config.answer_chars:
            return reply
        text = reply.text[: self.config.answer_chars]
        return ChatReply(
            text=text,
            tool_calls=reply.tool_calls,
            usage=reply.usage,
            model=reply.model,
            cut_off=True,
        )


async def _close(pieces: AsyncIterator[ChatPiece]) -> None:
    """Let go of the connection now, not when the garbage is collected."""
    if isinstance(pieces, AsyncGenerator):
        await pieces.aclose()
