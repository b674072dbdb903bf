"""Several models as one: the next is asked where the one before does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Generator,
    Iterator,
    Sequence,
)
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from core.domain.chat import ChatPiece, ChatReply, ChatRequest
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock

Answer = TypeVar("Answer")


# While others could be asked, one model may take so much of the time that is left.
_SHARE = 2 / 3
_LONGEST_REST = 300.0


@dataclass(slots=True)
class Link:
    """A model, and until when it is left in peace; chains that share it share its rest.

    `failures` are those in a row: with each of them the rest gets twice as long.
    """

    model: ChatModel
    rests_until: float = 0.0
    failures: int = 0


class _Search:
    """One request's way along the models, and what they said that did not answer."""

    def __init__(
        self, order: list[Link], clock: Clock, *, rest_seconds: float, seconds: float
    ) -> None:
        self._order = order
        self._clock = clock
        self._rest_seconds = rest_seconds
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.time()
        self._deadline = self._until = self._begun + seconds
        self._errors: list[ModelError] = []

    def __iter__(self) -> Iterator[Link]:
        last = len(self._order) - 1
        for at, link in enumerate(self._order):
            self._begun = self._loop.time()
            left = self._deadline - self._begun
            if left > 0:
                self._until = self._begun + (left if at == last else left * _SHARE)
                yield link

    async def first_answer(self, link: Link, answering: Awaitable[Answer]) -> Answer | None:
        """Wait for an answer; None where the next model has to be asked."""
        try:
            with self.noting(link):
                return await self._in_time(link, answering)
        except ModelError as error:
            self._errors.append(error)
            return None

    async def _in_time(self, link: Link, answering: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout_at(self._until):
                return await answering
        except TimeoutError as error:
            waited = self._until - self._begun
            raise ModelUnreachable(
                f"{link.model.name} did not answer within {waited:.3g} seconds."
            ) from error

    @contextmanager
    def noting(self, link: Link) -> Generator[None]:
        """Let a model rest that fails for now, and end the rest of one that answers."""
        try:
            yield
        except ModelBusy as error:
            self._rest(link, error.retry_after)
            raise
        except ModelUnreachable:
            self._rest(link)
            raise
        else:
            link.rests_until, link.failures = 0.0, 0

    def _rest(self, link: Link, seconds: float | None = None) -> None:
        """Let a model rest as long as it asked for, else longer with every failure in a row."""
        link.failures += 1
        longer = self._rest_seconds * 2 ** min(link.failures - 1, 10)
        rest = seconds or min(longer, max(_LONGEST_REST, self._rest_seconds))
        link.rests_until = self._clock.monotonic() + rest

    def failure(self) -> ModelError:
        """Return the only error, or one that may be acted on like the most hopeful of them."""
        if len(self._errors) == 1:
            return self._errors[0]
        reasons = "; ".join(str(error).rstrip(".") for error in self._errors)
        sentence = f"No model answered: {reasons}."
        busy = [error for error in self._errors if isinstance(error, ModelBusy)]
        if busy:
            waits = [error.retry_after for error in busy if error.retry_after is not None]
            return ModelBusy(sentence, retry_after=min(waits, default=None))
        if all(isinstance(error, ModelRefused) for error in self._errors):
            return ModelRefused(sentence)
        return ModelUnreachable(sentence)


class FallbackChain:
    """Asks its models in order and gives the reply of the first that answers.

    - Each model is asked once: to ask again is the loop's, which shows it.
    - A model that is busy or unreachable rests, for as long as it asked for or `rest_seconds`,
      twice as long with every further failure, and is tried after all others until then. A refusal
      is about the request, so nobody rests.
    - Once a piece of text was given there is no going on with another model, because the pieces
      must make the reply: the error is raised, and the next request finds the model resting.
    - `seconds` bounds the search for a model that answers, all of them together; one that says
      nothing leaves a part of it to those after it.
    """

    def __init__(
        self,
        models: Sequence[ChatModel | Link],
        *,
        clock: Clock,
        rest_seconds: float = 30.0,
        seconds: float = 120.0,
    ) -> None:
        if not models:
            raise ValueError("a chain needs one model at least")
        self._links = [each if isinstance(each, Link) else Link(each) for each in models]
        self._clock = clock
        self._rest_seconds = rest_seconds
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The name of the first; a reply bears the name of the model that gave it."""
        return self._links[0].model.name

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        search = self._search()
        for link in search:
            # Every stream is an async generator, although the port promises an iterator only.
            pieces = cast("AsyncGenerator[ChatPiece]", link.model.stream(request))
            async with aclosing(pieces):
                first = await search.first_answer(link, anext(pieces))
                if first is None:
                    continue
                yield first
                with search.noting(link):
                    async for piece in pieces:
                        yield piece
                return
        raise search.failure()

    async def complete(self, request: ChatRequest) -> ChatReply:
        search = self._search()
        for link in search:
            reply = await search.first_answer(link, link.model.complete(request))
            if reply is not None:
                return reply
        raise search.failure()

    def _search(self) -> _Search:
        """Begin with those that do not rest; the others come by when their rest ends."""
        now = self._clock.monotonic()
        order = sorted(self._links, key=lambda link: max(0.0, link.rests_until - now))
        return _Search(order, self._clock, rest_seconds=self._rest_seconds, seconds=self._seconds)
