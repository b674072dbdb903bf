"""A workspace as Slack keeps it: messages, streams, files, windows, and what Slack refuses."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapters.slack import limits
from tests.kit.patience import PATIENCE
from tests.kit.slack_rules import block_errors, characters, chunk_errors
from tests.kit.slack_things import Failure, File, Message, Refused, ResponseUrls
from tests.kit.slack_uploads import Uploads
from tests.kit.slack_windows import Windows

Json = dict[str, Any]

TEAM, BOT_USER, BOT = "T0TEAM", "U0RESONA", "B0RESONA"
BOT_TOKEN, APP_TOKEN, SIGNING_SECRET = "xoxb-secret-bot", "xapp-secret-app", "secret-signing"
SCOPES = frozenset({*limits.SCOPES.values(), "im:history", "groups:history"})
_NO_TOKEN = frozenset({"blocks.validate"})
_SLACK_BURST = 10
_HISTORY = {"C": "channels:history", "D": "im:history", "G": "groups:history"}
_METADATA_BYTES = 4_000


@dataclass(slots=True)
class SlackWorld(Windows, Uploads):
    """`now` is the clock of streams and triggers; `scopes` are what the bot token has.

    tokens: which are taken, and until when
    over_limit: the methods that were called more often than Slack allows, once for each time
    published: what stands on the home tab of each person, and `prompts` in each direct message
    """

    base: str = ""
    team: str = TEAM
    name: str = "Acme"
    enterprise: str = ""
    bot_user: str = BOT_USER
    tokens: dict[str, float] = field(default_factory=lambda: {BOT_TOKEN: math.inf})
    scopes: frozenset[str] = SCOPES
    now: Callable[[], float] = float  # stands still unless a test moves it
    is_agent: bool = True
    streams: bool = True
    draws_charts: bool = True
    members: set[str] = field(default_factory=lambda: {"C1", "D1"})
    names: dict[str, str] = field(default_factory=lambda: {"U1": "Ann", "U2": "Ben"})
    messages: list[Message] = field(default_factory=list[Message])
    files: dict[str, File] = field(default_factory=dict[str, File])
    views: list[Json] = field(default_factory=list[Json])
    published: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    prompts: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    statuses: list[str] = field(default_factory=list[str])
    calls: list[tuple[str, Json]] = field(default_factory=list[tuple[str, Json]])
    refusals: list[str] = field(default_factory=list[str])
    over_limit: list[str] = field(default_factory=list[str])
    failures: dict[str, deque[Failure]] = field(
        default_factory=lambda: defaultdict[str, deque[Failure]](deque)
    )
    revoked: bool = False
    upload_ready_after: int = 1
    triggers: dict[str, float] = field(default_factory=dict[str, float])
    responses: ResponseUrls = field(default_factory=ResponseUrls)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _called_at: dict[str, deque[float]] = field(
        default_factory=lambda: defaultdict[str, deque[float]](deque)
    )
    _ts: int = 0

    def fail(self, method: str, *failures: Failure) -> None:
        """Let the next calls of a method meet these, one each."""
        self.failures[method].extend(failures)

    def next_ts(self) -> str:
        self._ts += 1
        return f"1700000000.{self._ts:06}"

    def response_url(self, user: str, channel: str, message: Message | None = None) -> str:
        """Return an address at which the bot may answer a command or a press."""
        id = self.responses.give(user, channel, message, self.now())
        return f"{self.base}/respond/{self.team}/{id}"

    def respond(self, id: str, body: Json) -> None:
        """Take what was sent to such an address.

        Raises:
            Refused: it was used too often or too late, or Slack would not show it.
        """
        url = self.responses.take(id, self.now())
        old, blocks = url.message, self._checked_blocks(body)
        if old and body.get("delete_original"):
            self.messages.remove(old)
        elif old and body.get("replace_original"):
            self._rewritten(old, body, blocks)
        else:
            self._written(url.channel, "", body, blocks, url.user)

    def seen(self, *, ephemeral: bool = False) -> list[Message]:
        """Return what the bot has written, in its order."""
        return [
            each
            for each in self.messages
            if each.user == self.bot_user and bool(each.only_for) is ephemeral
        ]

    def count(self, method: str) -> int:
        return sum(each == method for each, _ in self.calls)

    async def until(self, holds: Callable[[SlackWorld], bool]) -> None:
        """Wait until something holds of the workspace."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: holds(self))

    async def tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    def serve(self, method: str, arguments: Json, token: str) -> Json:
        """Answer a call.

        Raises:
            Refused: as Slack would.
        """
        self.calls.append((method, arguments))
        self._check_token(method, token, arguments)
        self._check_rate(method)
        served = getattr(self, "_" + method.replace(".", "_"), None)
        if served is None:
            raise Refused("unknown_method")
        return {"ok": True, **served(arguments)}

    def _check_token(self, method: str, token: str, arguments: Json) -> None:
        wanted = APP_TOKEN if method == "apps.connections.open" else ""
        if not token:
            raise Refused("not_authed")
        if self.revoked:
            raise Refused("token_revoked")
        if not wanted and token not in self.tokens:
            raise Refused("invalid_auth")
        if wanted and token != wanted:
            raise Refused("invalid_auth")
        if self.tokens.get(token, math.inf) <= time.time():
            raise Refused("token_expired")
        needed = limits.SCOPES.get(method, "")
        if method == "conversations.replies":
            needed = _HISTORY[str(arguments.get("channel", "C"))[0]]
        if needed and needed not in self.scopes:
            raise Refused("missing_scope", needed=needed, provided=",".join(self.scopes))

    def _check_rate(self, method: str) -> None:
        times, now = self._called_at[method], self.now()
        while times and times[0] < now - 60:
            times.popleft()
        if len(times) >= limits.CALLS_A_MINUTE.get(method, 100) + _SLACK_BURST:
            self.over_limit.append(method)
            raise Refused("ratelimited", 429, retry_after=30)
        times.append(now)

    def _auth_test(self, arguments: Json) -> Json:
        return {"team_id": self.team, "user_id": self.bot_user, "bot_id": BOT, "team": self.name}

    def _auth_revoke(self, arguments: Json) -> Json:
        self.tokens.clear()
        return {"revoked": True}

    def _apps_connections_open(self, arguments: Json) -> Json:
        return {"url": self.base.replace("http://", "ws://") + "/socket"}

    def _users_info(self, arguments: Json) -> Json:
        name = self.names.get(arguments["user"])
        if name is None:
            raise Refused("user_not_found")
        return {"user": {"id": arguments["user"], "profile": {"display_name": name}}}

    def _conversations_open(self, arguments: Json) -> Json:
        user = arguments["users"]
        if user not in self.names:
            raise Refused("user_not_found")
        channel = user.replace("U", "D", 1)
        self.members.add(channel)
        return {"channel": {"id": channel}}

    def _conversations_replies(self, arguments: Json) -> Json:
        thread = [
            each
            for each in self.messages
            if each.channel == arguments["channel"]
            and arguments["ts"] in {each.ts, each.thread_ts}
            and not each.only_for
        ]
        if not thread:
            raise Refused("thread_not_found")
        latest = arguments.get("latest", "9")
        found = [
            {
                "user": m.user,
                "text": m.text,
                "ts": m.ts,
                "thread_ts": m.thread_ts,
                **({"metadata": m.metadata} if arguments.get("include_all_metadata") else {}),
            }
            for m in thread
            if m.ts <= latest
        ]
        return {"messages": found[: int(arguments.get("limit", 15))]}

    def _chat_postMessage(self, arguments: Json) -> Json:
        return self._posted(arguments)

    def _chat_postEphemeral(self, arguments: Json) -> Json:
        return self._posted(arguments, only_for=arguments["user"])

    def _posted(self, arguments: Json, only_for: str = "") -> Json:
        self._check_channel(arguments)
        blocks = self._checked_blocks(arguments)
        if not arguments.get("text") and not blocks:
            raise Refused("no_text")
        self._check_metadata(arguments.get("metadata"))
        thread = arguments.get("thread_ts", "")
        message = self._written(arguments["channel"], thread, arguments, blocks, only_for)
        return {"channel": message.channel, "ts": message.ts, "message_ts": message.ts}

    def _written(
        self, channel: str, thread: str, arguments: Json, blocks: list[Json], only_for: str
    ) -> Message:
        message = Message(
            channel=channel,
            ts=self.next_ts(),
            thread_ts=thread,
            user=self.bot_user,
            text=arguments.get("text", "")[: limits.TEXT],
            blocks=blocks,
            only_for=only_for,
            metadata=arguments.get("metadata", {}),
        )
        message.versions.append(message.words)
        self.messages.append(message)
        return message

    def _chat_update(self, arguments: Json) -> Json:
        message = self._own(arguments)
        if not {"text", "blocks"} <= arguments.keys():
            # What becomes of the half that is not given is nowhere said.
            self.refusals.append("an update without text or blocks")
            raise Refused("invalid_arguments")
        if message.streaming:
            raise Refused("streaming_state_conflict")
        if len(arguments.get("text", "")) > limits.UPDATE_TEXT:
            raise Refused("msg_too_long")
        self._rewritten(message, arguments, self._checked_blocks(arguments))
        return {"ts": message.ts, "channel": message.channel}

    def _rewritten(self, message: Message, arguments: Json, blocks: list[Json]) -> None:
        message.blocks, message.text, message.chunks = blocks, arguments.get("text", ""), []
        message.versions.append(message.words)

    def _chat_startStream(self, arguments: Json) -> Json:
        if not self.streams:
            raise Refused("channel_type_not_supported")
        self._check_channel(arguments)
        if not arguments.get("thread_ts"):
            raise Refused("invalid_arguments")
        if not arguments["channel"].startswith("D"):
            for key in ("recipient_team_id", "recipient_user_id"):
                if not arguments.get(key):
                    raise Refused(f"missing_{key}")
        message = Message(
            channel=arguments["channel"],
            ts=self.next_ts(),
            thread_ts=arguments["thread_ts"],
            user=self.bot_user,
            text="",
            streaming=True,
            started_at=self.now(),
        )
        self._streamed(message, arguments)
        self.messages.append(message)
        return {"ts": message.ts, "channel": message.channel}

    def _chat_appendStream(self, arguments: Json) -> Json:
        message = self._streaming(arguments)
        self._streamed(message, arguments)
        return {"ts": message.ts, "channel": message.channel}

    def _chat_stopStream(self, arguments: Json) -> Json:
        message = self._streaming(arguments)
        blocks = self._checked_blocks(arguments)
        size = message.stream_bytes + len(json.dumps(blocks, separators=(",", ":")))
        if size > limits.STREAM_BYTES:
            raise Refused("msg_too_long")
        self._streamed(message, arguments)
        message.streaming, message.blocks = False, blocks
        message.versions.append(message.words)
        self.statuses.append(arguments.get("session_status", ""))
        return {"ts": message.ts, "channel": message.channel, "message": {}}

    def _streamed(self, message: Message, arguments: Json) -> None:
        if "markdown_text" in arguments:
            raise Refused("streaming_mode_mismatch")
        chunks = arguments.get("chunks", [])
        errors = chunk_errors(chunks)
        if errors:
            self.refusals += errors
            raise Refused("invalid_chunks", errors=errors)
        size = len(json.dumps(chunks, separators=(",", ":")).encode()) if chunks else 0
        if message.stream_bytes + size > limits.STREAM_BYTES:
            raise Refused("msg_too_long")
        cards = {chunk["id"] for chunk in (*message.chunks, *chunks) if "id" in chunk}
        if len(cards) > limits.CARDS:
            raise Refused("msg_blocks_too_many")
        message.stream_bytes += size
        message.chunks += chunks
        message.versions.append(message.words)

    def _streaming(self, arguments: Json) -> Message:
        message = self._own(arguments)
        if self.now() - message.started_at > limits.STREAM_SECONDS:
            message.streaming = False
        if not message.streaming:
            raise Refused("message_not_in_streaming_state")
        return message

    def _agents_sessions_setStatus(self, arguments: Json) -> Json:
        if not self.is_agent:
            raise Refused("feature_disabled")
        if not arguments.get("thread_ts"):
            raise Refused("thread_ts_required")
        if arguments.get("status") not in {"active", "processing", "suspended", "closed"}:
            raise Refused("invalid_status")
        self.statuses.append(arguments["status"])
        return {}

    def _assistant_threads_setSuggestedPrompts(self, arguments: Json) -> Json:
        if not self.is_agent:
            raise Refused("not_agent_app")
        # With a thread Slack would show nothing, and say nothing about it.
        if arguments.get("thread_ts") or not arguments["channel_id"].startswith("D"):
            raise Refused("invalid_arguments")
        prompts = arguments["prompts"]
        if not 0 < len(prompts) <= limits.PROMPTS or any(
            set(each) != {"title", "message"} or not all(each.values()) for each in prompts
        ):
            raise Refused("invalid_arguments")
        self.prompts[arguments["channel_id"]] = prompts
        return {}

    def _chat_getPermalink(self, arguments: Json) -> Json:
        self._check_channel(arguments)
        ts = arguments["message_ts"].replace(".", "")
        return {"permalink": f"https://acme.slack.example/archives/{arguments['channel']}/p{ts}"}

    def _own(self, arguments: Json) -> Message:
        for message in self.messages:
            if (message.channel, message.ts) == (arguments.get("channel"), arguments.get("ts")):
                if message.user != self.bot_user or message.only_for:
                    raise Refused("cant_update_message")
                return message
        raise Refused("message_not_found")

    def _check_channel(self, arguments: Json) -> None:
        if arguments.get("channel") not in self.members:
            raise Refused("not_in_channel")

    def _check_metadata(self, metadata: Json | None) -> None:
        if metadata is None:
            return
        if set(metadata) != {"event_type", "event_payload"}:
            raise Refused("invalid_metadata_format")
        if len(json.dumps(metadata)) > _METADATA_BYTES:
            raise Refused("metadata_too_large")

    def _checked_blocks(self, arguments: Json) -> list[Json]:
        blocks: list[Json] = arguments.get("blocks") or []
        ready = {id for id, f in self.files.items() if f.looked_at >= self.upload_ready_after}
        errors = block_errors(blocks, files=ready)
        if errors:
            self.refusals += errors
            raise Refused("invalid_blocks", errors=errors)
        if not self.draws_charts and any(b["type"] == "data_visualization" for b in blocks):
            raise Refused("invalid_blocks", errors=["unsupported type: data_visualization"])
        if characters(blocks) > limits.BLOCK_CHARACTERS:
            raise Refused("msg_blocks_too_long")
        return blocks
