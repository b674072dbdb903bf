"""The terminal as a surface: one line that is rewritten, then the answer in its place."""

from dataclasses import dataclass, field
from typing import TextIO

from adapters.terminal.answer import Paper, render
from adapters.terminal.cells import fit, one_line
from core.domain.errors import DeliveryFailed
from core.domain.ids import ThreadId
from core.domain.view import MessageView

_REWRITE = "\r\x1b[K"


@dataclass(slots=True, kw_only=True)
class TerminalSurface:
    """`live` gets the line that changes, `out` the end of the run; None for one that is not wanted.

    `out` is meant for people: whoever wants data leaves it away and takes the view itself.
    """

    live: TextIO | None
    out: TextIO | None
    paper: Paper = field(default_factory=Paper)
    _open_line: bool = False

    async def post(self, thread: ThreadId, view: MessageView) -> "TerminalMessage":
        if self._open_line and self.live:
            _write(self.live, "\n")
        message = TerminalMessage(self)
        await message.show(view)
        return message

    def progress(self, status: str) -> None:
        """Put this text where the last one stood."""
        if self.live:
            line = fit(one_line(status), self.paper.width - 1)
            _write(self.live, _REWRITE + self.paper.dim(line))
            self._open_line = True

    def end(self, view: MessageView) -> None:
        """Take the line away and write how the run ended."""
        if self.live and self._open_line:
            _write(self.live, _REWRITE)
            self._open_line = False
        if self.out:
            _write(self.out, render(view, self.paper) + "\n")


@dataclass(frozen=True, slots=True)
class TerminalMessage:
    """The message of one run."""

    surface: TerminalSurface

    async def show(self, view: MessageView) -> None:
        if view.done:
            self.surface.end(view)
        else:
            self.surface.progress(view.status or "Writing the answer")


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError) as error:
        raise DeliveryFailed("The terminal takes no more text.") from error
