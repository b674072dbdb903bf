"""From settings to a model that can be asked."""

from __future__ import annotations

from typing import Protocol

from adapters.models.litellm_loading import is_installed
from adapters.models.litellm_model import LiteLLMModel
from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import LiteLLMSettings, OpenAIProtocolSettings
from core.domain.errors import SettingsInvalid
from core.ports.chat_model import ChatModel


class OpenedModel(ChatModel, Protocol):
    """A ChatModel that holds connections until `close`; `warm` does what may be done early."""

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


def open_model(settings: OpenAIProtocolSettings | LiteLLMSettings) -> OpenedModel:
    """Open a model; nothing is sent and nothing heavy is imported before it is asked or warmed.

    Raises:
        SettingsInvalid: the provider is not installed.
    """
    match settings:
        case OpenAIProtocolSettings():
            return OpenAIProtocolModel(settings)
        case LiteLLMSettings():
            if not is_installed():
                raise SettingsInvalid(
                    'model.provider is "litellm", which is not installed: '
                    'install resona[models], or set "openai_protocol" and a base_url.'
                )
            return LiteLLMModel(settings)
