"""What a browser sends, turned into the words of the core; nobody behind this sees a request."""

import re
from typing import Annotated, Self, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.domain.conversation import InboundMessage
from core.domain.decisions import Approved, Choice, Clarified, DecisionAnswer
from core.domain.ids import (
    ActorId,
    ConnectionName,
    DecisionId,
    MessageId,
    ThreadId,
    WorkspaceId,
    fresh_id,
)
from core.domain.people import Actor, Place
from core.ports.clock import Clock

READER_COOKIE = "resona_reader"
LONGEST_BODY = 128 * 1024
PLACE = Place(platform="page", adapts=True)
_WORKSPACE = WorkspaceId("page")
_READER = re.compile(r"[0-9a-f]{32}")
# Threads of other platforms must not be reachable from here, so that the page has its own names.
_THREAD_PREFIX = "page:"

_Shape = TypeVar("_Shape", bound="_Body")
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{1,100}$")]


class BadRequest(Exception):
    """The request does not fit; the text says what does. `status` is the answer's."""

    def __init__(self, sentence: str, *, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AskedQuestion(_Body):
    """`id` is the sender's name for this message: sent twice, it starts one turn.

    `model` is the model that is to answer, where it should not be the one that is set.
    """

    question: str
    thread: Name | None = None
    connection: Name | None = None
    model: Name | None = None
    id: Name | None = None


class MadeDecision(_Body):
    """The answer to a clarification is `text`, the one to an approval is `choice`."""

    decision: Name
    choice: Choice | None = None
    text: Annotated[str, Field(max_length=2_000)] | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        words = (self.text or "").strip()
        if (self.choice is None) is not bool(words):
            raise ValueError("give either a choice or a text that is not empty")
        return self


async def asked(request: web.Request, clock: Clock) -> InboundMessage:
    """Read a question.

    Raises:
        BadRequest: the body is not what it should be.
    """
    body = await _parsed(request, AskedQuestion)
    actor = reader_of(request)
    return InboundMessage(
        id=MessageId(f"{actor.id}/{body.id or fresh_id()}"),
        thread=_thread(body.thread or fresh_id()),
        actor=actor,
        text=body.question,
        sent_at=clock.now(),
        connection=ConnectionName(body.connection) if body.connection else None,
        place=PLACE,
        model=body.model or "",
    )


async def decided(request: web.Request) -> DecisionAnswer:
    """Read an answer to a clarification or an approval.

    Raises:
        BadRequest: the body is not what it should be.
    """
    body = await _parsed(request, MadeDecision)
    decision, actor = DecisionId(body.decision), reader_of(request).id
    if body.choice is not None:
        return Approved(decision=decision, actor=actor, choice=body.choice)
    return Clarified(decision=decision, actor=actor, text=(body.text or "").strip())


def reader_of(request: web.Request) -> Actor:
    """Tell readers apart by the cookie that the page sets; without one, by their address."""
    cookie = request.cookies.get(READER_COOKIE, "")
    name = cookie if _READER.fullmatch(cookie) else f"from {request.remote}"
    return Actor(id=ActorId(f"page:{name}"), workspace=_WORKSPACE, name="You")


def last_seen(request: web.Request) -> int:
    """Return the position that the reader already has: Last-Event-ID, or `after`; 0 for none."""
    given = request.headers.get("Last-Event-ID") or request.query.get("after") or "0"
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise BadRequest(f"Last-Event-ID must be a position such as 12, not {given[:40]!r}.")
    return int(given)


def _thread(name: str) -> ThreadId:
    return ThreadId(name if name.startswith(_THREAD_PREFIX) else _THREAD_PREFIX + name)


async def _parsed(request: web.Request, shape: type[_Shape]) -> _Shape:
    # No form of another site can send JSON without the browser asking us first.
    if request.content_type != "application/json":
        raise BadRequest("Send JSON, with Content-Type: application/json.", status=415)
    try:
        return shape.model_validate_json(await _bytes(request))
    except ValidationError as error:
        raise BadRequest(_in_words(error)) from error


async def _bytes(request: web.Request) -> bytes:
    body = b""
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise BadRequest(
                f"That is more than {LONGEST_BODY // 1024} KiB; please ask a shorter question.",
                status=413,
            )
    return body


def _in_words(error: ValidationError) -> str:
    problems = "; ".join(
        f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}" for each in error.errors()
    )
    return f"The request does not fit: {problems}."
