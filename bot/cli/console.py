"""Where commands write, and whether a person is looking."""

import os
import shutil
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Console:
    """Answers go to standard output, everything about the way to them to standard error."""

    def say(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def complain(self, text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    @property
    def is_interactive(self) -> bool:
        """Say whether somebody can be asked: they read what is written and can type."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def is_styled(self) -> bool:
        return sys.stdout.isatty()

    @property
    def width(self) -> int:
        return min(shutil.get_terminal_size((100, 40)).columns, 140)

    def ask(self, prompt: str) -> str:
        """Return the line that was typed; empty when the input ended."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        return sys.stdin.readline().strip()


CONSOLE = Console()


def silence_broken_pipe() -> None:
    """Let the interpreter's own last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
