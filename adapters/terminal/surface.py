"""The terminal as a surface: lines that are rewritten, then the answer in their place."""

from dataclasses import dataclass, field
from typing import TextIO

from adapters.terminal.answer import Paper, render
from adapters.terminal.cells import fit, one_line
from core.domain.errors import DeliveryFailed
from core.domain.ids import ThreadId
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView

_REWRITE = "\r\x1b[K"
_MARKS = {
    TaskState.WAITING: "·",
    TaskState.RUNNING: "…",
    TaskState.DONE: "✓",
    TaskState.MISSING: "!",
}


@dataclass(slots=True, kw_only=True)
class TerminalSurface:
    """`live` gets what changes, `out` the end of the run; None for one that is not wanted.

    What changes is one line, above it one for each task where the question was taken apart.

    `out` is meant for people: whoever wants data leaves it away and takes the view itself.
    """

    live: TextIO | None
    out: TextIO | None
    paper: Paper = field(default_factory=Paper)
    _open_lines: int = 0

    async def post(self, thread: ThreadId, view: MessageView) -> "TerminalMessage":
        if self._open_lines and self.live:
            _write(self.live, "\n")
            self._open_lines = 0
        message = TerminalMessage(self)
        await message.show(view)
        return message

    def progress(self, view: MessageView) -> None:
        """Put what goes on now where the last of it stood."""
        if self.live:
            lines = [*map(_task, view.plan), view.going_on]
            shown = (self.paper.dim(fit(one_line(line), self.paper.width - 1)) for line in lines)
            _write(self.live, self._back() + "\n".join(shown))
            self._open_lines = len(lines)

    def _back(self) -> str:
        """Return what takes all open lines away; the cursor stands in the last of them."""
        up = self._open_lines - 1
        return _REWRITE + (f"\x1b[{up}A\x1b[J" if up > 0 else "")

    def end(self, view: MessageView) -> None:
        """Take the lines away and write how the run ended."""
        if self.live and self._open_lines:
            _write(self.live, self._back())
            self._open_lines = 0
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
            self.surface.progress(view)


def _task(task: TaskLine) -> str:
    return f"{_MARKS[task.state]} {task.title}"


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError) as error:
        raise DeliveryFailed("The terminal takes no more text.") from error
