"""Files, both ways: what a run made goes up, what a person sent comes down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
import orjson
import structlog
from pydantic import BaseModel

from adapters.slack import limits
from adapters.slack.calls import Said, SlackCalls, SlackRefused
from adapters.slack.places import Place
from adapters.slack.text import cut
from adapters.slack.wire import Object
from core.domain.conversation import Attachment
from core.domain.errors import NotPossible
from core.ports.file_store import FileStore

log = structlog.get_logger()

_SLACKS_FILE_HOSTS = frozenset({"files.slack.com", "files.slack-gov.com"})
_GONE = frozenset({"external", "tombstone", "hidden_by_limit"})
_CHUNK = 64 * 1024
_READY_PAUSES = (0.2, 0.5, 1.0)


class SlackFile(BaseModel):
    """A file as an event tells of it."""

    id: str = ""
    name: str = ""
    mimetype: str = ""
    size: int = 0
    mode: str = ""
    url_private_download: str = ""
    url_private: str = ""


@dataclass(frozen=True, slots=True)
class Uploads:
    """`own_hosts` are further hosts that may be sent the token: that of the API itself."""

    calls: SlackCalls
    own_hosts: frozenset[str] = frozenset()

    async def share(self, place: Place, name: str, content: bytes, *, title: str = "") -> str:
        """Upload into the thread and return Slack's id of the file.

        Raises:
            SlackRefused: Slack did not take it.
        """
        file = await self._sent_up(name, content)
        target = {"channel_id": place.channel, "thread_ts": place.thread}
        await self._completed(file, title or name, target)
        return file

    async def picture(self, name: str, content: bytes, *, title: str) -> str | None:
        """Upload for an image block; None while Slack has not looked at the picture yet.

        Raises:
            SlackRefused: Slack did not take it.
        """
        file = await self._sent_up(name, content)
        await self._completed(file, title, {})
        for pause in (*_READY_PAUSES, None):
            said = await self.calls.call("files.info", {"file": file})
            # Before that, a block that shows the file is refused.
            if said.part("file").get("mimetype"):
                return file
            if pause is not None:
                await self.calls.clock.sleep(pause)
        return None

    async def fetch(self, file: SlackFile, files: FileStore) -> Attachment:
        """Bring a person's file into the store.

        Raises:
            NotPossible: it cannot be had; the sentence says why.
        """
        url = file.url_private_download or file.url_private
        name = cut(file.name or "file", 200)
        if file.mode in _GONE or not url:
            raise NotPossible(f"{name} cannot be read here; please upload it again.")
        if file.size > limits.ATTACHMENT_BYTES:
            most = limits.ATTACHMENT_BYTES // 1_000_000
            raise NotPossible(f"{name} is too large; I read files of up to {most} MB.")
        if urlsplit(url).hostname not in _SLACKS_FILE_HOSTS | self.own_hosts:
            raise NotPossible(f"{name} lies outside Slack; please upload it here.")
        try:
            ref = await files.put(name, file.mimetype, self._chunks(url, name))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise NotPossible(f"{name} could not be fetched; please upload it again.") from error
        return Attachment(
            id=ref.id, name=ref.name, media_type=ref.media_type, size_bytes=ref.size_bytes
        )

    async def _chunks(self, url: str, name: str) -> AsyncIterator[bytes]:
        headers = {"Authorization": f"Bearer {self.calls.web.token}"}
        # The token must not follow a redirect to another host.
        got = self.calls.session.get(url, headers=headers, allow_redirects=False)
        async with got as response:
            is_page = response.content_type == "text/html" and not name.endswith((".html", ".htm"))
            if response.status != 200 or is_page:
                raise NotPossible(f"{name} is not given to me; the app may lack files:read.")
            read = 0
            async for chunk in response.content.iter_chunked(_CHUNK):
                read += len(chunk)
                if read > limits.ATTACHMENT_BYTES:
                    raise NotPossible(f"{name} is larger than it says.")
                yield chunk

    async def _sent_up(self, name: str, content: bytes) -> str:
        arguments = {"filename": name, "length": len(content)}
        said = await self.calls.call("files.getUploadURLExternal", {**arguments})
        try:
            async with self.calls.session.post(said.text("upload_url"), data=content) as response:
                if response.status != 200:
                    raise SlackRefused("upload", f"http_{response.status}")
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SlackRefused("upload", "unreachable") from error
        return said.text("file_id")

    async def _completed(self, file: str, title: str, target: dict[str, str]) -> None:
        # No alt_txt: with it Slack may silently not share the file.
        files = orjson.dumps([{"id": file, "title": cut(title, limits.HEADER)}]).decode()

        async def done() -> Said | None:
            return await self._if_shared(file)

        arguments: Object = {"files": files, **target}
        await self.calls.call(
            "files.completeUploadExternal", arguments, done=done if target else None
        )

    async def _if_shared(self, file: str) -> Said | None:
        """Return what Slack knows of a file where it has shared it already."""
        try:
            said = await self.calls.once("files.info", {"file": file})
        except SlackRefused as error:
            log.info("slack_file_not_looked_for", error=error.error)
            return None
        shares = Said(said.part("file")).part("shares")
        return said if any(shares.values()) else None
