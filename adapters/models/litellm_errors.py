"""What went wrong in litellm, in the port's own words.

Its classes do not tell: a refused connection and a missing key may both be an internal server
error. So the status counts only together with what was tried and with the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from adapters.models.openai_errors import Complaint, Place, error_of, retry_after
from core.domain.errors import ModelError, ModelRefused, ModelUnreachable

_PREFIX = re.compile(r"^((litellm\.)?\w*(Error|Exception|Timeout)( -|:) )+")
_NO_VENDOR = re.compile(r"LLM Provider NOT provided")
_NO_KEY = re.compile(
    r"(missing|no|set|without).{0,40}(api.?key|credentials)|unable to locate credentials",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(r"empty or invalid response|invalid response object", re.IGNORECASE)
# Whatever breaks a stream, litellm gives it a status of its own.
_WITHIN_STREAM = "MidStreamFallbackError"
_AGAIN = re.compile(r" Original exception: .*", re.DOTALL)
_NO_CONNECTION = re.compile(r"connection error|cannot connect|connect(ion)? (call )?failed", re.I)


def error_from(error: Exception, place: Place) -> ModelError:
    """Sort by who has to act on it, and word it."""
    words = _words(error)
    if _NO_VENDOR.search(words):
        return ModelRefused(
            f"litellm does not know the vendor of {place.model!r}: "
            "begin model with the vendor's name, as in 'anthropic/...', in the model's settings."
        )
    if not place.key and _NO_KEY.search(words):
        return ModelRefused(f"{place.host} asks for a key: set api_key in the model's settings.")
    if _NO_ANSWER.search(words):
        return ModelUnreachable(
            f"{place.host} does not speak chat-completions: check base_url in the model's settings."
        )
    status = _status(error)
    if status is None:
        return ModelUnreachable(
            f"litellm could not speak to {place.host} ({type(error).__name__}"
            f"{_quoted(words, place)})."
        )
    if status >= 500 and _NO_CONNECTION.search(words):
        return ModelUnreachable(f"{place.host} takes no connection, or broke it off.")
    complaint = Complaint(status, words, retry_after=_retry_after(error))
    return error_of(complaint, place)


def _words(error: Exception) -> str:
    """Return what the vendor said, without litellm's own names and traces."""
    text = getattr(error, "message", None)
    line = (text if isinstance(text, str) else str(error)).partition("Traceback")[0]
    return _PREFIX.sub("", _AGAIN.sub("", line.strip()))


def _quoted(words: str, place: Place) -> str:
    said = place.clean(words)
    return f": {said}" if said else ""


def _status(error: Exception) -> int | None:
    if type(error).__name__ == _WITHIN_STREAM:
        return 0
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    return retry_after(cast("Mapping[str, str]", headers), now=datetime.now(UTC))
