"""A run as a Slack message: streamed where Slack streams, else rewritten; then the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

import structlog

from adapters.slack import limits
from adapters.slack.attaching import Attaching
from adapters.slack.blocks import progress as shapes
from adapters.slack.blocks.answer import full_answer, native_answer, plain_answer, simple_answer
from adapters.slack.blocks.message import Rendered
from adapters.slack.calls import TRANSIENT, SlackCalls, SlackRefused
from adapters.slack.places import Place
from adapters.slack.posting import Posting
from adapters.slack.stream import Stream
from adapters.slack.text import cut, literal
from adapters.slack.uploads import Uploads
from core.domain.ids import FileId, RunId, ThreadId, fresh_id
from core.domain.view import MessageView
from core.ports.file_store import FileStore

log = structlog.get_logger()

_STREAMED = "streamed"
_LONG_AGO = 120.0  # after that an answer is posted anew, since a rewritten one notifies nobody
_BYTES_BESIDE_CARDS = limits.STREAM_BYTES - 500
# Slack says these of what was sent, so that something plainer may be taken.
_BLOCKS = frozenset({"invalid_blocks", "invalid_blocks_format", "invalid_attachments"})
_CONTENT = _BLOCKS | frozenset(
    {
        "invalid_arguments",
        "invalid_chunks",
        "block_mismatch",
        "msg_too_long",
        "msg_blocks_too_long",
        "msg_blocks_too_many",
        "internal_error",
    }
)
# Slack says these of the message that should be rewritten, so that a new one may be taken.
_MESSAGE = frozenset(
    {
        "edit_window_closed",
        "cant_update_message",
        "message_not_found",
        "streaming_state_conflict",
    }
)
_CHANNEL = frozenset({"not_in_channel", "channel_not_found", "is_archived"})
_STREAM_FULL = frozenset({"msg_too_long", "msg_blocks_too_many", "msg_blocks_too_long"})


async def _nothing(_: str) -> None:
    return None


@dataclass(slots=True)
class Abilities:
    """What a workspace was found to take: streams, charts that Slack draws itself."""

    streams: bool = True
    native_charts: bool = False

    def learn(self, refused: SlackRefused) -> None:
        """Stream no more, unless Slack was only busy or this one channel is none of ours."""
        if refused.error not in TRANSIENT | _CHANNEL:
            self.streams = False


@dataclass(slots=True, kw_only=True)
class SlackSurface:
    """The surface of one run: it knows its thread, and who asked.

    `ending` is set when the run has ended, so that progress steps aside for the answer. `stands`
    is told what stands in the thread, whenever that changes; `found` reads it. `standing` is what
    another process has left there, to go on in.
    """

    calls: SlackCalls
    uploads: Uploads
    files: FileStore
    place: Place
    user: str
    run: RunId
    abilities: Abilities
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    stands: Callable[[str], Awaitable[None]] = field(default=_nothing)
    standing: str = ""

    @property
    def posting(self) -> Posting:
        return Posting(self.calls, self.place)

    @property
    def attaching(self) -> Attaching:
        return Attaching(self.posting, self.uploads, self.files)

    async def post(self, thread: ThreadId, view: MessageView) -> SlackMessage:
        """Open the message of the run.

        Raises:
            DeliveryFailed: Slack does not take it.
        """
        if self.standing:
            message = await self.found(self.standing)
            await message.show(view)
            return message
        message = SlackMessage(self, opened_at=self.calls.clock.monotonic())
        if view.done:
            await message.show(view)
        elif not await self._streamed(message, view):
            await message.open(view)
        return message

    async def found(self, standing: str) -> SlackMessage:
        """Return the message that another process has left, ready to show the end of its run."""
        ts, *more = standing.split() or [""]
        message = SlackMessage(self, opened_at=self.calls.clock.monotonic(), ts=ts)
        if _STREAMED in more:
            message.stream = Stream(calls=self.calls, place=self.place, user=self.user, ts=ts)
            message.has_session = True
            await message.leave_stream()
        return message

    async def _streamed(self, message: SlackMessage, view: MessageView) -> bool:
        room = self.calls.pacing.has_room("chat.startStream")
        if not self.abilities.streams or not room:
            return False
        stream = Stream(calls=self.calls, place=self.place, user=self.user)
        try:
            await stream.start(view)
        except SlackRefused as error:
            log.info("slack_streams_not", error=error.error)
            self.abilities.learn(error)
            return False
        message.ts, message.stream = stream.ts, stream
        await self.stands(f"{stream.ts} {_STREAMED}")
        await self._with_stop_button(message, view)
        return True

    async def _with_stop_button(self, message: SlackMessage, view: MessageView) -> None:
        """Ask Slack to show its own stop button; where it does not, rewrite and show ours."""
        try:
            await self.posting.set_session("processing")
        except SlackRefused as error:
            log.info("slack_shows_no_stop_button", error=error.error)
            self.abilities.learn(error)
            await message.leave_stream()
            await message.show(view)
        else:
            message.has_session = True


@dataclass(slots=True)
class SlackMessage:
    """`ts` is empty until something stands in Slack; `stream` is set while it is streamed.

    `has_session` says that Slack shows the thread as being worked on.
    """

    surface: SlackSurface
    opened_at: float
    ts: str = ""
    stream: Stream | None = None
    has_session: bool = False

    async def open(self, view: MessageView) -> None:
        await self._post(shapes.progress(view, self.surface.run))

    async def show(self, view: MessageView) -> None:
        """Show progress when there is room for it, and an end in any case.

        Raises:
            DeliveryFailed: Slack takes the end in no form.
        """
        if view.done:
            await self._end(view)
            return
        try:
            await self._progress(view)
        except SlackRefused as error:
            # Progress that is not shown costs nobody the answer.
            log.warning("slack_progress_refused", method=error.method, error=error.error)

    async def leave_stream(self) -> None:
        """End the stream so that its message can be rewritten."""
        stream, self.stream = self.stream, None
        if stream is None:
            return
        try:
            await stream.stop([])
        except SlackRefused as error:
            log.info("slack_stream_ended_before", error=error.error)

    async def _progress(self, view: MessageView) -> None:
        if self.stream is None:
            rendered = shapes.progress(view, self.surface.run)
            arguments = self.surface.posting.rewriting(self.ts, rendered)
            await self.surface.calls.progress("chat.update", arguments, self.surface.ending)
            return
        try:
            await self.stream.append(view, self.surface.ending)
            if self.ts != self.stream.ts:
                self.ts = self.stream.ts
                await self.surface.stands(f"{self.ts} {_STREAMED}")
        except SlackRefused:
            await self.leave_stream()
            raise

    async def _end(self, view: MessageView) -> None:
        error_id = fresh_id()[:12]
        attaching = self.surface.attaching
        pictures = await attaching.pictures(view.answer)
        taken = await self._put_one_of(list(self._forms(view, pictures, error_id)), view, error_id)
        if self.has_session:
            await self._close_session()
        if view.answer is not None:
            # The plainer forms have no charts in them, so that these come as files.
            shown = frozenset(pictures) if taken.has_charts else frozenset[FileId]()
            await attaching.attach(view.answer, shown=shown)

    async def _put_one_of(
        self, forms: Sequence[Rendered], view: MessageView, error_id: str
    ) -> Rendered:
        """Show the first form that Slack takes, and return it."""
        *better, last = forms
        for form in better:
            try:
                await self._put(form, view)
            except SlackRefused as error:
                if error.error not in _CONTENT:
                    raise
                if error.error in _BLOCKS:
                    # Of all blocks, charts are the newest: not every workspace has them.
                    self.surface.abilities.native_charts = False
                log.warning("slack_refused_a_form", error=error.error, error_id=error_id)
            else:
                return form
        await self._put(last, view)
        return last

    def _forms(
        self, view: MessageView, pictures: dict[FileId, str], error_id: str
    ) -> Iterator[Rendered]:
        """Give the end of a run in forms that get plainer; the last is text alone."""
        run = self.surface.run
        if view.answer is not None:
            if self.surface.abilities.native_charts and (
                native := native_answer(view.answer, run, pictures)
            ):
                yield native
            yield full_answer(view.answer, run, pictures)
            yield simple_answer(view.answer, run)
            yield plain_answer(view.answer, error_id)
        elif view.decision is not None:
            yield shapes.decision(view.decision)
        else:
            reason = view.failure or "Nothing came of it. Please ask again."
            yield shapes.failure(reason, run)
            yield Rendered(text=cut(literal(reason), limits.UPDATE_TEXT))

    async def _put(self, form: Rendered, view: MessageView) -> None:
        if self.stream is not None and not await self._ended_stream(self.stream, form, view):
            return
        age = self.surface.calls.clock.monotonic() - self.opened_at
        if not self.ts:
            await self._post(form)
        elif age > _LONG_AGO:
            progress = self.ts
            await self._post(form)
            await self.surface.posting.try_to_rewrite(progress, shapes.moved(view))
        else:
            await self._rewrite(form)

    async def _ended_stream(self, stream: Stream, form: Rendered, view: MessageView) -> bool:
        """End the stream with the form in it; True where the form has to be shown another way."""
        fits = stream.bytes_sent + form.bytes < _BYTES_BESIDE_CARDS
        try:
            await stream.stop(form.as_blocks if fits else [], view)
        except SlackRefused as error:
            if error.error in _BLOCKS:
                raise
            await self.leave_stream()
            if error.error in _STREAM_FULL:
                self.ts = ""
            return True
        self.stream, self.has_session = None, False
        if not fits:
            self.ts = ""
        return not fits

    async def _rewrite(self, form: Rendered) -> None:
        try:
            await self.surface.posting.rewrite(self.ts, form)
        except SlackRefused as error:
            if error.error not in _MESSAGE:
                raise
            await self._post(form)

    async def _post(self, form: Rendered) -> None:
        self.ts = await self.surface.posting.post(form)
        await self.surface.stands(self.ts)

    async def _close_session(self) -> None:
        """Tell Slack that nothing goes on in the thread any more; a stream's end says it itself."""
        self.has_session = False
        try:
            await self.surface.posting.set_session("active")
        except SlackRefused as error:
            log.info("slack_session_left_open", error=error.error)
