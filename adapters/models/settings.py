"""How a model is reached and what it costs, as it stands in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from core.domain.answer import Usage

OptionalField = Literal[
    "temperature", "max_tokens", "max_completion_tokens", "response_format", "stream_options"
]


class _ModelSettings(BaseModel):
    """Prices are dollars for a million tokens, None where they are not known; times are seconds.

    `seconds` bounds a whole answer, `first_byte_seconds` the silence before it and
    `between_seconds` a silence within it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(min_length=1)
    api_key: SecretStr | None = None
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    cached_input_price: float | None = Field(default=None, ge=0)
    seconds: float = Field(default=300.0, gt=0)
    connect_seconds: float = Field(default=10.0, gt=0)
    first_byte_seconds: float = Field(default=90.0, gt=0)
    between_seconds: float = Field(default=45.0, gt=0)
    extra_body: Mapping[str, object] = Field(default_factory=dict[str, object])

    @field_validator("api_key")
    @classmethod
    def _is_one_line(cls, key: SecretStr | None) -> SecretStr | None:
        """Take the line break off that a key read from a file has."""
        if key is None or not key.get_secret_value().strip():
            return None
        text = key.get_secret_value().strip()
        if not text.isascii() or not text.isprintable() or " " in text:
            raise ValueError("api_key must be one word of plain letters, digits and signs")
        return SecretStr(text)

    @property
    def key(self) -> str:
        """The key itself, "" without one: for the request, and for nothing else."""
        return self.api_key.get_secret_value() if self.api_key else ""

    @property
    def has_prices(self) -> bool:
        return self.input_price is not None or self.output_price is not None

    def usage(self, prompt: int, completion: int, cached: int = 0) -> Usage:
        """Price what was used; `cached` is the part of the prompt that the server knew already.

        A server that counts nothing leaves the cost unknown, unless the model is free.
        """
        for_input, for_output = self.input_price or 0.0, self.output_price or 0.0
        cached_price = for_input if self.cached_input_price is None else self.cached_input_price
        dollars = (prompt - cached) * for_input + cached * cached_price + completion * for_output
        is_known = None not in (self.input_price, self.output_price)
        is_free = is_known and not (for_input or for_output)
        return Usage(
            input_tokens=prompt,
            output_tokens=completion,
            usd=dollars / 1_000_000,
            unpriced=not (is_free or (is_known and (prompt or completion))),
        )


class OpenAIProtocolSettings(_ModelSettings):
    """A server that speaks chat-completions.

    `base_url` is what comes before /chat/completions, or the whole address with its query, as
    Azure has it. `leave_out` names fields that the server does not take.
    """

    provider: Literal["openai_protocol"] = "openai_protocol"
    base_url: str
    headers: Mapping[str, SecretStr] = Field(default_factory=dict[str, SecretStr])
    leave_out: frozenset[OptionalField] = frozenset()
    proxy: str | None = None

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        url = url.strip()
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(
                "base_url must begin with http:// or https://, like https://api.openai.com/v1"
            )
        if parts.username or parts.password:
            raise ValueError("base_url must hold no user or password: use api_key or headers")
        return url


class LiteLLMSettings(_ModelSettings):
    """Any vendor that litellm knows; `model` bears the vendor's prefix, as in "anthropic/…"."""

    provider: Literal["litellm"] = "litellm"
    base_url: str = ""
