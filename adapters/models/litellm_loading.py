"""litellm, imported when it is needed and not before.

Importing it takes seconds and more memory than everything else together, and by default it asks
the network for prices and reads a .env file from wherever the process was started.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import Protocol, cast

from core.domain.chat import Json

_NAME = "litellm"
_BEFORE_IMPORT = {
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",
}
_loaded: dict[str, LiteLLM] = {}


class Dumping(Protocol):
    """A chunk or an answer; its dictionary has the shape of chat-completions."""

    def model_dump(self, *, warnings: bool) -> dict[str, Json]: ...


class Streaming(Protocol):
    """A stream, and what litellm keeps of it: the vendor's own, why it ended, what has come."""

    completion_stream: object
    received_finish_reason: str | None
    chunks: list[object]

    def __aiter__(self) -> AsyncIterator[Dumping]: ...

    async def aclose(self) -> None: ...


class Cache(Protocol):
    def flush_cache(self) -> None: ...


class LiteLLM(Protocol):
    """What is used of it."""

    in_memory_llm_clients_cache: Cache

    suppress_debug_info: bool
    telemetry: bool

    async def acompletion(self, **request: object) -> Dumping | Streaming: ...

    def cost_per_token(
        self,
        *,
        model: str,
        prompt_tokens: int,
        completion_tokens: int,
        cache_read_input_tokens: int,
    ) -> tuple[float, float]: ...

    async def close_litellm_async_clients(self) -> None: ...


def is_installed() -> bool:
    return find_spec(_NAME) is not None


def loaded() -> LiteLLM | None:
    """Return litellm if `load` is through with it."""
    # While a thread imports it, half of it stands in sys.modules already.
    return _loaded.get(_NAME)


def load() -> LiteLLM:
    """Import it, once; this blocks for seconds, so it belongs into a thread."""
    os.environ.update(_BEFORE_IMPORT)
    litellm = cast("LiteLLM", importlib.import_module(_NAME))
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    _loaded[_NAME] = litellm
    return litellm
