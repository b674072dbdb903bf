"""Any vendor's model, through litellm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

import orjson

from adapters.models.assembly import Assembly
from adapters.models.litellm_errors import error_from
from adapters.models.litellm_loading import Dumping, LiteLLM, Streaming, load, loaded
from adapters.models.litellm_stream import next_chunk, says_why_it_ends, with_all_words
from adapters.models.openai_errors import Place
from adapters.models.openai_request import as_bytes, host, messages, tools
from adapters.models.settings import LiteLLMSettings
from core.domain.answer import Usage
from core.domain.chat import ChatPiece, ChatReply, ChatRequest, Json, TextDelta
from core.domain.errors import ModelError, ModelUnreachable


class LiteLLMModel:
    """Speaks to one model; litellm is imported with the first request, or before by `warm`."""

    def __init__(self, settings: LiteLLMSettings) -> None:
        self._settings = settings
        vendor = settings.model.partition("/")[0]
        self._place = Place(
            settings.model, host(settings.base_url) if settings.base_url else vendor, settings.key
        )

    @property
    def name(self) -> str:
        return self._settings.model

    async def warm(self) -> None:
        """Import litellm in a thread, while the process already serves."""
        await _litellm()

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        assembly = self._assembly()
        litellm = await _litellm()
        deadline = asyncio.get_running_loop().time() + self._settings.seconds
        silence = self._settings.first_byte_seconds
        with self._in_words():
            async with asyncio.timeout_at(self._until(deadline, silence)):
                answer = cast("Streaming", await self._ask(litellm, request, streamed=True))
        chunks = with_all_words(answer)
        shown = 0
        try:
            while not assembly.is_full:
                with self._in_words():
                    async with asyncio.timeout_at(self._until(deadline, silence)):
                        chunk = await next_chunk(chunks)
                    text = assembly.take(chunk) if chunk else ""
                if chunk is None:
                    break
                if text:
                    shown += len(text)
                    yield TextDelta(text)
                silence = self._settings.between_seconds
        finally:
            await _close(chunks)
        reply = self._reply(assembly, litellm)
        if not (reply.text or reply.tool_calls or says_why_it_ends(chunks)):
            raise ModelUnreachable(
                f"{self._place.host} does not speak chat-completions: the answer holds no choice."
            )
        if rest := reply.text[shown:]:
            yield TextDelta(rest)
        yield reply

    async def complete(self, request: ChatRequest) -> ChatReply:
        assembly = self._assembly()
        litellm = await _litellm()
        with self._in_words():
            # An answer in one piece has its first byte when all of it is there.
            async with asyncio.timeout(
                min(self._settings.seconds, self._settings.first_byte_seconds)
            ):
                answer = cast("Dumping", await self._ask(litellm, request, streamed=False))
            assembly.take_whole(answer.model_dump(warnings=False))
        return self._reply(assembly, litellm)

    async def close(self) -> None:
        """Close the connections of every model behind litellm; it keeps them in one place."""
        if (litellm := loaded()) is not None:
            await litellm.close_litellm_async_clients()
            litellm.in_memory_llm_clients_cache.flush_cache()

    def _assembly(self) -> Assembly:
        return Assembly(host=self._place.host, model=self._place.model)

    def _until(self, deadline: float, silence: float) -> float:
        return min(deadline, asyncio.get_running_loop().time() + silence)

    @contextmanager
    def _in_words(self) -> Generator[None]:
        """Turn whatever litellm and its vendors raise into an error of the port."""
        try:
            yield
        except ModelError:
            raise
        except TimeoutError as error:
            raise ModelUnreachable(f"{self._place.host} did not answer in time.") from error
        except Exception as error:
            raise error_from(error, self._place) from error

    async def _ask(
        self, litellm: LiteLLM, request: ChatRequest, *, streamed: bool
    ) -> Dumping | Streaming:
        return await litellm.acompletion(
            **_as_arguments(request, streamed=streamed),
            **self._settings.extra_body,
            model=self._settings.model,
            api_base=self._settings.base_url or None,
            api_key=self._settings.key or None,
            timeout=self._settings.seconds,
            num_retries=0,
            max_retries=0,
            drop_params=True,
        )

    def _reply(self, assembly: Assembly, litellm: LiteLLM) -> ChatReply:
        def price(prompt: int, completion: int, cached: int) -> Usage:
            usage = self._settings.usage(prompt, completion, cached)
            if self._settings.has_prices or not (prompt or completion):
                return usage
            usd = self._usd(litellm, usage, cached)
            return usage.model_copy(update={"usd": usd or 0.0, "unpriced": usd is None})

        # A stream names the model that was asked, a whole answer the one that the server named.
        return replace(assembly.reply(price), model=self._settings.model)

    def _usd(self, litellm: LiteLLM, usage: Usage, cached: int) -> float | None:
        """Return the price that litellm knows; None for a model that it has none of."""
        try:
            for_prompt, for_completion = litellm.cost_per_token(
                model=self._settings.model,
                prompt_tokens=usage.input_tokens,
                completion_tokens=usage.output_tokens,
                cache_read_input_tokens=cached,
            )
        except Exception:
            return None
        return for_prompt + for_completion


def _as_arguments(request: ChatRequest, *, streamed: bool) -> dict[str, object]:
    arguments: dict[str, Json] = {
        "messages": messages(request.messages),
        "temperature": request.temperature,
        "max_tokens": request.max_output_tokens,
    }
    if request.tools:
        arguments |= {"tools": tools(request.tools), "tool_choice": request.tool_choice}
    if request.json_only:
        arguments["response_format"] = {"type": "json_object"}
    if streamed:
        arguments |= {"stream": True, "stream_options": {"include_usage": True}}
    # Through bytes and back, litellm gets plain lists and text that can be encoded, and its own.
    return cast("dict[str, object]", orjson.loads(as_bytes(arguments)))


async def _litellm() -> LiteLLM:
    return loaded() or await asyncio.to_thread(load)


async def _close(chunks: Streaming) -> None:
    """Let go of the connection; what breaks now breaks nothing."""
    try:
        await chunks.aclose()
    except Exception:
        return
