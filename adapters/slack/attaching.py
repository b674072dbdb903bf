"""What goes with an answer: pictures inside of it, files below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import structlog

from adapters.slack.blocks.answer import FINDING, charts_of
from adapters.slack.calls import SlackRefused
from adapters.slack.posting import Posting
from adapters.slack.text import cut, literal, mrkdwn
from adapters.slack.uploads import Uploads
from core.domain.answer import Answer, FileRef
from core.domain.errors import NotPossible
from core.domain.ids import FileId
from core.ports.file_store import FileStore

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Attaching:
    """Gives Slack the files of one answer; none that it does not take costs the answer."""

    posting: Posting
    uploads: Uploads
    files: FileStore

    async def pictures(self, answer: Answer | None) -> dict[FileId, str]:
        """Give Slack the charts; one that it does not take is attached afterwards."""
        found: dict[FileId, str] = {}
        for chart in charts_of(answer) if answer else ():
            ref = chart.picture
            try:
                content = await self.files.read(ref.id)
                file = await self.uploads.picture(ref.name, content, title=chart.title)
            except (SlackRefused, NotPossible) as error:
                log.warning("slack_chart_refused", error=str(error))
            else:
                found |= {ref.id: file} if file else {}
        return found

    async def attach(self, answer: Answer, *, shown: frozenset[FileId]) -> None:
        """Share the files below the answer; what cannot be shared is said, never raised."""
        charts = [each.picture for each in charts_of(answer) if each.picture.id not in shown]
        distinct = {ref.id: ref for ref in (*charts, *_files(answer))}
        missing = [ref.name for ref in distinct.values() if not await self._shared(ref)]
        if len(mrkdwn(answer.text)) > FINDING:
            missing += [] if await self._text_shared(answer.text) else ["the whole text"]
        if missing:
            names = ", ".join(literal(name) for name in missing)
            text = f"Slack did not take a file: {cut(names, 1_000)}. Please ask again."
            await self.posting.aside(text)

    async def _shared(self, ref: FileRef) -> bool:
        try:
            content = await self.files.read(ref.id)
            await self.uploads.share(self.posting.place, ref.name, content)
        except (SlackRefused, NotPossible) as error:
            log.warning("slack_file_refused", error=str(error), file=ref.id)
            return False
        return True

    async def _text_shared(self, text: str) -> bool:
        try:
            await self.uploads.share(self.posting.place, "answer.md", text.encode())
        except SlackRefused as error:
            log.warning("slack_file_refused", error=str(error), file="answer.md")
            return False
        return True


def _files(answer: Answer) -> Iterator[FileRef]:
    """Give the files that say more than the message: no sheet of a single row."""
    result = (answer.result,) if answer.result else ()
    for each in (*result, *answer.shown):
        if each.table is None or each.table.row_count > 1:
            yield from each.files
