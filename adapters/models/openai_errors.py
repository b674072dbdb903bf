"""What a server's refusal means, and the sentence that says what to do about it.

A sentence names the host, the model and the setting; it never bears the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import orjson

from core.domain.chat import Json
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable

_MOST_WORDS = 200
_TOO_LONG = re.compile(
    r"context[_ ](length|window|size)|too (long|many tokens)|maximum.{0,20}tokens", re.IGNORECASE
)
_NO_CREDIT = re.compile(r"insufficient_quota|billing|no credit|credit balance", re.IGNORECASE)
_OVERLOADED = re.compile(r"rate.?limit|too many requests|overload|capacity|busy", re.IGNORECASE)
_KEY = re.compile(r"\b(sk|key|bearer)[-_ ][\w*.-]{6,}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """Which model was asked, and where."""

    model: str
    host: str
    key: str = ""

    def clean(self, words: str) -> str:
        """Make a server's words fit for a sentence: one line, short, without the key."""
        if self.key:
            words = words.replace(self.key, "***")
        line = " ".join(_KEY.sub("***", words).split()).rstrip(".")
        return line if len(line) <= _MOST_WORDS else f"{line[:_MOST_WORDS]}…"


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as a server words it; `code` is its status or its own name for it."""

    status: int
    words: str = ""
    code: str = ""
    param: str = ""
    retry_after: float | None = None


def complaint(status: int, headers: Mapping[str, str], body: bytes) -> Complaint:
    """Read an answer that is no success."""
    wait = retry_after(headers, now=datetime.now(UTC))
    try:
        said = cast("Json", orjson.loads(body))
    except ValueError:
        return Complaint(status, words=_text_of_page(body), retry_after=wait)
    return _from_json(said, status=status, wait=wait)


def complaint_in(said: Json) -> Complaint | None:
    """Read an error that stands where a chunk or an answer was due; None if there is none."""
    if isinstance(said, dict) and (said.get("error") or said.get("object") == "error"):
        return _from_json(said, status=0, wait=None)
    return None


def _from_json(said: Json, *, status: int, wait: float | None) -> Complaint:
    error = said.get("error", said) if isinstance(said, dict) else said
    if not isinstance(error, dict):
        return Complaint(status, words=_text(error), retry_after=wait)
    code = _text(error.get("code") or error.get("type"))
    words = _text(error.get("message") or error.get("detail") or error)
    if not status and code.isdigit():
        status = int(code)
    return Complaint(status, words, code, param=_text(error.get("param")), retry_after=wait)


def _text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _text_of_page(body: bytes) -> str:
    """Return an answer in plain text, and nothing of a page in HTML."""
    text = body.decode("utf-8", "replace").strip()
    return "" if text.startswith("<") else text


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The error that a complaint is, and its sentence."""

    error: type[ModelError]
    sentence: str


_NO_CREDIT_LEFT = _Meaning(
    ModelRefused, "The account behind the api_key has no credit left at {host}."
)
_CONVERSATION_TOO_LONG = _Meaning(
    ModelRefused, "The conversation is too long for {model} at {host}."
)
_BUSY = _Meaning(ModelBusy, "{model} at {host} is busy.")
_BROKE_OFF = _Meaning(ModelUnreachable, "{host} broke off its answer with an error{words}.")
_SERVER_ERROR = _Meaning(
    ModelUnreachable, "{host} has an error of its own (status {status}){words}."
)
_REFUSED = _Meaning(ModelRefused, "{host} refused the request to {model} (status {status}){words}.")
_KEY_MISSING = _Meaning(ModelRefused, "{host} asks for a key: set api_key in the model's settings.")
_MOVED = _Meaning(
    ModelRefused,
    "{host} sends on to another address: set that as base_url in the model's settings.",
)
_NOT_FOUND = _Meaning(
    ModelRefused,
    "{host} does not know {model} at this address: "
    "check base_url and model in the model's settings{words}.",
)
_MEANINGS = {
    301: _MOVED,
    302: _MOVED,
    307: _MOVED,
    308: _MOVED,
    401: _Meaning(
        ModelRefused,
        "{host} does not accept the key: set a valid api_key in the model's settings.",
    ),
    402: _NO_CREDIT_LEFT,
    403: _Meaning(
        ModelRefused,
        "The key may not use {model} at {host}: check api_key and model in the model's settings.",
    ),
    404: _NOT_FOUND,
    405: _NOT_FOUND,
    408: _Meaning(ModelUnreachable, "{host} gave up waiting (status {status})."),
    413: _Meaning(ModelRefused, "The request is too large for {host}."),
    429: _BUSY,
    529: _BUSY,
}


def error_of(complaint: Complaint, place: Place) -> ModelError:
    """Sort a complaint by who has to act on it, and word it."""
    meaning = _meaning(complaint, place)
    words = place.clean(complaint.words)
    sentence = meaning.sentence.format(
        host=place.host,
        model=place.model,
        status=complaint.status,
        words=f": {words}" if words else "",
    )
    if meaning is _BUSY:
        return ModelBusy(sentence, retry_after=complaint.retry_after)
    return meaning.error(sentence)


def _meaning(complaint: Complaint, place: Place) -> _Meaning:
    words = f"{complaint.code} {complaint.words}"
    status = complaint.status
    if _NO_CREDIT.search(words):
        return _NO_CREDIT_LEFT
    if status in {0, 400, 413, 422} and _TOO_LONG.search(words):
        return _CONVERSATION_TOO_LONG
    if status == 0:
        return _BUSY if _OVERLOADED.search(words) else _BROKE_OFF
    if status == 401 and not place.key:
        return _KEY_MISSING
    if status == 503 and complaint.retry_after is not None:
        return _BUSY
    return _MEANINGS.get(status) or (_SERVER_ERROR if status >= 500 else _REFUSED)


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds to wait: given in seconds, in milliseconds or as a date.

    A date is held against the server's own clock where it tells it, because ours may differ.
    """
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1_000
    value = headers.get("Retry-After", "").strip()
    if value.endswith("ms") and (milliseconds := _number(value[:-2])) is not None:
        return milliseconds / 1_000
    if (seconds := _number(value.removesuffix("s"))) is not None:
        return seconds
    until = _date(value)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("Date", "")) or now)).total_seconds())


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", text) else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
